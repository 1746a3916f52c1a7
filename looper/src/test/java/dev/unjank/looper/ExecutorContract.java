package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;

/** What the tests of the contract share: a service that runs on one thread, and means to occupy that thread. */
abstract class ExecutorContract {
    /** For what must happen some time: only a failure waits so long. */
    static final long LONG = 20;

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
        assertThat(service.awaitTermination(LONG, TimeUnit.SECONDS)).isTrue();
    }

    /** Occupies the thread of the service until it is let go, and notes whether it was interrupted meanwhile. */
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

    /** Returns when everything has run that is due by now. */
    void flush() throws Exception {
        soon(service.submit(() -> {}));
    }

    /** Calls something on a thread of its own. */
    static <T> CompletableFuture<T> elsewhere(Callable<T> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(call.call());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }
}
