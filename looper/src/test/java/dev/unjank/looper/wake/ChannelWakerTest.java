package dev.unjank.looper.wake;

import static java.nio.channels.SelectionKey.OP_READ;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.looper.fixture.ManualClock;
import dev.unjank.looper.fixture.ManualWaker;
import dev.unjank.looper.spi.Waker;
import java.io.IOException;
import java.nio.channels.Pipe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Each step of a switch between the plain waker and the selector, on one thread: an await that sleeps hangs the test.
 */
class ChannelWakerTest {
    private final ManualWaker plain = new ManualWaker(new ManualClock());
    private final ChannelWaker waker = new ChannelWaker(plain, false);
    private Pipe pipe;

    @BeforeEach
    void open() throws IOException {
        pipe = Pipe.open();
        pipe.source().configureBlocking(false);
    }

    @AfterEach
    void close() throws IOException {
        waker.close();
        pipe.source().close();
        pipe.sink().close();
    }

    private void watch() {
        waker.submit(pipe.source(), new ChannelSelector.Watch(OP_READ, (channel, events) -> events));
        waker.wake(); // as the queue does
        waker.channels().selectReady();
    }

    private void unwatch() {
        waker.submit(pipe.source(), null);
        waker.wake();
        waker.channels().selectReady();
        waker.channels().selectReady(); // removes the cancelled key
    }

    @Test
    void withoutChannelsThePlainWakerSleepsAndIsWoken() {
        waker.wake();
        waker.await(Waker.FOREVER);
        assertThat(plain.sleeps).isEqualTo(1);
        assertThat(waker.channels()).isNull();
    }

    @Test
    void aWakeToTheOldPlaceEndsTheAwaitThatMovesToTheSelector() {
        watch();
        waker.wake();
        waker.await(Waker.FOREVER);
        assertThat(plain.wakes).isEqualTo(2);
        assertThat(plain.sleeps).isZero();
        assertThat(waker).hasToString("selector");
    }

    @Test
    void aWakeToTheSelectorEndsTheAwaitThatMovesBack() {
        watch();
        waker.await(Waker.FOREVER);
        unwatch();
        waker.wake();
        waker.await(Waker.FOREVER);
        assertThat(waker.toString()).isNotEqualTo("selector");
        assertThat(plain.sleeps).isZero();
        // the remainder of the first submit's wake-up ends one sleep spuriously
        waker.await(Waker.FOREVER);
        assertThat(plain.sleeps).isEqualTo(1);
    }

    @Test
    void wakesStickInTheSelectorAndEndOneAwait() {
        watch();
        waker.await(Waker.FOREVER);
        waker.wake();
        waker.wake();
        waker.await(Waker.FOREVER);
        long start = System.nanoTime();
        waker.await(2_000_000);
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(2_000_000);
        assertThat(plain.sleeps).isZero();
    }

    @Test
    void pendingChangesEndAnAwaitAlthoughTheirWakeUpIsConsumed() throws IOException {
        watch();
        waker.await(Waker.FOREVER);
        Pipe other = Pipe.open();
        other.source().configureBlocking(false);
        waker.submit(other.source(), new ChannelSelector.Watch(OP_READ, (channel, events) -> events));
        waker.channels().await(1); // consumes the wake-up, like a select that began before the change
        waker.await(Waker.FOREVER);
        assertThat(waker.channels().hasPendingChanges()).isTrue();
        other.source().close();
        other.sink().close();
    }

    @Test
    void aManualLooperNeverMovesToTheSelector() {
        ChannelWaker byHand = new ChannelWaker(plain, true);
        byHand.submit(pipe.source(), new ChannelSelector.Watch(OP_READ, (channel, events) -> events));
        byHand.channels().selectReady();
        byHand.wake();
        byHand.await(Waker.FOREVER);
        assertThat(plain.sleeps).isEqualTo(1);
        byHand.close();
    }

    @Test
    void nothingIsSubmittedAfterTheEnd() {
        waker.close();
        assertThat(waker.submit(pipe.source(), new ChannelSelector.Watch(OP_READ, (channel, events) -> events)))
                .isFalse();
        assertThat(waker.channels()).isNull();
    }
}
