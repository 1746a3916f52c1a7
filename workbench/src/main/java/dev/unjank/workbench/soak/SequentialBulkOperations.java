package dev.unjank.workbench.soak;

import static dev.unjank.workbench.soak.SoakFailure.require;

import dev.unjank.looper.Message;
import dev.unjank.workbench.soak.QueueModel.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Bulk operations before the next poll. They trigger what a few messages do not: sorting, the index, purging, and wake-ups for
 * messages that are not due.
 */
final class SequentialBulkOperations {
    /** The handler of crowds, to which nothing else sends, in the numbers of {@link Entry#handler()}. */
    static final int HANDLER = 3;

    /** The handler of the executor, to which no other thread sends. */
    static final int EXECUTOR = 4;

    private static final int FEWEST_OVERDUE = 40;
    private static final int FEWEST_TIMERS = 64;
    /** So many that not even half of them may be dead for long. */
    private static final int MANY_TIMERS = 750;

    private static final int MOST_TIMERS = 2_000;
    private static final int DOUBLINGS = 7;
    /** More than a sleeping looper lets happen before it has a look. */
    private static final int UNDER_A_SLEEPER = 600;

    private static final int FIRST_CODE = 100;
    private static final int CODES = 256;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final int POLLS_PER_LOOK = 256;

    private final SequentialLooper life;
    private final SplittableRandom random;
    /** What is to be done when the looper sleeps next. */
    private Runnable asleep = () -> {};

    /** When that sleep ends, unless it is woken. */
    private long endOfSleep;

    SequentialBulkOperations(SequentialLooper life, SplittableRandom random) {
        this.life = life;
        this.random = random;
    }

    /** One of the things that can be done while the looper is awake, between two messages. */
    void gather() {
        switch (random.nextInt(5)) {
            case 0, 1 -> overdue();
            case 2 -> timers(FEWEST_TIMERS << random.nextInt(5));
            case 3 -> {
                timers(MANY_TIMERS);
                for (int i = 0; i < UNDER_A_SLEEPER; i++) {
                    removeOne();
                }
            }
            default -> {
                if (random.nextBoolean()) {
                    asleep = this::postsAndCancels;
                } else {
                    timers(MANY_TIMERS);
                    asleep = this::removals;
                }
            }
        }
        life.compareAll();
    }

    /** While the looper sleeps: what has been put off until then. */
    void gatherAsleep(long end) {
        Runnable now = asleep;
        asleep = () -> {};
        endOfSleep = end;
        now.run();
    }

    private int anyCode() {
        return FIRST_CODE + random.nextInt(CODES);
    }

    private boolean sometimes() {
        return random.nextInt(12) == 0;
    }

    // ---- a looper that was busy for long

    /** Many are due that came in no order, and some timers among them; then some of them or all are taken. */
    private void overdue() {
        int most = FEWEST_OVERDUE << random.nextInt(DOUBLINGS);
        int count = most + random.nextInt(most / 6);
        for (int i = 0; i < count; i++) {
            if (sometimes()) {
                life.acts.schedule(1 + random.nextLong(2 * NANOS_PER_MILLI));
            } else {
                long delay = sometimes() ? 10 + random.nextInt(1_000) : 2 - random.nextInt(64);
                life.acts.sendAtTime(anyCode(), life.now() + delay, random.nextInt(8) == 0);
            }
        }
        life.nanos += random.nextLong(4 * NANOS_PER_MILLI);
        take(random.nextInt(4) == 0 ? random.nextInt(count) : count);
    }

    private void take(int most) {
        for (int i = 1; i <= most && life.poll(); i++) {
            if (i % POLLS_PER_LOOK == 0) {
                life.compareAll();
            }
        }
    }

    // ---- timers

    /** Many that will stand for long; the looper is busy when they come, and then it is not. */
    private void timers(int fewest) {
        int count = Math.min(fewest + random.nextInt(fewest), MOST_TIMERS);
        for (int i = 0; i < count; i++) {
            long delay = sometimes() ? random.nextInt(40) : 100 + random.nextInt(100_000);
            life.acts.sendAtTime(anyCode(), life.now() + 2 + delay, false);
        }
        int due = 2 + random.nextInt(4);
        for (int i = 0; i < due; i++) {
            life.acts.sendAtTime(anyCode(), life.now(), true);
        }
        take(count);
    }

    /** Removes some that have long been there, by their key or by a handle, or asks for them. */
    private void removeOne() {
        List<Entry> entries = life.model.entries();
        if (entries.isEmpty()) {
            return;
        }
        Entry entry = entries.get(random.nextInt(entries.size()));
        Message message = entry.message();
        if (entry.handler() != HANDLER || message == null) {
            life.acts.ask(HANDLER, anyCode());
        } else if (random.nextInt(3) == 0) {
            life.acts.removeMessages(HANDLER, entry.what());
        } else {
            life.acts.cancel(message);
        }
    }

    // ---- while the looper sleeps

    /** The looper need not care for any of them, but for their number. */
    private void postsAndCancels() {
        List<Message> posted = new ArrayList<>();
        for (int i = 0; i < UNDER_A_SLEEPER; i++) {
            posted.add(life.acts.sendAtTime(anyCode(), life.now() + 100_000 + random.nextInt(100), false));
            if (random.nextInt(3) == 0) {
                life.acts.cancel(posted.get(random.nextInt(posted.size())));
            }
            life.requireNothingMissed(endOfSleep);
        }
        require(
                life.isWoken() || !life.isLockFree() || life.model.hasQuit(),
                "asleep past " + UNDER_A_SLEEPER + " messages, dead or alive");
    }

    /** Nothing is left for the looper to do but to clear up. */
    private void removals() {
        for (int i = 0; i < 2 * UNDER_A_SLEEPER && !life.isWoken(); i++) {
            removeOne();
            life.requireNothingMissed(endOfSleep);
        }
    }
}
