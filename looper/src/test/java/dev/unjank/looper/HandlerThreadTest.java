package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A thread with a looper, from start to end. */
@ParameterizedClass
@EnumSource
class HandlerThreadTest {
    @Parameter
    QueueKind kind;

    private HandlerThread newThread() {
        return new HandlerThread("test", LooperOptions.defaults().withQueue(kind));
    }

    @Test
    void runsWhatOtherThreadsPost() throws Exception {
        HandlerThread thread = newThread();
        thread.start();
        CompletableFuture<Thread> ranOn = new CompletableFuture<>();
        new Handler(thread.getLooper()).post(() -> ranOn.complete(Thread.currentThread()));
        assertThat(ranOn.get()).isSameAs(thread);
        assertThat(thread.getLooper().isCurrentThread()).isFalse();
        assertThat(thread.quit()).isTrue();
        thread.join();
    }

    /** The example of the README, word for word but for the queue and the printing. */
    @Test
    void theExample() throws Exception {
        List<String> printed = Collections.synchronizedList(new ArrayList<>());
        HandlerThread ui = newThread();
        ui.start();
        Handler handler = new Handler(ui.getLooper());
        handler.post(() -> printed.add("on " + Thread.currentThread().getName()));
        handler.postDelayed(
                () -> {
                    printed.add("16 ms later");
                    ui.quitSafely();
                },
                16);
        ui.join();
        assertThat(printed).containsExactly("on test", "16 ms later");
    }

    @Test
    void getLooperIsNullBeforeTheStartAndAfterTheEnd() throws Exception {
        HandlerThread thread = newThread();
        assertThat(thread.getLooper()).isNull();
        thread.start();
        assertThat(thread.getLooper()).isNotNull();
        thread.quit();
        thread.join();
        assertThat(thread.getLooper()).isNull();
    }

    @Test
    void quitIsFalseWithoutALooper() throws Exception {
        HandlerThread thread = newThread();
        assertThat(thread.quit()).isFalse();
        assertThat(thread.quitSafely()).isFalse();
        thread.start();
        Looper looper = thread.getLooper();
        assertThat(thread.quitSafely()).isTrue();
        thread.join();
        assertThat(thread.quit()).isFalse();
        assertThat(thread.quitSafely()).isFalse();
        assertThat(new Handler(looper).post(() -> {})).isFalse();
    }

    @Test
    void getThreadIdIsMinusOneBeforeTheStartAndAfterTheEnd() throws Exception {
        HandlerThread thread = newThread();
        assertThat(thread.getThreadId()).isEqualTo(-1);
        thread.start();
        thread.getLooper();
        assertThat(thread.getThreadId()).isEqualTo((int) thread.getId());
        thread.quit();
        thread.join();
        assertThat(thread.getThreadId()).isEqualTo(-1);
    }

    @Test
    void onLooperPreparedRunsBeforeTheFirstMessageWithTheLooperInPlace() throws Exception {
        CompletableFuture<Looper> seen = new CompletableFuture<>();
        HandlerThread thread =
                new HandlerThread("test", LooperOptions.defaults().withQueue(kind)) {
                    @Override
                    protected void onLooperPrepared() {
                        seen.complete(Looper.myLooper());
                        Looper.myLooper().quit();
                    }
                };
        thread.start();
        assertThat(seen.get()).isNotNull();
        thread.join();
    }

