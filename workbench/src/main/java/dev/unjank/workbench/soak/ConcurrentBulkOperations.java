package dev.unjank.workbench.soak;

import dev.unjank.workbench.soak.TimedCalls.Match;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Bulk operations of one thread in a multi-threaded round, while the looper is blocked or sleeps. See {@link
 * SequentialBulkOperations} for their purpose.
 */
final class ConcurrentBulkOperations {
    private static final int FEWEST_OVERDUE = 40;
    private static final int FEWEST_TIMERS = 64;
    private static final int MOST_TIMERS = 2_000;
    private static final int DOUBLINGS = 7;
    /** A number of operations that wakes a sleeping looper for cleanup, with a margin for the time until it sleeps. */
    private static final int UNDER_A_SLEEPER = 1_000;

    private static final int QUESTIONS = 64;
    /** The first of the unique codes, above those of other operations. */
    private static final int FIRST_CODE = 1_000;

    private final ConcurrentRound round;
    private final ConcurrentActor actor;
    private final LooperLifetime generation;
    private final SplittableRandom random;
    private final List<SentMessage> all = new ArrayList<>();
    private int operations;

    ConcurrentBulkOperations(ConcurrentRound round, ConcurrentActor actor, LooperLifetime generation) {
        this.round = round;
        this.actor = actor;
        this.generation = generation;
        this.random = actor.random;
    }

    /** Runs one bulk operation; returns the number of operations. */
    int gather() {
        switch (random.nextInt(4)) {
            case 0, 1 -> overdue();
            case 2 -> timers();
            default -> postsAndCancels();
        }
        return operations + all.size();
    }

    private boolean sometimes() {
        return random.nextInt(12) == 0;
    }

    private SentMessage send(long when, boolean asynchronous) {
        SentMessage one = actor.newSent(generation, generation.crowd, FIRST_CODE + all.size(), asynchronous);
        generation.send(one, () -> generation.crowd.sendMessageAtTime(ConcurrentRound.messageOf(one), when));
        all.add(one);
        return one;
    }

    private long nowMillis() {
        return TimeUnit.NANOSECONDS.toMillis(generation.now());
    }

    private Match codeOf(SentMessage one) {
        return new Match(one.handler, one.what, null, null);
    }

    /** Runs an action while a message blocks the looper. */
    private void whileHeldUp(Runnable act) {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        SentMessage hold = actor.newSent(generation, generation.pings, 0, false);
        hold.errand = () -> {
            begun.countDown();
            awaitUninterruptibly(done);
        };
        try {
            generation.sendToFront(hold, ConcurrentRound.messageOf(hold));
            if (hold.accepted) {
                round.await(generation, "this is run: " + hold, () -> begun.getCount() == 0 || generation.hasQuit());
            }
            act.run();
        } finally {
            done.countDown();
        }
        actor.awaitRun(hold);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        boolean interrupted = false;
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    // ---- a looper that was busy for a long time

    private void overdue() {
        int most = FEWEST_OVERDUE << random.nextInt(DOUBLINGS);
        int count = most + random.nextInt(most / 6);
        List<SentMessage> timers = new ArrayList<>();
        List<Task> tasks = new ArrayList<>();
        ScheduledExecutorService executor = generation.looper.asScheduledExecutorService();
        whileHeldUp(() -> {
            long now = nowMillis();
            for (int i = 0; i < count; i++) {
                if (sometimes()) {
                    long delay = sometimes() ? ConcurrentRound.FAR_MILLIS : 5 + random.nextInt(20);
                    timers.add(send(now + delay, false));
                } else if (sometimes()) {
                    schedule(executor, tasks);
                } else {
                    send(now - random.nextInt(64), random.nextInt(8) == 0);
                }
            }
        });
        SentMessage behind = send(nowMillis(), false);
        actor.awaitRun(behind);
        // by now most messages have been unlinked, but not the timers
        for (SentMessage timer : timers.subList(0, Math.min(QUESTIONS, timers.size()))) {
            round.ask(generation, codeOf(timer));
            operations++;
        }
        round.await(
                generation,
                "tasks are run",
                () -> generation.hasQuit() || tasks.stream().allMatch(Task::hasRun));
    }

    /**
     * A task of an executor. Its due time in nanoseconds is not recorded, so its order among the others is not checked.
     */
    private final class Task implements Runnable {
        private final long earliest;
        private volatile boolean hasRun;

        Task(long earliest) {
            this.earliest = earliest;
        }

        boolean hasRun() {
            return hasRun;
        }

        @Override
        public void run() {
            if (hasRun) {
                generation.mistakes.add("run twice: a task");
            }
            if (generation.now() < earliest) {
                generation.mistakes.add("run before its time: a task");
            }
            hasRun = true;
        }
    }

    private void schedule(ScheduledExecutorService executor, List<Task> tasks) {
        long delay = 1 + random.nextLong(2_000_000);
        Task task = new Task(generation.now() + delay);
        operations++;
        try {
            var _ = executor.schedule(task, delay, TimeUnit.NANOSECONDS);
            tasks.add(task);
        } catch (RejectedExecutionException e) {
            if (!generation.hasQuit()) {
                generation.mistakes.add("refused before the quit: a task");
            }
        }
    }

    // ---- timers

    /** Sends many long timers to a busy looper, then removes most of them while the looper is idle. */
    private void timers() {
        int fewest = FEWEST_TIMERS << random.nextInt(5);
        int count = Math.min(fewest + random.nextInt(fewest), MOST_TIMERS);
        whileHeldUp(() -> {
            long now = nowMillis();
            for (int i = 0; i < count; i++) {
                send(
                        now + (sometimes() ? random.nextInt(40) : ConcurrentRound.FAR_MILLIS + random.nextInt(1_000)),
                        false);
            }
            for (int i = 0; i < 4; i++) {
                send(now, false);
            }
        });
        actor.awaitRun(all.getLast());
        for (SentMessage one : all.subList(0, count * 3 / 4)) {
            operations++;
            switch (random.nextInt(12)) {
                case 0 -> round.ask(generation, codeOf(one));
                case 1 -> round.remove(generation, actor.index, codeOf(one));
                default -> actor.cancel(one);
            }
        }
    }

    private void postsAndCancels() {
        for (int i = 0; i < UNDER_A_SLEEPER; i++) {
            SentMessage one = send(nowMillis() + ConcurrentRound.FAR_MILLIS, false);
            if (random.nextInt(3) == 0) {
                actor.cancel(all.get(random.nextInt(all.size())));
                operations++;
            } else if (i % 64 == 0) {
                round.ask(generation, codeOf(one));
            }
        }
    }
}
