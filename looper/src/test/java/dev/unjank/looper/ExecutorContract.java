package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ArgumentsSource;

/**
 * The base of the contract tests: a service that runs on one thread, and means to occupy that thread. The tested rules
 * are listed in {@code looper/src/test/executor-contract.md}, beside the checks of the JSR-166 test suite.
 */
@ParameterizedClass
@ArgumentsSource(ExecutorSubjects.class)
abstract class ExecutorContract {
    /** A timeout for events that must happen; only a failure waits so long. */
    static final long LONG = 60;

    @Parameter
    ExecutorSubject subject;

    ScheduledExecutorService service;
    private ExecutorSubject.Running running;

    @BeforeEach
    void start() {
        running = subject.start();
        service = running.service();
    }

    @AfterEach
    void end() throws InterruptedException {
        service.shutdownNow();
        running.end().run();
        assertThat(terminatesSoon()).isTrue();
    }

    /** Occupies the thread of the service until released, and records whether it was interrupted meanwhile. */
    static final class Blocker implements Runnable {
        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch release = new CountDownLatch(1);
        private final CompletableFuture<Boolean> interrupted = new CompletableFuture<>();

        @Override
        public void run() {
            entered.countDown();
            try {
                release.await();
                interrupted.complete(Thread.interrupted());
            } catch (InterruptedException e) {
                interrupted.complete(true);
            }
        }

        /** The same, but ignores interrupts. */
        void runStubbornly() {
            entered.countDown();
            boolean any = false;
            for (boolean released = false; !released; ) {
                try {
                    release.await();
                    released = true;
                } catch (InterruptedException e) {
                    any = true;
                }
            }
            interrupted.complete(any || Thread.interrupted());
        }

        Blocker awaitEntered() throws InterruptedException {
            assertThat(entered.await(LONG, TimeUnit.SECONDS)).isTrue();
            return this;
        }

        void release() {
            release.countDown();
        }

        boolean wasInterrupted() throws Exception {
            return interrupted.get(LONG, TimeUnit.SECONDS);
        }
    }

    Blocker block() throws InterruptedException {
        Blocker blocker = new Blocker();
        service.execute(blocker);
        return blocker.awaitEntered();
    }

    static void nothing() {}

    static <T> T soon(Future<T> future) throws Exception {
        return future.get(LONG, TimeUnit.SECONDS);
    }

    /** Returns when all tasks due by now have run. */
    void flush() throws Exception {
        soon(service.submit(() -> {}));
    }

    boolean terminatesSoon() throws InterruptedException {
        return service.awaitTermination(LONG, TimeUnit.SECONDS);
    }

    /** Tries every method that accepts tasks. */
    void assertEverythingIsRefused() {
        List<Callable<String>> tasks = List.of(() -> "result");
        TimeUnit unit = TimeUnit.MILLISECONDS;
        assertRefused(() -> service.execute(ExecutorContract::nothing));
        assertRefused(() -> service.submit(ExecutorContract::nothing));
        assertRefused(() -> service.submit(ExecutorContract::nothing, "result"));
        assertRefused(() -> service.submit(tasks.get(0)));
        assertRefused(() -> service.schedule(ExecutorContract::nothing, 1, unit));
        assertRefused(() -> service.schedule(tasks.get(0), 1, unit));
        assertRefused(() -> service.scheduleAtFixedRate(ExecutorContract::nothing, 1, 1, unit));
        assertRefused(() -> service.scheduleWithFixedDelay(ExecutorContract::nothing, 1, 1, unit));
        assertRefused(() -> service.invokeAll(tasks));
        assertRefused(() -> service.invokeAll(tasks, LONG, TimeUnit.SECONDS));
        assertRefused(() -> service.invokeAny(tasks));
        assertRefused(() -> service.invokeAny(tasks, LONG, TimeUnit.SECONDS));
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(RejectedExecutionException.class);
    }

    /** Spins for the given time. */
    static void spin(long millis) {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < TimeUnit.MILLISECONDS.toNanos(millis)) {
            Thread.onSpinWait();
        }
    }

    /** A call on a thread of its own. */
    static final class Call<T> {
        private final CompletableFuture<T> result = new CompletableFuture<>();
        private final Thread thread;

        Call(Callable<T> call) {
            thread = new Thread(() -> {
                try {
                    result.complete(call.call());
                } catch (Throwable e) {
                    result.completeExceptionally(e);
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        /** Returns when the thread waits for something. */
        Call<T> awaitWaiting() {
            long begin = System.nanoTime();
            while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
                assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(LONG));
                assertThat(result).as("a call that is to wait").isNotDone();
                Thread.onSpinWait();
            }
            return this;
        }

        void interrupt() {
            thread.interrupt();
        }

        CompletableFuture<T> result() {
            return result;
        }
    }

    /** The result of a call on a thread of its own. */
    static <T> CompletableFuture<T> elsewhere(Callable<T> call) {
        return new Call<>(call).result();
    }
}
