package dev.unjank.looper;

import static java.nio.channels.SelectionKey.OP_ACCEPT;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.looper.spi.Clock;
import dev.unjank.looper.spi.Waker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Channels of a loop on its own thread, which sleeps in their selector and is woken there. */
@ParameterizedClass
@EnumSource
class ChannelLooperTest {
    @Parameter
    QueueKind kind;

    private final BlockingQueue<String> log = new LinkedBlockingQueue<>();
    private HandlerThread thread;
    private Handler handler;
    private MessageQueue queue;
    private Pipe pipe;

    @BeforeEach
    void start() throws IOException {
        thread = new HandlerThread("loop", LooperOptions.defaults().withQueue(kind));
        thread.start();
        handler = new Handler(thread.getLooper());
        queue = thread.getLooper().getQueue();
        pipe = newPipe();
    }

    @AfterEach
    void stop() throws Exception {
        thread.quit();
        thread.join();
        pipe.source().close();
        pipe.sink().close();
    }

    private static Pipe newPipe() throws IOException {
        Pipe made = Pipe.open();
        made.source().configureBlocking(false);
        made.sink().configureBlocking(false);
        return made;
    }

    private static void write(Pipe pipe) throws IOException {
        pipe.sink().write(ByteBuffer.wrap(new byte[] {1}));
    }

