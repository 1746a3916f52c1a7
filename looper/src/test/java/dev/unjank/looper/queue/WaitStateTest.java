package dev.unjank.looper.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The notice of sleep in isolation. */
class WaitStateTest {
    private final WaitState state = new WaitState();

    @Test
    void onlyEarlierMessagesEndASleep() {
        WaitState.Parked parked = new WaitState.Parked(10, 20, 3);
        assertThat(parked.mustWakeFor(NodeState.SYNCHRONOUS, 9)).isTrue();
        assertThat(parked.mustWakeFor(NodeState.SYNCHRONOUS, 10)).isFalse();
        assertThat(parked.mustWakeFor(NodeState.ASYNCHRONOUS, 19)).isTrue();
        assertThat(parked.mustWakeFor(NodeState.ASYNCHRONOUS, 20)).isFalse();
        assertThat(parked.mustWakeFor(NodeState.BARRIER, 0)).isFalse();
    }

    @Test
    void enoughRemovalsEndASleep() {
        WaitState.Parked parked = new WaitState.Parked(10, 20, 3);
        assertThat(parked.mustWakeAfterRemovals(2)).isFalse();
        assertThat(parked.mustWakeAfterRemovals(3)).isTrue();
    }

    @Test
    void aLateWakerCannotHitALaterSleep() {
        assertThat(state.parkedVolatile()).isNull();
        WaitState.Parked first = new WaitState.Parked(1, 1, 1);
        state.setParkedVolatile(first);
        assertThat(state.parkedVolatile()).isSameAs(first);
        state.setAwakeOpaque();
        WaitState.Parked second = new WaitState.Parked(1, 1, 1);
        state.setParkedVolatile(second);
        state.casParkedToAwake(first);
        assertThat(state.parkedVolatile()).isSameAs(second);
        state.casParkedToAwake(second);
        assertThat(state.parkedVolatile()).isNull();
    }
}
