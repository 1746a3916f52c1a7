package dev.unjank.proof.steps;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Plays a scene once for each instruction before which its poster can be stopped, and checks that the others make
 * progress without it.
 *
 * <p>Blocking is not inferred from elapsed time. The virtual machine reports which thread waits for a lock and which
 * owns it, a monitor or one of java.util.concurrent; a spinning thread executes instructions, which are counted and
 * bounded. If another thread waits for the poster, the poster is resumed, and the scene is played to its end.
 */
final class PreemptionCheck implements AutoCloseable {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    /** How often to check which threads wait for which. Only affects how soon a blocked scene is noticed. */
    private static final long LOOK_MILLIS = 2;

    private final ScenarioRunner stage = InstrumentedLooperLoader.newStage();
    private final Worker poster = new Worker("poster");
    private final Worker others = new Worker("others");
    /** The operations of the posters of all scenes. */
    private final List<ThreadSteps> trails = new ArrayList<>();

    /**
     * The result of a scene.
     *
     * @param steps the number of instructions of the operation without interference: so many times the scene was played
     * @param heldUp where the poster was stopped when others had to wait for it
     */
    record Result(int steps, List<String> heldUp) {}

    /** The operations of the posters of all scenes played so far. */
    List<ThreadSteps> trails() {
        return trails;
    }

    /** Plays a scene for every instruction of its operation. */
    Result play(PreemptionScenario scene) throws InterruptedException {
        playOnce(scene, Integer.MAX_VALUE); // initializes classes and links call sites
        List<String> heldUp = new ArrayList<>();
        for (int step = 1; ; step++) {
            StoppablePoster played = playOnce(scene, step);
            if (played.wasHeldUp) {
                heldUp.add(played.trail.stoppedAt());
            }
            if (played.trail.stoppedAt() == null) {
                return new Result(played.trail.steps(), heldUp);
            }
        }
    }

    private StoppablePoster playOnce(PreemptionScenario scene, int step) throws InterruptedException {
        StoppablePoster actor = new StoppablePoster(step);
        ThreadSteps trail = ThreadSteps.unstopped(); // which bounds how long the others may spin
        CompletableFuture<Void> end = others.start(() -> InstructionHook.follow(trail, () -> stage.play(scene, actor)));
        while (!isOver(end, actor)) {
            if (isHeldUpBy(actor)) {
                actor.wasHeldUp = true;
                actor.trail.sendOn();
            }
        }
        trails.add(actor.trail);
        return actor;
    }

    private static boolean isOver(CompletableFuture<Void> end, StoppablePoster actor) throws InterruptedException {
        try {
            end.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new AssertionError("with a poster stopped before " + actor.trail.stoppedAt(), e.getCause());
        }
    }

    /**
     * Only by a stopped poster: one that is on its way here has locks of its executor, which the others may wait for.
     */
    private boolean isHeldUpBy(StoppablePoster actor) {
        ThreadInfo info = THREADS.getThreadInfo(others.thread.threadId());
        return actor.stopped.isDone() && info != null && info.getLockOwnerId() == poster.thread.threadId();
    }

    @Override
    public void close() {
        poster.executor.shutdownNow();
        others.executor.shutdownNow();
    }

    /** The poster of one run. */
    private final class StoppablePoster implements ScenarioRunner.Poster {
        private final CompletableFuture<Void> stopped = new CompletableFuture<>();
        private final ThreadSteps trail;
        private @Nullable CompletableFuture<Void> done;
        private boolean wasHeldUp;

        StoppablePoster(int step) {
            trail = ThreadSteps.stoppingAt(step, () -> stopped.complete(null));
        }

        @Override
        public void begin(Runnable operation) {
            CompletableFuture<Void> end = poster.start(() -> InstructionHook.follow(trail, operation));
            done = end;
            CompletableFuture.anyOf(stopped, end).join();
        }

        @Override
        public void finish() {
            trail.sendOn();
            if (done != null) {
                done.join();
            }
        }
    }

    /** A thread with a known identity. */
    private static final class Worker {
        private final Thread thread;
        private final ExecutorService executor;

        Worker(String name) {
            List<Thread> made = new ArrayList<>();
            executor = Executors.newSingleThreadExecutor(work -> {
                Thread daemon = Thread.ofPlatform().daemon().name(name).unstarted(work);
                made.add(daemon);
                return daemon;
            });
            CompletableFuture.runAsync(() -> {}, executor).join();
            thread = made.getFirst();
        }

        CompletableFuture<Void> start(Runnable work) {
            return CompletableFuture.runAsync(work, executor);
        }
    }
}
