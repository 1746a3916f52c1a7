package dev.unjank.workbench.soak;

import static dev.unjank.workbench.soak.SoakFailure.require;

import dev.unjank.looper.Message;
import dev.unjank.workbench.soak.QueueModel.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Bulk operations before the next poll. They trigger operations that a few messages do not: sorting, the index,
 * purging, and wake-ups for messages that are not due.
 */
final class SequentialBulkOperations {
    /** The index of the handler that only bulk operations use, see {@link Entry#handler()}. */
    static final int HANDLER = 3;

    /** The index of the executor's handler, which only the executor uses. */
    static final int EXECUTOR = 4;

    private static final int FEWEST_OVERDUE = 40;
    private static final int FEWEST_TIMERS = 64;
    /** A number of timers for which more than half being tombstones triggers a purge. */
    private static final int MANY_TIMERS = 750;

    private static final int MOST_TIMERS = 2_000;
    private static final int DOUBLINGS = 7;
    /** A number of operations that wakes a sleeping looper for cleanup. */
    private static final int UNDER_A_SLEEPER = 600;

    private static final int FIRST_CODE = 100;
    private static final int CODES = 256;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final int POLLS_PER_LOOK = 256;

    private final SequentialLooper life;
    private final SplittableRandom random;
    /** The operation for the looper's next sleep. */
    private Runnable asleep = () -> {};

    /** The end of that sleep, unless the looper is woken. */
    private long endOfSleep;

    SequentialBulkOperations(SequentialLooper life, SplittableRandom random) {
        this.life = life;
        this.random = random;
    }

    /** Runs one bulk operation while the looper is awake, between two messages. */
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

    /** Runs the operation that was deferred until the looper sleeps. */
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

    // ---- a looper that was busy for a long time

    /** Sends many due messages in random order, with some timers among them; then takes some or all of them. */
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

    /** Sends many long timers while the looper is busy; then the looper is idle. */
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

    /** Removes old messages by key or handle, or queries them. */
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

    /** Posts and cancels messages that matter to the looper only by their number. */
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
                "asleep past " + UNDER_A_SLEEPER + " new messages or tombstones");
    }

    /** Removes all messages, so that the looper only has to clean up. */
    private void removals() {
        for (int i = 0; i < 2 * UNDER_A_SLEEPER && !life.isWoken(); i++) {
            removeOne();
            life.requireNothingMissed(endOfSleep);
        }
    }
}
