package dev.unjank.looper;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MICROSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The executors of a looper against the end of the looper, and their operations against each other. */
@ParameterizedClass
@EnumSource
class LooperExecutorRaceTest {
    private static final int ROUNDS = 400;
    private static final long LONG = 60;

    @Parameter
    QueueKind kind;

    private LooperOptions options() {
        return LooperOptions.defaults().withQueue(kind);
    }

    private HandlerThread start() {
        HandlerThread thread = new HandlerThread("test", options());
        thread.start();
        return thread;
    }

    /** How a future ended; null if it did not within the time. */
    private static String end(Future<?> future) throws Exception {
        try {
            return String.valueOf(future.get(LONG, SECONDS));
        } catch (CancellationException e) {
            return "cancelled";
        }
    }

    // ---- the looper's end

    @Test
    void waitersAreReleasedWhenTheLooperQuits() throws Exception {
        HandlerThread thread = start();
        ScheduledExecutorService service = thread.getLooper().asScheduledExecutorService();
        ScheduledFuture<?> delayed = service.schedule(() -> {}, 1, HOURS);
        CompletableFuture<Void> submitted = new Handler(thread.getLooper()).submitDelayed(() -> {}, 3_600_000);
        CompletableFuture<String> waiter = ExecutorContract.elsewhere(() -> end(delayed));
        CompletableFuture<Boolean> awaiting = ExecutorContract.elsewhere(() -> service.awaitTermination(LONG, SECONDS));
        thread.quit();
        assertThat(waiter.get(LONG, SECONDS)).isEqualTo("cancelled");
        assertThat(awaiting.get(LONG, SECONDS)).isTrue();
        assertThat(submitted).isCancelled();
        thread.join();
    }

    @Test
    void awaitTerminationOfAnIdleServiceEndsWhenTheLooperQuits() throws Exception {
        for (boolean safely : new boolean[] {false, true}) {
            HandlerThread thread = start();
            ScheduledExecutorService service = thread.getLooper().asScheduledExecutorService();
            CountDownLatch about = new CountDownLatch(1);
            CompletableFuture<Boolean> awaiting = ExecutorContract.elsewhere(() -> {
                about.countDown();
                return service.awaitTermination(LONG, SECONDS);
            });
            assertThat(about.await(LONG, SECONDS)).isTrue();
            assertThat(safely ? thread.quitSafely() : thread.quit()).isTrue();
            assertThat(awaiting.get(LONG, SECONDS)).isTrue();
            thread.join();
        }
    }

    @Test
    void waitersForManyTasksAreReleasedWhenTheLooperQuits() throws Exception {
        HandlerThread thread = start();
        ScheduledExecutorService service = thread.getLooper().asScheduledExecutorService();
        ExecutorContract.Blocker blocker = new ExecutorContract.Blocker();
        new Handler(thread.getLooper()).post(blocker);
        blocker.awaitEntered();
        List<Callable<String>> tasks = List.of(() -> "a", () -> "b");
        ExecutorContract.Call<List<Future<String>>> all = new ExecutorContract.Call<>(() -> service.invokeAll(tasks));
        ExecutorContract.Call<String> any = new ExecutorContract.Call<>(() -> service.invokeAny(tasks));
        all.awaitWaiting();
        any.awaitWaiting();
        thread.quit();
        blocker.release();
        assertThat(all.result().get(LONG, SECONDS)).hasSize(2).allMatch(Future::isCancelled);
        assertThatThrownBy(() -> any.result().get(LONG, SECONDS))
                .cause()
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(CancellationException.class);
        thread.join();
    }

