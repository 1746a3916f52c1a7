package dev.unjank.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MetronomeTest {

    @Test
    void ticksUntilTheLastSlotAndEnds() throws Exception {
        TickLedger ledger = new TickLedger(1);
        Metronome metronome = new Metronome(ledger, System.nanoTime());
        metronome.start();
        metronome.join();

        assertThat(ledger.awaited()).isEqualTo(ledger.slots());
        assertThat(ledger.upTo(Long.MAX_VALUE / 100).completed()).isPositive();
    }

    @Test
    void endsWhenTold() throws Exception {
        Metronome metronome = new Metronome(new TickLedger(28), System.nanoTime());
        metronome.start();
        metronome.stopSoon();
        metronome.join();

        assertThat(metronome.isAlive()).isFalse();
    }
}
