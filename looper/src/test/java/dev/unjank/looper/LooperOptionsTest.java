package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.looper.fixture.ManualClock;
import dev.unjank.looper.fixture.ManualWaker;
import dev.unjank.looper.spi.Clock;
import dev.unjank.looper.wake.ChannelWaker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The queue of a looper, chosen by options and the system property. */
class LooperOptionsTest {
    @AfterEach
    void clear() {
        System.clearProperty(QueueKind.PROPERTY);
    }

    private static MessageQueue queueOf(LooperOptions options) {
        return Looper.create(options).getQueue();
    }

    @Test
    void lockFreeIsTheDefault() {
        assertThat(queueOf(LooperOptions.defaults())).isInstanceOf(LockFreeQueue.class);
    }

    @Test
    void thePropertyChoosesForAll() {
        LooperOptions options = LooperOptions.defaults();
        System.setProperty("unjank.queue", "monitor");
        assertThat(queueOf(options)).isInstanceOf(MonitorQueue.class);
        System.setProperty("unjank.queue", "LockFree");
        assertThat(queueOf(options)).isInstanceOf(LockFreeQueue.class);
    }

    @Test
    void theOptionsChooseForOne() {
        System.setProperty("unjank.queue", "monitor");
        assertThat(queueOf(LooperOptions.defaults().withQueue(QueueKind.LOCK_FREE)))
                .isInstanceOf(LockFreeQueue.class);
        System.clearProperty("unjank.queue");
        assertThat(queueOf(LooperOptions.defaults().withQueue(QueueKind.MONITOR)))
                .isInstanceOf(MonitorQueue.class);
    }

    @Test
    void aBadPropertyIsOneClearError() {
        System.setProperty("unjank.queue", "quick");
        assertThatThrownBy(() -> queueOf(LooperOptions.defaults()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("-Dunjank.queue=quick: expected lockfree or monitor");
    }

    @Test
    void optionsAreImmutable() {
        ManualClock clock = new ManualClock();
        ManualWaker waker = new ManualWaker(clock);
        LooperOptions plain = LooperOptions.defaults();
        LooperOptions changed = plain.withClock(clock).withWaker(() -> waker);
        assertThat(queueOf(changed).clock).isSameAs(clock);
        assertThat(((ChannelWaker) queueOf(changed).waker).plain()).isSameAs(waker);
        assertThat(queueOf(plain).clock).isSameAs(Clock.system());
        assertThat(queueOf(plain).waker).isNotSameAs(queueOf(plain).waker);
    }

    @Test
    void nullIsRefused() {
        LooperOptions options = LooperOptions.defaults();
        assertThatThrownBy(() -> options.withQueue(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> options.withClock(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> options.withWaker(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void uptimeMillisRoundsDown() {
        Clock clock = () -> 1_999_999L;
        assertThat(clock.uptimeMillis()).isEqualTo(1);
    }

    /** The constructor throws; the thread does not die later without a looper. */
    @Test
    void aWrongPropertyFailsInTheConstructorOfTheThread() {
        System.setProperty("unjank.queue", "quick");
        assertThatThrownBy(() -> new HandlerThread("ui"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("-Dunjank.queue=quick: expected lockfree or monitor");
    }
}
