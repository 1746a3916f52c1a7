package dev.unjank.workbench.bench.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.workbench.bench.comparison.BenchmarkQuestion.Row;
import dev.unjank.workbench.bench.comparison.TargetResult.Met;
import dev.unjank.workbench.bench.peer.Peer;
import java.util.List;
import org.junit.jupiter.api.Test;

class TargetResultTest {

    private static final Row ROW = new Row("row");

    private final QuestionResults figures = new QuestionResults(Peer.LOCK_FREE);

    private void measured(Peer peer, String circumstance, double... rounds) {
        for (double figure : rounds) {
            figures.add(peer, circumstance, new double[] {figure});
        }
    }

    private TargetResult judge(BenchmarkTarget target) {
        return TargetResult.of(target, ROW, figures);
    }

    @Test
    void theRatioIsTheMedianOfTheRoundsRatios() {
        // the second half of the run was ten times as slow, for both
        measured(Peer.LOCK_FREE, "row", 10, 12, 100, 110, 120);
        measured(Peer.NETTY, "row", 20, 24, 200, 220, 240);

        TargetResult judgement = judge(BenchmarkTarget.atMost(1, Peer.NETTY));

        assertThat(judgement).isEqualTo(new TargetResult(new MedianInterval(0.5, 0.5, 0.5), Met.YES, true));
    }

    @Test
    void aTargetIsMetByTheMedianAndSurelyByTheWholeSpread() {
        measured(Peer.LOCK_FREE, "row", 8, 9, 11);
        measured(Peer.NETTY, "row", 10, 10, 10);

        assertThat(judge(BenchmarkTarget.atMost(1, Peer.NETTY)).met()).isEqualTo(Met.YES);
        assertThat(judge(BenchmarkTarget.atMost(1, Peer.NETTY)).surely()).isFalse();
        assertThat(judge(BenchmarkTarget.atMost(1.2, Peer.NETTY)).surely()).isTrue();
        assertThat(judge(BenchmarkTarget.atMost(0.85, Peer.NETTY)).met()).isEqualTo(Met.NO);
        assertThat(judge(BenchmarkTarget.atMost(0.85, Peer.NETTY)).surely()).isFalse();
        assertThat(judge(BenchmarkTarget.atMost(0.5, Peer.NETTY)).surely()).isTrue();
    }

    @Test
    void ofSeveralPeersTheBestCounts() {
        measured(Peer.LOCK_FREE, "row", 97);
        measured(Peer.NETTY, "row", 100);
        measured(Peer.MONITOR, "row", 4);
        List<Peer> both = List.of(Peer.NETTY, Peer.MONITOR);

        assertThat(judge(BenchmarkTarget.atLeastBest(0.98, both)).met()).isEqualTo(Met.NO);
        assertThat(judge(BenchmarkTarget.atLeastBest(0.96, both)).met()).isEqualTo(Met.YES);
        assertThat(judge(BenchmarkTarget.atMostBest(1, both)).ratio().median()).isEqualTo(97.0 / 4);
    }

    @Test
    void itsOwnFigureElsewhereCanBeTheOtherOne() {
        measured(Peer.LOCK_FREE, "row", 30);
        measured(Peer.LOCK_FREE, "none", 10);

        assertThat(judge(BenchmarkTarget.atMostOwn(1.5, "none", "none pending"))
                        .ratio()
                        .median())
                .isEqualTo(3);
    }

    @Test
    void aTargetCanBeAskedOfAnother() {
        measured(Peer.LOCK_FREE, "row", 30);
        measured(Peer.NETTY, "row", 20);
        measured(Peer.MONITOR, "row", 80);

        assertThat(judge(BenchmarkTarget.atMost(1, Peer.MONITOR).of(Peer.NETTY))
                        .ratio()
                        .median())
                .isEqualTo(0.25);
        assertThat(BenchmarkTarget.atMost(0.25, Peer.MONITOR).of(Peer.NETTY)).hasToString("Netty <= 0.25x monitor");
    }

    @Test
    void aConstantCanBeTheOtherOneAlsoZero() {
        measured(Peer.LOCK_FREE, "row", 48);
        assertThat(judge(BenchmarkTarget.atMost(56, " bytes")).met()).isEqualTo(Met.YES);
        assertThat(judge(BenchmarkTarget.atMost(0, "")).met()).isEqualTo(Met.NO);

        Row other = new Row("other");
        measured(Peer.LOCK_FREE, "other", 0, 0);
        assertThat(TargetResult.of(BenchmarkTarget.atMost(0, ""), other, figures)
                        .met())
                .isEqualTo(Met.YES);
    }

    @Test
    void withoutFiguresNothingIsSaid() {
        measured(Peer.LOCK_FREE, "row", 30);
        assertThat(judge(BenchmarkTarget.atMost(1, Peer.NETTY)).met()).isEqualTo(Met.NOT_MEASURED);

        measured(Peer.NETTY, "row", Double.NaN);
        assertThat(judge(BenchmarkTarget.atMost(1, Peer.NETTY)).met()).isEqualTo(Met.NOT_MEASURED);
    }
}
