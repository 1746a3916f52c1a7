package dev.unjank.bench.contest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.bench.loop.Peer;
import dev.unjank.bench.queue.QueueBenchmarks;
import org.junit.jupiter.api.Test;

class VmTest {

    @Test
    void aVmAnswersAgainAndAgain() throws Exception {
        Contest contest = QueueBenchmarks.CONTEST;
        Vm vm = new Vm(contest, contest.question("allocated"), Peer.BLOCKING_QUEUE);
        try {
            vm.measure("1");
            // a node of the queue, of 24 bytes, and the count of bytes is exact
            assertThat(vm.measure("1")[0]).isBetween(23.0, 40.0);
        } finally {
            vm.close();
        }
    }
}