    @Test
    void getLooperBlocksUntilPreparedAndKeepsTheInterrupt() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        HandlerThread thread =
                new HandlerThread("test", LooperOptions.defaults().withQueue(kind)) {
                    @Override
                    public void run() {
                        try {
                            go.await();
                        } catch (InterruptedException e) {
                            throw new AssertionError(e);
                        }
                        super.run();
                    }
                };
        thread.start();
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread waiter = new Thread(() -> {
            Looper looper = thread.getLooper();
            interrupted.complete(looper != null && Thread.currentThread().isInterrupted());
        });
        waiter.start();
        waiter.interrupt();
        go.countDown();
        assertThat(interrupted.get()).isTrue();
        thread.quit();
        thread.join();
    }

    @Test
    void getLooperOfAThreadThatEndsWithoutPreparingIsNull() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        HandlerThread thread =
                new HandlerThread("test", LooperOptions.defaults().withQueue(kind)) {
                    @Override
                    public void run() {
                        try {
                            go.await();
                        } catch (InterruptedException e) {
                            throw new AssertionError(e);
                        }
                    }
                };
        thread.start();
        CompletableFuture<Boolean> isNull = CompletableFuture.supplyAsync(() -> thread.getLooper() == null);
        go.countDown();
        assertThat(isNull.get()).isTrue();
        thread.join();
    }

    @Test
    void ifTheLoopDiesOfAnExceptionPostReturnsFalse() throws Exception {
        AtomicReference<Throwable> cause = new AtomicReference<>();
        HandlerThread thread = newThread();
        thread.setUncaughtExceptionHandler((t, e) -> cause.set(e));
        thread.start();
        Handler handler = new Handler(thread.getLooper());
        handler.post(() -> {
            throw new ArithmeticException("on purpose");
        });
        thread.join();
        assertThat(cause.get()).isInstanceOf(ArithmeticException.class);
        assertThat(handler.post(() -> {})).isFalse();
        assertThat(handler.sendEmptyMessageDelayed(1, 1_000)).isFalse();
    }

    @Test
    void ifOnLooperPreparedThrowsPostReturnsFalse() throws Exception {
        AtomicReference<Looper> looper = new AtomicReference<>();
        HandlerThread thread =
                new HandlerThread("test", LooperOptions.defaults().withQueue(kind)) {
                    @Override
                    protected void onLooperPrepared() {
                        looper.set(Looper.myLooper());
                        throw new ArithmeticException("on purpose");
                    }
                };
        thread.setUncaughtExceptionHandler((t, e) -> {});
        thread.start();
        thread.join();
        assertThat(new Handler(looper.get()).post(() -> {})).isFalse();
    }

    @Test
    void priorityIsANiceValue() {
        assertThat(new HandlerThread("test", 0).getPriority()).isEqualTo(Thread.NORM_PRIORITY);
        assertThat(new HandlerThread("test", -20).getPriority()).isEqualTo(Thread.MAX_PRIORITY);
        assertThat(new HandlerThread("test", 19).getPriority()).isEqualTo(Thread.MIN_PRIORITY);
        assertThat(new HandlerThread("test", 10).getPriority()).isBetween(2, 4);
        assertThatThrownBy(() -> new HandlerThread("test", 20)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new HandlerThread("test", -21)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void getThreadHandlerIsOneHandlerOfThisThread() throws Exception {
        HandlerThread thread = newThread();
        assertThatThrownBy(thread::getThreadHandler).isInstanceOf(IllegalStateException.class);
        thread.start();
        Handler handler = thread.getThreadHandler();
        assertThat(handler.getLooper()).isSameAs(thread.getLooper());
        assertThat(thread.getThreadHandler()).isSameAs(handler);
        thread.quit();
        thread.join();
        assertThat(thread.getThreadHandler()).isSameAs(handler);
        assertThat(handler.post(() -> {})).isFalse();
    }

    @Test
    void getThreadExecutorRunsOnThisThreadInOrderAndRejectsAfterQuit() throws Exception {
        HandlerThread thread = newThread();
        assertThatThrownBy(thread::getThreadExecutor).isInstanceOf(IllegalStateException.class);
        thread.start();
        Executor executor = thread.getThreadExecutor();
        List<Integer> ran = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < 10; i++) {
            int n = i;
            executor.execute(() -> ran.add(n));
        }
        assertThat(CompletableFuture.supplyAsync(Thread::currentThread, executor)
                        .get())
                .isSameAs(thread);
        assertThat(ran).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        assertThatThrownBy(() -> executor.execute(null)).isInstanceOf(NullPointerException.class);
        thread.quit();
        thread.join();
        assertThatThrownBy(() -> executor.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
    }
}
