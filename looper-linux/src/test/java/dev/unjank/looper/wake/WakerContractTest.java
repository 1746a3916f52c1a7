package dev.unjank.looper.wake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.looper.linux.FutexWakerProvider;
import dev.unjank.looper.spi.Waker;
import java.io.IOException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of {@link Waker}, for every waker. */
@ParameterizedClass
@EnumSource
class WakerContractTest {
    enum Kind {
        PARKING,
        FUTEX,
        SELECTOR;

        Waker newWaker() throws IOException {
            return switch (this) {
                case PARKING -> Waker.parking();
                case FUTEX -> new FutexWakerProvider().newWaker().orElseThrow();
                case SELECTOR -> watching(Pipe.open().source());
            };
        }

        private static Waker watching(SelectableChannel channel) throws IOException {
            channel.configureBlocking(false);
            ChannelWaker waker = new ChannelWaker(Waker.parking(), false);
            waker.submit(channel, new ChannelSelector.Watch(SelectionKey.OP_READ, (ready, events) -> events));
            Objects.requireNonNull(waker.channels()).selectReady();
            waker.await(Waker.FOREVER); // which moves and does not sleep
            return waker;
        }
    }

    private static final long SHORT = 2_000_000;

    @Parameter
    Kind kind;

    private Waker waker;

    @BeforeEach
    void make() throws IOException {
        waker = kind.newWaker();
    }

    @AfterEach
    void close() {
        waker.close();
    }

    /** The duration of an await that no wake-up ends. A waker may return spuriously; these do not. */
    private long nanosOfAwait(long nanos) {
        long start = System.nanoTime();
        waker.await(nanos);
        return System.nanoTime() - start;
    }

    private Thread startSleeper() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        Thread sleeper = new Thread(() -> {
            started.countDown();
            waker.await(Waker.FOREVER);
        });
        sleeper.start();
        started.await();
        return sleeper;
    }

    @Test
    void aWakeBeforeTheSleepSticks() {
        waker.wake();
        waker.await(Waker.FOREVER);
    }

    @Test
    void manyWakesEndOneAwait() {
        for (int i = 0; i < 1_000; i++) {
            waker.wake();
        }
        waker.await(Waker.FOREVER);
        assertThat(nanosOfAwait(SHORT)).isGreaterThanOrEqualTo(SHORT);
    }

    @Test
    void anAwaitEndsWithItsTime() {
        assertThat(nanosOfAwait(SHORT)).isGreaterThanOrEqualTo(SHORT);
        assertThat(nanosOfAwait(1)).isPositive();
        assertThat(nanosOfAwait(999_999)).isGreaterThanOrEqualTo(999_999);
    }

    @Test
    void aTimeAlmostForEverIsNoTimeAtAll() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        Thread sleeper = new Thread(() -> {
            started.countDown();
            waker.await(Waker.FOREVER - 1);
        });
        sleeper.start();
        started.await();
        waker.wake();
        sleeper.join();
    }

    @Test
    void anAwaitThatTimedOutLeavesNothingBehind() {
        waker.await(1);
        assertThat(nanosOfAwait(SHORT)).isGreaterThanOrEqualTo(SHORT);
        waker.wake();
        waker.await(Waker.FOREVER);
    }

    @Test
    void anotherThreadWakes() throws Exception {
        Thread sleeper = startSleeper();
        waker.wake();
        sleeper.join();
    }

    @Test
    void anInterruptBeforeTheSleepNeitherEndsItNorIsLost() {
        Thread.currentThread().interrupt();
        assertThat(nanosOfAwait(SHORT)).isGreaterThanOrEqualTo(SHORT);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void interruptsDuringTheSleepNeitherEndItNorAreLost() throws Exception {
        long[] slept = {Long.MAX_VALUE};
        Thread sleeper = new Thread(() -> {
            do {
                slept[0] = Math.min(slept[0], nanosOfAwait(50_000_000));
            } while (!Thread.currentThread().isInterrupted()); // the interrupts may begin late
        });
        sleeper.start();
        while (sleeper.isAlive()) {
            sleeper.interrupt();
        }
        if (kind != Kind.SELECTOR) {
            // a selector returns spuriously for the looper, which goes back to sleep
            assertThat(slept[0]).isGreaterThanOrEqualTo(50_000_000);
        }
    }

    @Test
    void everythingBeforeAWakeIsSeenAfterIt() throws Exception {
        int[] plain = new int[1];
        int rounds = 20_000;
        Waker back = kind.newWaker();
        Thread writer = new Thread(() -> {
            for (int i = 1; i <= rounds; i++) {
                plain[0] = i;
                waker.wake();
                back.await(Waker.FOREVER);
            }
        });
        writer.start();
        for (int i = 1; i <= rounds; i++) {
            waker.await(Waker.FOREVER);
            assertThat(plain[0]).isEqualTo(i);
            back.wake();
        }
        writer.join();
        back.close();
    }

    /** Each thread sends a request and then sleeps until the reply, so a single lost wake-up stops the test. */
    @Test
    void noWakeIsLostAmongManyThreads() throws Exception {
        int threads = 4;
        int rounds = 5_000;
        Waker[] backs = new Waker[threads];
        AtomicIntegerArray asked = new AtomicIntegerArray(threads);
        List<Thread> askers = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int asker = t;
            Waker back = kind.newWaker();
            backs[t] = back;
            askers.add(new Thread(() -> {
                for (int i = 1; i <= rounds; i++) {
                    asked.set(asker, i);
                    waker.wake();
                    while (asked.get(asker) == i) {
                        back.await(Waker.FOREVER);
                    }
                }
            }));
        }
        askers.forEach(Thread::start);
        int answers = 0;
        for (int sleeps = 0; answers < threads * rounds; sleeps++) {
            // now and then for a time that is over at about the moment of a wake
            waker.await(sleeps % 3 == 0 ? 20_000 : Waker.FOREVER);
            for (int t = 0; t < threads; t++) {
                if (asked.getAndSet(t, 0) != 0) {
                    answers++;
                    backs[t].wake();
                }
            }
        }
        for (int t = 0; t < threads; t++) {
            askers.get(t).join();
            backs[t].close();
        }
        assertThat(answers).isEqualTo(threads * rounds);
    }
}
