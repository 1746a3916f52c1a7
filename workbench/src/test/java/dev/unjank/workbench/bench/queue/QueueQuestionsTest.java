package dev.unjank.workbench.bench.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.workbench.bench.comparison.BenchmarkQuestion;
import dev.unjank.workbench.bench.comparison.BenchmarkQuestion.Row;
import dev.unjank.workbench.bench.comparison.BenchmarkQuestion.Subject;
import dev.unjank.workbench.bench.peer.Peer;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each question comes to its end with each peer that it names, in its first circumstance. */
class QueueQuestionsTest {

    /** Sized for a VM of its own: seconds of full load, or a million pairs. */
    private static final Set<String> LONG = Set.of("ui", "retained");

    static Stream<Arguments> questionsAndPeers() {
        return QueueBenchmarks.QUESTIONS.stream()
                .filter(question -> !LONG.contains(question.name()))
                .flatMap(question -> question.peers().stream().map(peer -> Arguments.of(question, peer)));
    }

    @ParameterizedTest
    @MethodSource("questionsAndPeers")
    void isAnswered(BenchmarkQuestion<Peer> question, Peer peer) throws Exception {
        Row row = question.rows().getFirst();
        Subject subject = question.open(peer);

        double[] figures = subject.measure(row.circumstance());

        assertThat(figures).hasSizeGreaterThan(row.value());
        for (double figure : figures) {
            assertThat(figure).isNotNegative();
        }
    }

    @Test
    void targetsThatNameNobodyAreAskedOfTheLockFreeQueue() {
        assertThat(QueueBenchmarks.QUESTIONS)
                .allSatisfy(question -> assertThat(question.peers()).first().isEqualTo(Peer.LOCK_FREE));
    }
}
