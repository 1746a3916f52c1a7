package dev.unjank.looper;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.looper.fixture.ManualLooper;
import dev.unjank.looper.fixture.SocketPair;
import dev.unjank.looper.wake.ChannelWaker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Channels of a manually driven looper: ready channels are delivered whenever it is polled. */
@ParameterizedClass
@EnumSource
class ChannelListenerTest {
    @Parameter
    QueueKind kind;

    private final List<Channel> opened = new ArrayList<>();
    private ManualLooper hand;
    private MessageQueue queue;
    private Pipe pipe;

    @BeforeEach
    void prepare() throws IOException {
        hand = new ManualLooper(kind);
        queue = hand.queue;
        pipe = newPipe();
    }

    @AfterEach
    void close() throws IOException {
        hand.looper.quit();
        hand.manager.next(); // which finds the end, and closes the selector
        for (Channel channel : opened) {
            channel.close();
        }
    }

    private Pipe newPipe() throws IOException {
        Pipe made = Pipe.open();
        made.source().configureBlocking(false);
        made.sink().configureBlocking(false);
        opened.add(made.source());
        opened.add(made.sink());
        return made;
    }

    private static void write(Pipe pipe) {
        try {
            pipe.sink().write(ByteBuffer.wrap(new byte[] {1}));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads a byte: 1, or 0 if there is none, or -1 at the end. */
    private static int read(SelectableChannel source) {
        try {
            return ((Pipe.SourceChannel) source).read(ByteBuffer.allocate(1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void close(Channel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A listener that logs a name with the events, reads, and goes on. */
    private MessageQueue.OnChannelEventListener reading(String name) {
        return (channel, events) -> {
            hand.log.add(name + " " + events + " " + read(channel));
            return OP_READ;
        };
    }

    private List<String> log() {
        return hand.log;
    }

    @Test
    void aReadableChannelIsDeliveredUntilItHasBeenRead() {
        queue.addOnChannelEventListener(pipe.source(), OP_READ, reading("a"));
        hand.runDue();
        assertThat(log()).isEmpty();
        write(pipe);
        hand.runDue();
        assertThat(log()).containsExactly("a 1 1");
        hand.runDue();
        assertThat(log()).hasSize(1);
    }

    @Test
    void theChannelGivenToTheListenerIsTheOneThatWasAdded() {
        List<SelectableChannel> channels = new ArrayList<>();
        queue.addOnChannelEventListener(pipe.sink(), OP_WRITE, (channel, events) -> {
            channels.add(channel);
            return events;
        });
        hand.runDue();
        hand.runDue();
        assertThat(channels).hasSize(2).containsOnly(pipe.sink());
    }

    @Test
    void zeroTakesTheListenerOff() throws IOException {
        queue.addOnChannelEventListener(pipe.sink(), OP_WRITE, (channel, events) -> {
            hand.log.add("w" + events);
            return 0;
        });
        hand.runDue();
        hand.runDue();
        assertThat(log()).containsExactly("w" + OP_WRITE);
        assertThat(pipe.sink().isRegistered()).isFalse();
        pipe.sink().configureBlocking(true);
    }

    @Test
    void addingWithZeroTakesTheListenerOff() {
        queue.addOnChannelEventListener(pipe.source(), OP_READ, reading("a"));
        write(pipe);
        queue.addOnChannelEventListener(pipe.source(), 0, reading("b"));
        hand.runDue();
        assertThat(log()).isEmpty();
    }

    @Test
    void theEndOfTheOtherSideIsReadable() throws IOException {
        queue.addOnChannelEventListener(pipe.source(), OP_READ, (channel, events) -> {
            hand.log.add(events + " " + read(channel));
            return 0;
        });
        pipe.sink().close();
        hand.runDue();
        hand.runDue();
        assertThat(log()).containsExactly(OP_READ + " -1");
    }

    @Test
    void anErrorIsDeliveredUnasked() throws IOException {
        queue.addOnChannelEventListener(pipe.sink(), OP_WRITE, (channel, events) -> {
            hand.log.add("w");
            return 0;
        });
        while (pipe.sink().write(ByteBuffer.allocate(4096)) > 0) {
            // until it is full and no longer writable
        }
        hand.runDue();
        assertThat(log()).isEmpty();
        pipe.source().close();
        hand.runDue();
        assertThat(log()).containsExactly("w");
    }

    @Test
    void anotherListenerReplacesTheFirst() {
        queue.addOnChannelEventListener(pipe.source(), OP_READ, reading("a"));
        queue.addOnChannelEventListener(pipe.source(), OP_READ, reading("b"));
        write(pipe);
        hand.runDue();
        assertThat(log()).containsExactly("b 1 1");
    }

    @Test
    void aListenerReplacedInsideItselfHasNoEffectAnyMore() {
        queue.addOnChannelEventListener(pipe.source(), OP_READ, (channel, events) -> {
            hand.log.add("a");
            queue.addOnChannelEventListener(channel, OP_READ, reading("b"));
            return 0;
        });
        write(pipe);
        hand.runDue();
        assertThat(log()).containsExactly("a");
        hand.runDue();
        assertThat(log()).containsExactly("a", "b 1 1");
    }

    @Test
    void aListenerTakenOffAndPutOnInsideItselfGoesOn() {
        queue.addOnChannelEventListener(pipe.source(), OP_READ, (channel, events) -> {
            hand.log.add("a");
            queue.removeOnChannelEventListener(channel);
            queue.addOnChannelEventListener(channel, OP_READ, reading("b"));
            return OP_READ;
        });
        write(pipe);
        hand.runDue();
        hand.runDue();
        assertThat(log()).containsExactly("a", "b 1 1");
    }

    @Test
    void aListenerTakenOffInsideItselfIsNotRevivedByWhatItReturns() {
        queue.addOnChannelEventListener(pipe.source(), OP_READ, (channel, events) -> {
            hand.log.add("a");
            queue.removeOnChannelEventListener(channel);
            return OP_READ;
        });
        write(pipe);
        hand.runDue();
        hand.runDue();
        assertThat(log()).containsExactly("a");
    }

    @Test
    void closingInsideTheListenerIsTheEnd() {
        queue.addOnChannelEventListener(pipe.source(), OP_READ, (channel, events) -> {
            hand.log.add("a");
            close(channel);
            return OP_READ;
        });
        write(pipe);
        hand.runDue();
        hand.runDue();
        assertThat(log()).containsExactly("a");
        assertThat(pipe.source().isRegistered()).isFalse();
    }

    /**
     * The new channel may get the closed one's descriptor from the operating system, but not its listener or its
     * events.
     */
    @Test
    void aNewChannelGetsNoEventsOfTheClosedOne() throws IOException {
        Pipe[] newcomer = new Pipe[1];
        queue.addOnChannelEventListener(pipe.source(), OP_READ, (channel, events) -> {
            hand.log.add("old");
            close(pipe.source());
            close(pipe.sink());
            try {
                newcomer[0] = newPipe();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            queue.addOnChannelEventListener(newcomer[0].source(), OP_READ, reading("new"));
            return OP_READ;
        });
        write(pipe);
        hand.runDue();
        hand.runDue();
        Pipe later = newPipe(); // now that the descriptors of the first are free
        queue.addOnChannelEventListener(later.source(), OP_READ, reading("later"));
        hand.runDue();
        assertThat(log()).containsExactly("old");
        write(newcomer[0]);
        hand.runDue();
        write(later);
        hand.runDue();
        assertThat(log()).containsExactly("old", "new 1 1", "later 1 1");
    }

    /** Both are ready in the same select; the one that is called first changes the other. */
    @Test
    void changesByOneListenerToAnotherApplyInTheSameTurn() throws IOException {
        Pipe other = newPipe();
        for (Pipe each : List.of(pipe, other)) {
            Pipe victim = each.equals(pipe) ? other : pipe;
            queue.addOnChannelEventListener(each.source(), OP_READ, (channel, events) -> {
                hand.log.add("first");
                queue.removeOnChannelEventListener(victim.source());
                return 0;
            });
            write(each);
        }
        hand.runDue();
        assertThat(log()).containsExactly("first");
    }

    @Test
    void anEventThatWasFoundForOneListenerIsNotGivenToItsSuccessor() throws IOException {
        Pipe other = newPipe();
        for (Pipe each : List.of(pipe, other)) {
            Pipe victim = each.equals(pipe) ? other : pipe;
            queue.addOnChannelEventListener(each.source(), OP_READ, (channel, events) -> {
                hand.log.add("first");
                read(each.source());
                read(victim.source());
                queue.addOnChannelEventListener(victim.source(), OP_READ, reading("successor"));
                return OP_READ;
            });
            write(each);
        }
        hand.runDue();
        hand.runDue();
        assertThat(log()).containsExactly("first");
    }

    @Test
    void whatTheListenerReturnsIsWatchedFromThenOn() throws IOException {
        List<Integer> seen = new ArrayList<>();
        try (SocketPair sockets = new SocketPair()) {
            queue.addOnChannelEventListener(sockets.here(), OP_WRITE, (channel, events) -> {
                seen.add(events);
                return OP_READ;
            });
            hand.runDue();
            hand.runDue();
            assertThat(seen).containsExactly(OP_WRITE);
            sockets.there().write(ByteBuffer.allocate(1));
            while (seen.size() < 2) {
                hand.runDue(); // until the byte has arrived
            }
            assertThat(seen).containsExactly(OP_WRITE, OP_READ);
        }
    }

    @Test
    void returningAnOperationThatTheChannelDoesNotHaveIsAnError() {
        queue.addOnChannelEventListener(pipe.sink(), OP_WRITE, (channel, events) -> OP_READ);
        assertThatThrownBy(hand::runDue)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("returned the operations 1")
                .hasMessageContaining("only 4");
    }

    @Test
    void messagesDoNotStarveChannelsNorTheReverse() {
        queue.addOnChannelEventListener(pipe.sink(), OP_WRITE, (channel, events) -> {
            hand.log.add("w");
            return OP_WRITE;
        });
        for (int i = 0; i < 3; i++) {
            hand.post("m" + i);
        }
        assertThat(hand.runUntil(6)).containsExactly("w", "m0", "w", "m1", "w", "m2");
    }

    @Test
    void anExceptionOfAListenerComesOut() {
        queue.addOnChannelEventListener(pipe.sink(), OP_WRITE, (channel, events) -> {
            throw new ArithmeticException("on purpose");
        });
        assertThatThrownBy(hand.manager::poll).isInstanceOf(ArithmeticException.class);
        assertThatThrownBy(hand.manager::next).isInstanceOf(ArithmeticException.class);
    }

    @Test
    void aListenerDoesNotInheritAnInterruptNorPassItOn() throws IOException {
        Pipe other = newPipe();
        for (Pipe each : List.of(pipe, other)) {
            queue.addOnChannelEventListener(each.sink(), OP_WRITE, (channel, events) -> {
                hand.log.add("" + Thread.currentThread().isInterrupted());
                Thread.currentThread().interrupt();
                return 0;
            });
        }
        hand.runDue();
        assertThat(log()).containsExactly("false", "false");
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void afterQuitNothingIsDeliveredAndTheChannelsStayOpen() throws IOException {
        Pipe other = newPipe();
        for (Pipe each : List.of(pipe, other)) {
            queue.addOnChannelEventListener(each.sink(), OP_WRITE, (channel, events) -> {
                hand.log.add("w");
                hand.looper.quit();
                return OP_WRITE;
            });
        }
        hand.runDue();
        assertThat(log()).containsExactly("w");
        assertThat(queue.addOnChannelEventListener(pipe.source(), OP_READ, reading("late")))
                .isFalse();
        queue.removeOnChannelEventListener(pipe.source());
        assertThat(hand.manager.next()).isNull();
        assertThat(hand.manager.next()).isNull();
        assertThat(log()).containsExactly("w");
        assertThat(hand.waker.closed).isEqualTo(1);
        assertThat(pipe.sink().isOpen()).isTrue();
        assertThat(pipe.sink().isRegistered()).isFalse();
        assertThat(queue.addOnChannelEventListener(pipe.source(), OP_READ, reading("late")))
                .isFalse();
    }

    @Test
    void removingWhatIsNotThereDoesNothing() throws IOException {
        queue.removeOnChannelEventListener(pipe.source());
        queue.addOnChannelEventListener(pipe.sink(), OP_WRITE, (channel, events) -> OP_WRITE);
        queue.removeOnChannelEventListener(pipe.source());
        pipe.source().close();
        queue.removeOnChannelEventListener(pipe.source());
        pipe.sink().close();
        queue.removeOnChannelEventListener(pipe.sink());
        hand.runDue();
        assertThat(log()).isEmpty();
    }

    @Test
    void aChannelClosedBeforeTheLooperLooksIsForgotten() throws IOException {
        queue.addOnChannelEventListener(pipe.source(), OP_READ, reading("a"));
        write(pipe);
        pipe.source().close();
        hand.runDue();
        assertThat(log()).isEmpty();
    }

    @Test
    void anUnwatchableChannelIsAClearError() throws IOException {
        assertThatThrownBy(() -> queue.addOnChannelEventListener(null, OP_READ, reading("a")))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("channel");
        assertThatThrownBy(() -> queue.addOnChannelEventListener(pipe.source(), OP_READ, null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("listener");
        assertThatThrownBy(() -> queue.removeOnChannelEventListener(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("channel");
        assertThatThrownBy(() -> queue.addOnChannelEventListener(pipe.source(), OP_WRITE, reading("a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("operations 4");
        pipe.source().configureBlocking(true);
        assertThatThrownBy(() -> queue.addOnChannelEventListener(pipe.source(), OP_READ, reading("a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("configureBlocking(false)");
        pipe.source().close();
        assertThatThrownBy(() -> queue.addOnChannelEventListener(pipe.source(), OP_READ, reading("a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void aTestLooperLooksAtItsChannels() {
        List<String> seen = new ArrayList<>();
        try (TestLooper test = new TestLooper(kind)) {
            test.looper().getQueue().addOnChannelEventListener(pipe.source(), OP_READ, (channel, events) -> {
                new Handler(test.looper()).post(() -> seen.add("message"));
                seen.add("event " + read(channel));
                return OP_READ;
            });
            write(pipe);
            test.runUntilIdle();
        }
        assertThat(seen).containsExactly("event 1", "message");
    }

    @Test
    void aLooperWithoutChannelsHasNoSelector() {
        queue.removeOnChannelEventListener(pipe.source());
        hand.runDue();
        assertThat(((ChannelWaker) queue.waker).channels()).isNull();
    }
}
