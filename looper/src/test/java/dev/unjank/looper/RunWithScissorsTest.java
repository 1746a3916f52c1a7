package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.looper.fixture.ManualLooper;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Handler#runWithScissors: running a task on a looper and waiting for it. */
@ParameterizedClass
@EnumSource
class RunWithScissorsTest {
    @Parameter
    QueueKind kind;

    private final List<String> log = new CopyOnWriteArrayList<>();
    private HandlerThread thread;
    private Handler handler;

    @BeforeEach
    void start() {
        thread = new HandlerThread("test", LooperOptions.defaults().withQueue(kind));
        thread.start();
        handler = new Handler(thread.getLooper());
    }

    @AfterEach
    void end() throws InterruptedException {
        thread.quit();
        thread.join();
    }

    /** Keeps the looper busy until what is returned is counted down. */
    private CountDownLatch block() throws InterruptedException {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch free = new CountDownLatch(1);
        handler.post(() -> {
            busy.countDown();
            try {
                free.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        busy.await();
        return free;
    }

    /** Calls it on another thread, and returns when what it posts is in the queue. */
    private CompletableFuture<Boolean> callElsewhere(Runnable task) {
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        new Thread(() -> result.complete(handler.runWithScissors(task, 0))).start();
        while (!handler.hasMessagesOrCallbacks()) {
            Thread.onSpinWait();
        }
        return result;
    }

    @Test
    void runsOnTheLooperAndReturnsWhenItHasRun() {
        assertThat(handler.runWithScissors(
                        () -> log.add("ran on " + Thread.currentThread().getName()), 0))
                .isTrue();
        assertThat(log).containsExactly("ran on test");
    }

    @Test
    void runsDirectlyOnTheLoopersOwnThread() {
        assertThat(handler.runWithScissors(
                        () -> {
                            handler.post(() -> log.add("posted before"));
                            boolean ran = handler.runWithScissors(() -> log.add("directly"), 0);
                            log.add("" + ran);
                        },
                        0))
                .isTrue();
        assertThat(handler.runWithScissors(() -> log.add("end"), 0)).isTrue();
        assertThat(log).containsExactly("directly", "true", "posted before", "end");
    }

    @Test
    void runsDirectlyOnTheThreadThatDrivesALooperManually() {
        ManualLooper hand = new ManualLooper(kind);
        assertThat(hand.handler.runWithScissors(hand.log("directly"), 0)).isTrue();
        hand.handler.post(() -> hand.handler.runWithScissors(hand.log("inside a message"), 0));
        assertThat(hand.runDue()).containsExactly("directly", "inside a message");
    }

    @Test
    void isFalseOnTimeoutAndTheRunnableRunsLater() throws Exception {
        CountDownLatch free = block();
        assertThat(handler.runWithScissors(() -> log.add("late"), 1)).isFalse();
        assertThat(log).isEmpty();
        free.countDown();
        assertThat(handler.runWithScissors(() -> log.add("next"), 0)).isTrue();
        assertThat(log).containsExactly("late", "next");
    }

    @Test
    void isFalseOnALooperThatHasQuit() throws Exception {
        thread.quit();
        thread.join();
        assertThat(handler.runWithScissors(() -> log.add("never"), 0)).isFalse();
        assertThat(log).isEmpty();
    }

    @Test
    void isFalseIfTheLooperQuitsMeanwhile() throws Exception {
        CountDownLatch free = block();
        CompletableFuture<Boolean> result = callElsewhere(() -> log.add("never"));
        thread.getLooper().quit();
        assertThat(result.get()).isFalse();
        free.countDown();
        thread.join();
        assertThat(log).isEmpty();
    }

    @Test
    void isFalseIfTheLooperDiesMeanwhile() throws Exception {
        thread.setUncaughtExceptionHandler((t, e) -> log.add(e.getMessage()));
        CountDownLatch free = block();
        handler.post(() -> {
            throw new ArithmeticException("on purpose");
        });
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        new Thread(() -> result.complete(handler.runWithScissors(() -> log.add("never"), 0))).start();
        free.countDown();
        assertThat(result.get()).isFalse();
        thread.join();
        assertThat(log).containsExactly("on purpose");
    }

    @Test
    void isFalseIfItIsRemovedMeanwhile() throws Exception {
        CountDownLatch free = block();
        CompletableFuture<Boolean> result = callElsewhere(() -> log.add("never"));
        handler.removeCallbacksAndMessages(null);
        assertThat(result.get()).isFalse();
        free.countDown();
    }

    @Test
    void isFalseIfTheHandlerDropsIt() {
        Handler deaf = new Handler(thread.getLooper()) {
            @Override
            public void dispatchMessage(Message msg) {}
        };
        assertThat(deaf.runWithScissors(() -> log.add("never"), 0)).isFalse();
    }

    @Test
    void anExceptionLeavesTheLoopAndEndsTheWait() throws Exception {
        thread.setUncaughtExceptionHandler((t, e) -> log.add(e.getMessage()));
        assertThat(handler.runWithScissors(
                        () -> {
                            throw new ArithmeticException("on purpose");
                        },
                        0))
                .isTrue();
        thread.join();
        assertThat(log).containsExactly("on purpose");
    }

    @Test
    void anInterruptDoesNotEndTheWaitAndIsNotLost() throws Exception {
        CountDownLatch free = block();
        CompletableFuture<Boolean> stillInterrupted = new CompletableFuture<>();
        Thread waiter = new Thread(() -> {
            Thread.currentThread().interrupt();
            boolean ran = handler.runWithScissors(() -> log.add("ran"), 0);
            stillInterrupted.complete(ran && Thread.currentThread().isInterrupted());
        });
        waiter.start();
        free.countDown();
        assertThat(stillInterrupted.get()).isTrue();
        assertThat(log).containsExactly("ran");
    }

    @Test
    void everyCallerLearnsWhetherItHasRunWheneverTheLooperQuits() throws Exception {
        for (int round = 0; round < 50; round++) {
            HandlerThread looper =
                    new HandlerThread("test", LooperOptions.defaults().withQueue(kind));
            looper.start();
            Handler to = new Handler(looper.getLooper());
            List<Thread> callers = new ArrayList<>();
            CountDownLatch begun = new CountDownLatch(4);
            AtomicInteger wrong = new AtomicInteger();
            for (int i = 0; i < 4; i++) {
                Thread caller = new Thread(() -> {
                    boolean answer;
                    do {
                        AtomicBoolean ran = new AtomicBoolean();
                        answer = to.runWithScissors(() -> ran.set(true), 0);
                        if (answer != ran.get()) {
                            wrong.incrementAndGet();
                        }
                        begun.countDown();
                    } while (answer);
                });
                callers.add(caller);
                caller.start();
            }
            begun.await();
            if (round % 2 == 0) {
                looper.quit();
            } else {
                looper.quitSafely();
            }
            for (Thread caller : callers) {
                caller.join();
            }
            looper.join();
            assertThat(wrong).hasValue(0);
        }
    }

    @Test
    void aNullRunnableAndANegativeTimeoutAreRefused() {
        assertThatThrownBy(() -> handler.runWithScissors(null, 0)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> handler.runWithScissors(() -> {}, -1)).isInstanceOf(IllegalArgumentException.class);
    }
}
