package dev.unjank.bench.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MediansTest {

    private final Medians medians = new Medians();

    @Test
    void eachCellHasItsRatioToTheMonitorQueueOfTheSameColumn() {
        medians.add("pending = 1000", Peer.LOCK_FREE, 167.4);
        medians.add("pending = 1000", Peer.MONITOR, 1_973);
        medians.add("pending = 1000", Peer.NETTY, 19_730);
        medians.add("pending = 100000", Peer.MONITOR, 240_264);
        medians.add("pending = 100000", Peer.LOCK_FREE, 7.251);

        assertThat(medians.lines())
                .containsExactly(
                        "                              pending = 1000    pending = 100000",
                        "unjank, lock-free                 167 (1/12)     7.25 (1/33,135)",
                        "unjank, monitor                1,973 (1.00x)     240,264 (1.00x)",
                        "Netty NIO event loop          19,730 (10.0x)                   -");
    }

    @Test
    void withoutTheMonitorQueueThereIsNoRatio() {
        medians.add("x", Peer.JCTOOLS, 27);

        assertThat(medians.lines().getLast()).isEqualTo("JCTools MPSC + park                     27.0");
    }
}