    private int readAndLog(SelectableChannel channel, int events) {
        try {
            log.add(Thread.currentThread().getName() + " "
                    + ((Pipe.SourceChannel) channel).read(ByteBuffer.allocate(1)));
            return events;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns when the loop sleeps, or is about to with nothing left to do before. */
    private void untilAsleep() {
        while (!queue.isPolling()) {
            Thread.onSpinWait();
        }
    }

    /** Returns when the loop sleeps in its selector: the event may come before it has moved there. */
    private void watchAndFallAsleep() throws Exception {
        queue.addOnChannelEventListener(pipe.source(), OP_READ, this::readAndLog);
        write(pipe);
        log.take();
        while (!queue.waker.toString().equals("selector")) {
            Thread.onSpinWait();
        }
        untilAsleep();
    }

    @Test
    void addingWakesALoopThatSleepsInItsPlainWaker() throws Exception {
        untilAsleep();
        write(pipe);
        queue.addOnChannelEventListener(pipe.source(), OP_READ, this::readAndLog);
        assertThat(log.take()).isEqualTo("loop 1");
    }

    @Test
    void addingWakesALoopThatSleepsInItsSelector() throws Exception {
        watchAndFallAsleep();
        Pipe other = newPipe();
        queue.addOnChannelEventListener(other.sink(), OP_WRITE, (channel, events) -> {
            log.add("writable");
            return 0;
        });
        assertThat(log.take()).isEqualTo("writable");
        other.sink().close();
        other.source().close();
    }

    @Test
    void anEventEndsTheSleep() throws Exception {
        watchAndFallAsleep();
        write(pipe);
        assertThat(log.take()).isEqualTo("loop 1");
    }

    @Test
    void messagesEndTheSleep() throws Exception {
        for (int i = 0; i < 1_000; i++) {
            if (i % 100 == 0) {
                watchAndFallAsleep();
            }
            handler.post(() -> log.add("message"));
            assertThat(log.take()).isEqualTo("message");
        }
    }

    @Test
    void delaysEndTheSleepAndNotTooEarly() throws Exception {
        watchAndFallAsleep();
        long when = Clock.system().uptimeMillis() + 20;
        handler.postAtTime(() -> log.add("late by " + (Clock.system().uptimeMillis() - when)), when);
        handler.postAtTime(() -> log.add("earlier"), when - 10);
        boolean inTime = Clock.system().uptimeMillis() < when;
        List<String> both = List.of(log.take(), log.take());
        assertThat(both).contains("earlier").noneMatch(entry -> entry.startsWith("late by -"));
        if (inTime) { // else this thread had no processor for so long that the other has overtaken it
            assertThat(both.get(0)).isEqualTo("earlier");
        }
    }

    @Test
    void theDumpSaysWhereTheLoopSleeps() throws Exception {
        untilAsleep();
        List<String> lines = new ArrayList<>();
        thread.getLooper().dump(lines::add, "");
        assertThat(lines.get(lines.size() - 1)).contains("waker=parking");
        watchAndFallAsleep();
        lines.clear();
        thread.getLooper().dump(lines::add, "");
        assertThat(lines.get(lines.size() - 1)).contains("waker=selector");
    }

    @Test
    void aLoopThatWatchesNothingAnyMoreSleepsPlainly() throws Exception {
        watchAndFallAsleep();
        pipe.source().close();
        String[] waker = {""};
        // each message is a turn of the loop; it moves when it next falls asleep
        while (!waker[0].equals("parking")) {
            handler.post(() -> waker[0] = queue.waker.toString());
            untilAsleep();
        }
        handler.post(() -> log.add("message"));
        assertThat(log.take()).isEqualTo("message");
    }

    @Test
    void anInterruptEndsNothingAndIsKept() throws Exception {
        watchAndFallAsleep();
        thread.interrupt();
        untilAsleep();
        handler.post(() -> log.add("" + Thread.currentThread().isInterrupted()));
        handler.post(() -> log.add("" + Thread.currentThread().isInterrupted()));
        assertThat(log.take()).isEqualTo("true");
        assertThat(log.take()).isEqualTo("false");
    }

    @Test
    void afterRemovingTheChannelIsFree() throws Exception {
        watchAndFallAsleep();
        queue.removeOnChannelEventListener(pipe.source());
        while (pipe.source().isRegistered()) {
            Thread.onSpinWait();
        }
        pipe.source().configureBlocking(true);
    }

    @Test
    void quittingWakesAndLeavesTheChannelsOpen() throws Exception {
        watchAndFallAsleep();
        thread.quit();
        thread.join();
        assertThat(pipe.source().isOpen()).isTrue();
        assertThat(pipe.source().isRegistered()).isFalse();
        assertThat(queue.addOnChannelEventListener(pipe.source(), OP_READ, this::readAndLog))
                .isFalse();
    }

    @Test
    void socketsAreAcceptedReadAndAnswered() throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            server.configureBlocking(false);
            queue.addOnChannelEventListener(server, OP_ACCEPT, (channel, events) -> {
                try {
                    SocketChannel accepted = server.accept();
                    accepted.configureBlocking(false);
                    queue.addOnChannelEventListener(accepted, OP_READ, this::echo);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                return events;
            });
            for (int i = 0; i < 20; i++) {
                try (SocketChannel client = SocketChannel.open(server.getLocalAddress())) {
                    for (byte b = 1; b < 5; b++) {
                        client.write(ByteBuffer.wrap(new byte[] {b}));
                        ByteBuffer answer = ByteBuffer.allocate(1);
                        client.read(answer);
                        assertThat(answer.get(0)).isEqualTo(b);
                    }
                }
                assertThat(log.take()).isEqualTo("end");
            }
        }
    }

    private int echo(SelectableChannel channel, int events) {
        try {
            SocketChannel socket = (SocketChannel) channel;
            ByteBuffer data = ByteBuffer.allocate(16);
            if (socket.read(data) < 0) {
                socket.close();
                log.add("end");
            }
            socket.write(data.flip());
        } catch (java.nio.channels.ClosedChannelException e) {
            // the end
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return events;
    }

    /**
     * How often a loop looks at the clock, which it does once in a turn, in 50 milliseconds that begin with a first
     * event. A loop that spins does so thousands of times.
     */
    private int turnsAfter(Consumer<SelectableChannel> firstEvent) throws Exception {
        AtomicInteger looks = new AtomicInteger();
        Clock counting = () -> {
            looks.incrementAndGet();
            return Clock.system().nanos();
        };
        HandlerThread other = new HandlerThread(
                "other", LooperOptions.defaults().withQueue(kind).withClock(counting));
        other.start();
        CountDownLatch over = new CountDownLatch(1);
        other.getLooper().getQueue().addOnChannelEventListener(pipe.source(), OP_READ, (channel, events) -> {
            readAndLog(channel, events);
            firstEvent.accept(channel);
            new Handler(other.getLooper()).postDelayed(over::countDown, 50);
            return events;
        });
        write(pipe);
        over.await();
        other.quit();
        return looks.get();
    }

    @Test
    void closingInsideTheListenerDoesNotSpin() throws Exception {
        assertThat(turnsAfter(channel -> {
                    try {
                        channel.close();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }))
                .isLessThan(50);
    }

    @Test
    void anInterruptDoesNotSpin() throws Exception {
        assertThat(turnsAfter(channel -> {
                    Thread loop = Thread.currentThread();
                    handler.post(loop::interrupt); // from another thread, when this one may sleep already
                }))
                .isLessThan(50);
    }

    @Test
    void anExceptionOfAListenerLeavesTheLoop() throws Exception {
        Looper[] looper = new Looper[1];
        Throwable[] thrown = new Throwable[1];
        Thread other = new Thread(() -> {
            Looper.prepare(LooperOptions.defaults().withQueue(kind));
            looper[0] = Looper.myLooper();
            Looper.myQueue().addOnChannelEventListener(pipe.sink(), OP_WRITE, (channel, events) -> {
                throw new ArithmeticException("on purpose");
            });
            thrown[0] = org.assertj.core.api.Assertions.catchThrowable(Looper::loop);
        });
        other.start();
        other.join();
        assertThat(thrown[0]).isInstanceOf(ArithmeticException.class);
        assertThat(new Handler(looper[0]).post(() -> {})).isFalse();
        assertThat(pipe.sink().isRegistered()).isFalse();
    }

    @Test
    void aNestedLoopDeliversToo() throws Exception {
        queue.addOnChannelEventListener(pipe.sink(), OP_WRITE, (channel, events) -> {
            log.add("outer");
            queue.addOnChannelEventListener(pipe.source(), OP_READ, (inner, innerEvents) -> {
                readAndLog(inner, innerEvents);
                thread.quit();
                return 0;
            });
            try {
                write(pipe);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            queue.removeOnChannelEventListener(pipe.sink());
            Looper.loop();
            log.add("outer ends");
            return OP_WRITE;
        });
        assertThat(log.take()).isEqualTo("outer");
        assertThat(log.take()).isEqualTo("loop 1");
        assertThat(log.take()).isEqualTo("outer ends");
        thread.join();
    }

    /** While the loop switches between waker and selector all the time, each post must wake it where it sleeps. */
    @Test
    void noWakeUpIsLostWhenTheLoopMoves() throws Exception {
        int posters = 2;
        int posts = 3_000;
        AtomicInteger moves = new AtomicInteger();
        AtomicInteger left = new AtomicInteger(posters);
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < posters; t++) {
            Thread poster = new Thread(() -> {
                BlockingQueue<Integer> answers = new LinkedBlockingQueue<>();
                for (int i = 0; i < posts || moves.get() < 100; i++) {
                    int n = i;
                    handler.post(() -> answers.add(n));
                    try {
                        answers.take();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
                left.decrementAndGet();
            });
            threads.add(poster);
            poster.start();
        }
        while (left.get() > 0) {
            queue.addOnChannelEventListener(pipe.source(), OP_READ, this::readAndLog);
            write(pipe);
            log.take();
            queue.removeOnChannelEventListener(pipe.source());
            moves.incrementAndGet();
        }
        for (Thread poster : threads) {
            poster.join();
        }
    }

    @Test
    void addersAndQuittersMeet() throws Exception {
        for (int i = 0; i < 200; i++) {
            HandlerThread other =
                    new HandlerThread("other", LooperOptions.defaults().withQueue(kind));
            other.start();
            MessageQueue itsQueue = other.getLooper().getQueue();
            CountDownLatch added = new CountDownLatch(1);
            Thread adder = new Thread(() -> {
                while (itsQueue.addOnChannelEventListener(pipe.source(), OP_READ, this::readAndLog)) {
                    added.countDown();
                }
            });
            adder.start();
            added.await();
            other.quit();
            adder.join();
            other.join();
            assertThat(pipe.source().isRegistered()).isFalse();
        }
    }

    @Test
    void addingToAQueueWithoutALooperFails() {
        MessageQueue bare = new LockFreeQueue(Clock.system(), Waker.parking());
        assertThatThrownBy(() -> bare.addOnChannelEventListener(pipe.source(), OP_READ, this::readAndLog))
                .isInstanceOf(IllegalStateException.class);
    }
}
