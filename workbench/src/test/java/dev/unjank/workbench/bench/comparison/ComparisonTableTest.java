package dev.unjank.workbench.bench.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.workbench.bench.comparison.BenchmarkQuestion.Row;
import dev.unjank.workbench.bench.peer.Peer;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTableTest {

    @Test
    void eachLineHasFiguresTargetsRatiosAndWhatCameOfThem() {
        BenchmarkQuestion<Peer> question =
                new BenchmarkQuestion<>(
                        "post",
                        "post, ns",
                        List.of(Peer.LOCK_FREE, Peer.MONITOR, Peer.NETTY),
                        List.of(
                                new Row("none pending"),
                                new Row(
                                        "many",
                                        BenchmarkTarget.atMost(1.0 / 5_000, Peer.MONITOR),
                                        BenchmarkTarget.atMost(1.5, Peer.NETTY)))) {
                    @Override
                    public Subject open(Peer peer) {
                        throw new AssertionError("nothing is measured here");
                    }
                };
        QuestionResults figures = new QuestionResults(Peer.LOCK_FREE);
        figures.add(Peer.LOCK_FREE, "none pending", new double[] {7.251});
        figures.add(Peer.LOCK_FREE, "many", new double[] {102.4});
        figures.add(Peer.MONITOR, "many", new double[] {652_288});

        assertThat(ComparisonTable.lines(question, figures).stream().map(String::stripTrailing))
                .containsExactly(
                        "post, ns",
                        "                              unjank   monitor     Netty   target                    ratio                   met",
                        "  none pending                  7.25         -         -",
                        "  many                           102   652,288         -   <= 1/5,000 monitor        1/6,370 (1/6,370 to 1/6,370) yes",
                        "                                                           <= 1.5x Netty             -                       not measured");
    }
}
