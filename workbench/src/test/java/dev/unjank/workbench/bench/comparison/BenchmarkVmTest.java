package dev.unjank.workbench.bench.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.workbench.bench.peer.Peer;
import dev.unjank.workbench.bench.queue.QueueBenchmarks;
import org.junit.jupiter.api.Test;

class BenchmarkVmTest {

    @Test
    void aVmAnswersAgainAndAgain() throws Exception {
        ComparisonBenchmark contest = QueueBenchmarks.CONTEST;
        BenchmarkVm vm = new BenchmarkVm(contest, contest.question("allocated"), Peer.BLOCKING_QUEUE);
        try {
            vm.measure("1");
            // a node of the queue, of 24 bytes, and the count of bytes is exact
            assertThat(vm.measure("1")[0]).isBetween(23.0, 40.0);
        } finally {
            vm.close();
        }
    }
}
