package dev.unjank.looper.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.looper.Handler;
import dev.unjank.looper.Looper;
import dev.unjank.looper.LooperOptions;
import dev.unjank.looper.LooperStall;
import dev.unjank.looper.Message;
import dev.unjank.looper.QueueKind;
import dev.unjank.looper.fixture.LogCapture;
import dev.unjank.looper.fixture.VirtualThreads;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Loops on virtual threads, and on what other threads a factory makes. */
@ParameterizedClass
@EnumSource
class VirtualThreadTest {
    private static final int LOOPS = 1_000;

    @Parameter
    QueueKind kind;

    private Looper start(ThreadFactory factory) {
        return Looper.start(factory, LooperOptions.defaults().withQueue(kind));
    }

    private Looper startVirtual() {
        return start(VirtualThreads.factory("virtual "));
    }

    private static void quit(Looper looper) throws InterruptedException {
        looper.quitSafely();
        looper.getThread().join();
    }

    @Test
    void aVirtualThreadCanPrepareALooperAndLoop() throws Exception {
        CompletableFuture<Looper> prepared = new CompletableFuture<>();
        Thread thread = VirtualThreads.factory("own ").newThread(() -> {
            Looper.prepare(LooperOptions.defaults().withQueue(kind));
            prepared.complete(Looper.myLooper());
            Looper.loop();
        });
        thread.start();
        CompletableFuture<Thread> ranOn = new CompletableFuture<>();
        new Handler(prepared.get()).post(() -> ranOn.complete(Thread.currentThread()));
        assertThat(ranOn.get()).isSameAs(thread).matches(VirtualThreads::isVirtual);
        quit(prepared.get());
    }

    @Test
    void aStartedLoopIsReadyAndEndsWithItsLooper() throws Exception {
        Looper looper = startVirtual();
        CompletableFuture<String> seen = new CompletableFuture<>();
        Handler handler = new Handler(looper);
        assertThat(handler.post(() -> seen.complete(Thread.currentThread().getName() + " "
                        + VirtualThreads.isVirtual(Thread.currentThread()) + " " + looper.isCurrentThread() + " "
                        + (Looper.myLooper() == looper))))
                .isTrue();
        assertThat(seen.get()).isEqualTo("virtual 0 true true true");
        quit(looper);
        assertThat(handler.post(() -> {})).isFalse();
    }

    @Test
    void aFactoryMayMakeAnyKindOfThread() throws Exception {
        Looper looper = start(r -> new Thread(r, "platform"));
        assertThat(looper.getThread().getName()).isEqualTo("platform");
        quit(looper);
    }

    @Test
    void aThreadWithoutANameGoesByItsNumber() throws Exception {
        Looper looper = start(r -> new Thread(r, ""));
        long tid = looper.getThread().getId();
        assertThat(looper).asString().startsWith("Looper (tid " + tid + ") {");
        LooperStall stall =
                new LooperStall(LooperStall.Kind.BACKLOG, looper, 1, false, "cause", List.of(), List.of(), "");
        assertThat(stall).asString().startsWith("looper tid " + tid + " is stalled by a backlog");
        try (LogCapture capture = new LogCapture()) {
            looper.setSlowLogThresholdMs(1, 0);
            new Handler(looper).post(() -> {
                long begin = System.nanoTime();
                while (System.nanoTime() - begin < TimeUnit.MILLISECONDS.toNanos(2)) {
                    Thread.onSpinWait();
                }
            });
            quit(looper);
            assertThat(capture.lines)
                    .singleElement()
                    .asString()
                    .startsWith("WARNING Slow message on tid " + tid + ": ");
        }
    }

