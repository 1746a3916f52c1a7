package dev.unjank.looper.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.looper.Handler;
import dev.unjank.looper.HandlerThread;
import dev.unjank.looper.Looper;
import dev.unjank.looper.LooperOptions;
import dev.unjank.looper.Message;
import dev.unjank.looper.QueueKind;
import dev.unjank.looper.spi.WakerProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Loopers that find the futex waker by themselves. */
@ParameterizedClass
@EnumSource
class FutexWakerLooperTest {
    @Parameter
    QueueKind kind;

    private final List<String> log = new ArrayList<>();

    @AfterEach
    void clear() {
        System.clearProperty(WakerProvider.PROPERTY);
    }

    private LooperOptions options() {
        return LooperOptions.defaults().withQueue(kind);
    }

    private HandlerThread startThread() {
        HandlerThread thread = new HandlerThread("loop", options());
        thread.start();
        return thread;
    }

    private static Handler handlerOf(HandlerThread thread) {
        return new Handler(Objects.requireNonNull(thread.getLooper()));
    }

    /** The line of a dump that names the waker. */
    private static String wakerOf(Looper looper) {
        List<String> lines = new ArrayList<>();
        looper.dump(lines::add, "");
        return lines.get(lines.size() - 1).replaceAll(".*waker=(\\w+).*", "$1");
    }

    @Test
    void aLooperFindsTheFutex() {
        assertThat(wakerOf(Looper.create(options()))).isEqualTo("futex");
    }

    @Test
    void thePropertyForces() {
        System.setProperty("unjank.waker", "parking");
        assertThat(wakerOf(Looper.create(options()))).isEqualTo("parking");
        System.setProperty("unjank.waker", "futex");
        assertThat(wakerOf(Looper.create(options()))).isEqualTo("futex");
        System.setProperty("unjank.waker", "eventfd");
        assertThatThrownBy(() -> Looper.create(options()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("-Dunjank.waker=eventfd: expected parking or futex");
    }

    @Test
    void aVirtualThreadParksWhateverThePropertySays() throws Exception {
        for (String property : new String[] {null, "futex"}) {
            if (property != null) {
                System.setProperty("unjank.waker", property);
            }
            String[] waker = new String[1];
            Thread.ofVirtual()
                    .start(() -> waker[0] = wakerOf(Looper.create(options())))
                    .join();
            assertThat(waker[0]).isEqualTo("parking");
        }
    }

    @Test
    void postsRunInOrderAndTheLoopSleepsBetweenThem() throws Exception {
        HandlerThread thread = startThread();
        Handler handler = handlerOf(thread);
        for (int i = 0; i < 1_000; i++) {
            String name = "" + i;
            CountDownLatch ran = new CountDownLatch(1);
            handler.post(() -> {
                log.add(name);
                ran.countDown();
            });
            ran.await();
        }
        thread.quitSafely();
        thread.join();
        assertThat(log).hasSize(1_000).startsWith("0", "1", "2").endsWith("998", "999");
    }

    @Test
    void nothingRunsBeforeItsTime() throws Exception {
        HandlerThread thread = startThread();
        Handler handler = handlerOf(thread);
        CountDownLatch ran = new CountDownLatch(3);
        long start = System.nanoTime();
        long[] after = new long[3];
        for (int i = 0; i < 3; i++) {
            int n = i;
            handler.postDelayed(
                    () -> {
                        after[n] = System.nanoTime() - start;
                        ran.countDown();
                    },
                    10L * (n + 1));
        }
        ran.await();
        thread.quit();
        assertThat(after[0]).isGreaterThanOrEqualTo(9_000_000);
        assertThat(after[1]).isGreaterThanOrEqualTo(19_000_000);
        assertThat(after[2]).isGreaterThanOrEqualTo(29_000_000);
    }

    @Test
    void anEarlierMessageABarrierAndAQuitWake() throws Exception {
        HandlerThread thread = startThread();
        Handler handler = handlerOf(thread);
        handler.postDelayed(() -> log.add("never"), 3_600_000);
        int token = Objects.requireNonNull(thread.getLooper()).getQueue().postSyncBarrier();
        CountDownLatch asynchronous = new CountDownLatch(1);
        CountDownLatch synchronous = new CountDownLatch(1);
        handler.post(() -> {
            log.add("synchronous");
            synchronous.countDown();
        });
        Message passes = Message.obtain(handler, () -> {
            log.add("asynchronous");
            asynchronous.countDown();
        });
        passes.setAsynchronous(true);
        handler.sendMessage(passes);
        asynchronous.await();
        Objects.requireNonNull(thread.getLooper()).getQueue().removeSyncBarrier(token);
        synchronous.await();
        thread.quit();
        thread.join();
        assertThat(log).containsExactly("asynchronous", "synchronous");
        assertThat(handler.post(() -> {})).isFalse();
    }

    /** An interrupt does not end the sleep; the message after it sees the flag. */
    @Test
    void anInterruptIsKeptForTheNextMessage() throws Exception {
        HandlerThread thread = startThread();
        Handler handler = handlerOf(thread);
        thread.interrupt();
        boolean[] interrupted = new boolean[2];
        CountDownLatch ran = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            int n = i;
            handler.post(() -> {
                interrupted[n] = Thread.currentThread().isInterrupted();
                ran.countDown();
            });
        }
        ran.await();
        thread.quit();
        assertThat(interrupted).containsExactly(true, false);
    }

    /** A burst, a pause until the loop has run it, a burst: a lost wake-up stops the test. */
    @Test
    void noPostIsLostAmongManyThreads() throws Exception {
        int threads = 4;
        int bursts = 2_000;
        HandlerThread loop = startThread();
        Handler handler = handlerOf(loop);
        AtomicInteger ran = new AtomicInteger();
        List<Thread> posters = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            Thread poster = new Thread(() -> {
                for (int i = 0; i < bursts; i++) {
                    CountDownLatch burst = new CountDownLatch(3);
                    for (int k = 0; k < 3; k++) {
                        handler.post(() -> {
                            ran.incrementAndGet();
                            burst.countDown();
                        });
                    }
                    try {
                        burst.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
            });
            posters.add(poster);
            poster.start();
        }
        for (Thread poster : posters) {
            poster.join();
        }
        loop.quitSafely();
        loop.join();
        assertThat(ran).hasValue(threads * bursts * 3);
    }

    /** Posts and quits meet: the word must outlive the last wake. */
    @Test
    void manyLoopersComeAndGoBesidePosters() throws Exception {
        for (int i = 0; i < 200; i++) {
            HandlerThread loop = startThread();
            Handler handler = handlerOf(loop);
            Thread poster = new Thread(() -> {
                while (handler.post(() -> {})) {
                    Thread.onSpinWait();
                }
            });
            poster.start();
            loop.quit();
            poster.join();
            loop.join();
        }
    }
}
