package dev.unjank.looper.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The gate in isolation, on one thread. */
class CloseGateTest {
    private final AtomicInteger freed = new AtomicInteger();
    private final CloseGate gate = new CloseGate(freed::incrementAndGet);

    @Test
    void anEmptyGateFreesWhenItIsClosed() {
        gate.close();
        assertThat(freed).hasValue(1);
        gate.close();
        assertThat(freed).hasValue(1);
        assertThat(gate.enter()).isFalse();
    }

    @Test
    void theLastOneOutFrees() {
        assertThat(gate.enter()).isTrue();
        assertThat(gate.enter()).isTrue();
        gate.close();
        assertThat(gate.enter()).isFalse();
        gate.leave();
        assertThat(freed).hasValue(0);
        gate.leave();
        assertThat(freed).hasValue(1);
    }

    @Test
    void leavingAnOpenGateFreesNothing() {
        gate.enter();
        gate.leave();
        assertThat(freed).hasValue(0);
        gate.close();
        assertThat(freed).hasValue(1);
    }
}
