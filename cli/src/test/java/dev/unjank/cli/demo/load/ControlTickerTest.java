package dev.unjank.cli.demo.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ControlTickerTest {

    @Test
    void ticksUntilTheLastSlotAndEnds() throws Exception {
        TickCounter ledger = new TickCounter(1);
        ControlTicker metronome = new ControlTicker(ledger, System.nanoTime());
        metronome.start();
        metronome.join();

        assertThat(ledger.awaited()).isEqualTo(ledger.slots());
        assertThat(ledger.upTo(Long.MAX_VALUE / 100).completed()).isPositive();
    }

    @Test
    void endsWhenStopped() throws Exception {
        ControlTicker metronome = new ControlTicker(new TickCounter(28), System.nanoTime());
        metronome.start();
        metronome.stopSoon();
        metronome.join();

        assertThat(metronome.isAlive()).isFalse();
    }
}