    @Test
    void waitersAreReleasedWhenTheLoopDies() throws Exception {
        HandlerThread thread = start();
        thread.setUncaughtExceptionHandler((t, e) -> {});
        Looper looper = thread.getLooper();
        ScheduledExecutorService service = looper.asScheduledExecutorService();
        ExecutorContract.Blocker blocker = new ExecutorContract.Blocker();
        new Handler(looper).post(blocker);
        blocker.awaitEntered();
        new Handler(looper).post(() -> {
            throw new IllegalStateException("on purpose");
        });
        Future<?> due = service.submit(() -> {});
        ScheduledFuture<?> delayed = service.schedule(() -> {}, 1, HOURS);
        ScheduledFuture<?> repeated = service.scheduleAtFixedRate(() -> {}, 1, 1, HOURS);
        CompletableFuture<Void> submitted = new Handler(looper).submit(() -> {});
        CompletableFuture<Boolean> awaiting = ExecutorContract.elsewhere(() -> service.awaitTermination(LONG, SECONDS));
        blocker.release();
        assertThat(List.of(end(due), end(delayed), end(repeated), end(submitted)))
                .containsOnly("cancelled");
        assertThat(awaiting.get(LONG, SECONDS)).isTrue();
        thread.join();
        assertThat(service.isTerminated()).isTrue();
        assertThatThrownBy(() -> service.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void waitersAreReleasedByAQuitBeforeTheLoop() throws Exception {
        CompletableFuture<Looper> prepared = new CompletableFuture<>();
        CountDownLatch go = new CountDownLatch(1);
        CompletableFuture<Void> loop = ExecutorContract.elsewhere(() -> {
            Looper.prepare(options());
            prepared.complete(Looper.myLooper());
            go.await();
            Looper.loop();
            return null;
        });
        Looper looper = prepared.get(LONG, SECONDS);
        ScheduledExecutorService service = looper.asScheduledExecutorService();
        Future<?> due = service.submit(() -> {});
        looper.quit();
        assertThat(end(due)).isEqualTo("cancelled");
        assertThat(service.awaitTermination(LONG, SECONDS)).isTrue();
        go.countDown();
        loop.get(LONG, SECONDS);
    }

    @Test
    void whatIsDueAtASafeQuitBeforeTheLoopRunsInTheLoop() throws Exception {
        CompletableFuture<Looper> prepared = new CompletableFuture<>();
        CountDownLatch go = new CountDownLatch(1);
        CompletableFuture<Void> loop = ExecutorContract.elsewhere(() -> {
            Looper.prepare(options());
            prepared.complete(Looper.myLooper());
            go.await();
            Looper.loop();
            return null;
        });
        Looper looper = prepared.get(LONG, SECONDS);
        ScheduledExecutorService service = looper.asScheduledExecutorService();
        Future<String> due = service.submit(() -> "ran");
        Future<?> later = service.schedule(() -> {}, 1, HOURS);
        looper.quitSafely();
        assertThat(end(later)).isEqualTo("cancelled");
        assertThat(service.isTerminated()).isFalse();
        go.countDown();
        assertThat(end(due)).isEqualTo("ran");
        assertThat(service.awaitTermination(LONG, SECONDS)).isTrue();
        loop.get(LONG, SECONDS);
    }

    /** Every task that was accepted is completed, every other refused: no thread waits for ever. */
    @Test
    void submittingAgainstQuitting() throws Exception {
        for (int round = 0; round < 60; round++) {
            HandlerThread thread = start();
            Looper looper = thread.getLooper();
            ScheduledExecutorService service = looper.asScheduledExecutorService();
            Handler handler = new Handler(looper);
            CyclicBarrier go = new CyclicBarrier(3);
            List<CompletableFuture<List<Future<?>>>> submitters = new ArrayList<>();
            for (int t = 0; t < 2; t++) {
                submitters.add(ExecutorContract.elsewhere(() -> {
                    List<Future<?>> accepted = new ArrayList<>();
                    go.await();
                    try {
                        for (int i = 0; i < 100; i++) {
                            accepted.add(handler.submit(() -> "ran"));
                            accepted.add(service.schedule(() -> "ran", i % 3 * 100L, MICROSECONDS));
                            accepted.add(service.scheduleAtFixedRate(() -> {}, 0, 1, MICROSECONDS));
                        }
                    } catch (RejectedExecutionException e) {
                        // the looper has quit
                    }
                    return accepted;
                }));
            }
            go.await();
            if (round % 2 == 0) {
                looper.quit();
            } else {
                looper.quitSafely();
            }
            for (CompletableFuture<List<Future<?>>> submitter : submitters) {
                for (Future<?> future : submitter.get(LONG, SECONDS)) {
                    assertThat(end(future)).isIn("ran", "cancelled");
                }
            }
            assertThat(service.awaitTermination(LONG, SECONDS)).isTrue();
            thread.join();
        }
    }

    // ---- operations against each other

    /** Each task runs, or is returned, or was refused: none of them twice, none lost. */
    @Test
    void schedulingAgainstShutdownNow() throws Exception {
        HandlerThread thread = start();
        for (int round = 0; round < ROUNDS; round++) {
            ScheduledExecutorService service = thread.getLooper().asScheduledExecutorService();
            CyclicBarrier go = new CyclicBarrier(2);
            AtomicInteger ran = new AtomicInteger();
            CompletableFuture<List<Future<?>>> submitter = ExecutorContract.elsewhere(() -> {
                List<Future<?>> accepted = new ArrayList<>();
                go.await();
                try {
                    for (int i = 0; i < 50; i++) {
                        accepted.add(service.schedule(ran::incrementAndGet, i % 2, HOURS));
                    }
                } catch (RejectedExecutionException e) {
                    // shut down
                }
                return accepted;
            });
            go.await();
            List<Runnable> neverBegun = service.shutdownNow();
            List<Future<?>> accepted = submitter.get(LONG, SECONDS);
            assertThat(service.awaitTermination(LONG, SECONDS)).isTrue();
            // taken from the queue as the service stopped, some were cancelled by the looper instead of run
            long cancelled = accepted.stream().filter(Future::isCancelled).count();
            assertThat(ran.get() + neverBegun.size() + cancelled).isEqualTo(accepted.size());
            assertThat(neverBegun).allMatch(task -> !((Future<?>) task).isDone());
        }
        thread.quit();
        thread.join();
    }

    @Test
    void schedulingAgainstShutdown() throws Exception {
        HandlerThread thread = start();
        for (int round = 0; round < ROUNDS; round++) {
            ScheduledExecutorService service = thread.getLooper().asScheduledExecutorService();
            CyclicBarrier go = new CyclicBarrier(2);
            CompletableFuture<List<Future<?>>> submitter = ExecutorContract.elsewhere(() -> {
                List<Future<?>> accepted = new ArrayList<>();
                go.await();
                try {
                    for (int i = 0; i < 10; i++) {
                        accepted.add(service.submit(() -> "ran"));
                        accepted.add(service.scheduleAtFixedRate(() -> {}, 1, 1, HOURS));
                    }
                } catch (RejectedExecutionException e) {
                    // shut down
                }
                return accepted;
            });
            go.await();
            service.shutdown();
            List<Future<?>> accepted = submitter.get(LONG, SECONDS);
            // if a repeated task were left in the queue, this would take an hour
            assertThat(service.awaitTermination(LONG, SECONDS)).isTrue();
            for (int i = 0; i < accepted.size(); i++) {
                assertThat(end(accepted.get(i))).isEqualTo(i % 2 == 0 ? "ran" : "cancelled");
            }
        }
        thread.quit();
        thread.join();
    }

    /** A task is run or cancelled, and only that task sees the interrupt of a cancellation. */
    @Test
    void cancellingAgainstRunning() throws Exception {
        HandlerThread thread = start();
        ScheduledExecutorService service = thread.getLooper().asScheduledExecutorService();
        Handler handler = new Handler(thread.getLooper());
        AtomicInteger strayInterrupts = new AtomicInteger();
        for (int round = 0; round < 10 * ROUNDS; round++) {
            AtomicInteger runs = new AtomicInteger();
            Future<?> task = service.submit(runs::incrementAndGet);
            handler.post(() -> {
                if (Thread.currentThread().isInterrupted()) {
                    strayInterrupts.incrementAndGet();
                }
            });
            boolean cancelled = task.cancel(true);
            assertThat(task.isCancelled()).isEqualTo(cancelled);
            assertThat(task.isDone()).isTrue();
            if (!cancelled) {
                assertThat(runs).hasValue(1);
            }
        }
        service.shutdown();
        assertThat(service.awaitTermination(LONG, SECONDS)).isTrue();
        assertThat(handler.submit(strayInterrupts::get).get(LONG, SECONDS)).isZero();
        thread.quit();
        thread.join();
    }

    /** Cancelling between two runs, or in one, ends a repeated task and leaves nothing in the queue. */
    @Test
    void cancellingAgainstRepeating() throws Exception {
        HandlerThread thread = start();
        ScheduledExecutorService service = thread.getLooper().asScheduledExecutorService();
        for (int round = 0; round < ROUNDS; round++) {
            CountDownLatch begun = new CountDownLatch(1);
            ScheduledFuture<?> task = service.scheduleWithFixedDelay(begun::countDown, 0, 1, MICROSECONDS);
            assertThat(begun.await(LONG, SECONDS)).isTrue();
            assertThat(task.cancel(round % 2 == 0)).isTrue();
        }
        service.shutdown();
        assertThat(service.awaitTermination(LONG, SECONDS)).isTrue();
        assertThat(thread.getLooper().getQueue().snapshot()).isEmpty();
        thread.quit();
        thread.join();
    }

    @Test
    void completingFromOutsideAgainstRunning() throws Exception {
        HandlerThread thread = start();
        Handler handler = new Handler(thread.getLooper());
        for (int round = 0; round < 10 * ROUNDS; round++) {
            CompletableFuture<String> future = handler.submit(() -> "inside");
            boolean outside = future.complete("outside");
            assertThat(future.get(LONG, SECONDS)).isEqualTo(outside ? "outside" : "inside");
        }
        thread.quit();
        thread.join();
    }

    // ---- what execute does with an exception

    @Test
    void whatACommandThrowsGoesToTheHandlerOfTheThreadAndTheLoopGoesOn() throws Exception {
        HandlerThread thread = new HandlerThread("test", options());
        CompletableFuture<Throwable> uncaught = new CompletableFuture<>();
        thread.setUncaughtExceptionHandler((t, e) -> uncaught.complete(e));
        thread.start();
        ScheduledExecutorService service = thread.getLooper().asScheduledExecutorService();
        RuntimeException thrown = new IllegalStateException("on purpose");
        service.execute(() -> {
            throw thrown;
        });
        assertThat(uncaught.get(LONG, SECONDS)).isSameAs(thrown);
        assertThat(end(service.submit(() -> "still there"))).isEqualTo("still there");
        thread.quit();
        thread.join();
    }
}