    @Test
    void aFactoryThatMakesNoThreadIsReported() {
        assertThatThrownBy(() -> start(r -> null)).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void aLooperThatCannotBeMadeIsReported() throws Exception {
        AtomicReference<Throwable> uncaught = new AtomicReference<>();
        Thread[] thread = new Thread[1];
        LooperOptions options = LooperOptions.defaults().withQueue(kind).withWaker(() -> {
            throw new ArithmeticException("on purpose");
        });
        assertThatIllegalStateException()
                .isThrownBy(() -> Looper.start(
                        r -> {
                            thread[0] = new Thread(r, "test");
                            thread[0].setUncaughtExceptionHandler((t, e) -> uncaught.set(e));
                            return thread[0];
                        },
                        options))
                .withCauseInstanceOf(ArithmeticException.class);
        thread[0].join();
        assertThat(uncaught.get()).isInstanceOf(ArithmeticException.class);
    }

    @Test
    void anExceptionEndsTheLoopAndReachesTheThreadsHandler() throws Exception {
        AtomicReference<Throwable> uncaught = new AtomicReference<>();
        ThreadFactory virtual = VirtualThreads.factory("dies ");
        Looper looper = start(r -> {
            Thread thread = virtual.newThread(r);
            thread.setUncaughtExceptionHandler((t, e) -> uncaught.set(e));
            return thread;
        });
        Handler handler = new Handler(looper);
        handler.post(() -> {
            throw new ArithmeticException("on purpose");
        });
        looper.getThread().join();
        assertThat(uncaught.get()).isInstanceOf(ArithmeticException.class);
        assertThat(handler.post(() -> {})).isFalse();
    }

    @Test
    void aThousandLoopsEachRunTheirMessagesInOrderAndQuit() throws Exception {
        ThreadFactory virtual = VirtualThreads.factory("loop ");
        List<Looper> loopers = new ArrayList<>();
        List<List<Integer>> logs = new ArrayList<>();
        List<Handler> handlers = new ArrayList<>();
        for (int i = 0; i < LOOPS; i++) {
            Looper looper = start(virtual);
            List<Integer> log = new ArrayList<>(); // written by its loop only, read when that has ended
            loopers.add(looper);
            logs.add(log);
            handlers.add(new Handler(looper, m -> log.add(m.what)));
        }
        for (int what = 1; what <= 5; what++) {
            for (Handler handler : handlers) {
                handler.sendEmptyMessageDelayed(what, what % 2); // the even ones first
            }
        }
        CountDownLatch last = new CountDownLatch(LOOPS);
        handlers.forEach(h -> h.postDelayed(last::countDown, 1));
        last.await();
        for (Looper looper : loopers) {
            quit(looper);
        }
        assertThat(logs).allSatisfy(log -> {
            assertThat(log).containsExactlyInAnyOrder(1, 2, 3, 4, 5);
            assertThat(log.stream().filter(what -> what % 2 == 1)).isSorted();
            assertThat(log.stream().filter(what -> what % 2 == 0)).isSorted();
        });
    }

    @Test
    void messagesGoToALoopOnAPlatformThreadAndBack() throws Exception {
        int loops = 50;
        int rounds = 20;
        Looper platform = start(r -> new Thread(r, "platform"));
        Handler echo = new Handler(platform);
        ThreadFactory virtual = VirtualThreads.factory("loop ");
        CountDownLatch done = new CountDownLatch(loops);
        AtomicInteger echoes = new AtomicInteger();
        List<Looper> loopers = new ArrayList<>();
        for (int i = 0; i < loops; i++) {
            Looper looper = start(virtual);
            loopers.add(looper);
            Handler handler = new Handler(looper) {
                @Override
                public void handleMessage(Message msg) {
                    int left = msg.what;
                    if (left == 0) {
                        done.countDown();
                        return;
                    }
                    echo.post(() -> {
                        echoes.incrementAndGet();
                        sendEmptyMessage(left - 1);
                    });
                }
            };
            handler.sendEmptyMessage(rounds);
        }
        done.await();
        assertThat(echoes).hasValue(loops * rounds);
        for (Looper looper : loopers) {
            quit(looper);
        }
        quit(platform);
    }

    @Test
    void interruptsDoNotEndTheWait() throws Exception {
        Looper looper = startVirtual();
        Thread thread = looper.getThread();
        Handler handler = new Handler(looper);
        for (int i = 0; i < 3; i++) {
            while (thread.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            thread.interrupt();
        }
        List<Boolean> interrupted = new ArrayList<>();
        handler.post(() -> interrupted.add(Thread.currentThread().isInterrupted()));
        handler.post(() -> interrupted.add(Thread.currentThread().isInterrupted()));
        quit(looper);
        // the flag is the first message's to see, and is no later message's
        assertThat(interrupted).containsExactly(true, false);
    }

    /** With one carrier for all virtual threads a loop that kept it while waiting would stop everything. */
    @Test
    void aLoopThatWaitsLeavesItsCarrierToOthers() throws Exception {
        VirtualThreads.factory("skips before Java 21");
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djdk.virtualThreadScheduler.parallelism=1",
                        "-Djdk.virtualThreadScheduler.maxPoolSize=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SingleCarrierProgram.class.getName(),
                        kind.name())
                .redirectErrorStream(true)
                .start();
        try {
            assertThat(child.waitFor(300, TimeUnit.SECONDS))
                    .as("ended, and is not stuck because a loop that waits keeps the carrier")
                    .isTrue();
            assertThat(new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines())
                    .containsExactly("1000 rounds, timers on time, carriers: 1");
        } finally {
            child.destroyForcibly();
        }
    }
}
