package dev.unjank.bench.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.bench.loop.Peer;
import dev.unjank.bench.queue.Question.Row;
import dev.unjank.bench.queue.Question.Subject;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each question comes to its end with each peer that it names, in its first circumstance. */
@Timeout(60)
class QuestionsTest {

    /** Sized for a VM of its own: seconds of full load, or a million pairs. */
    private static final Set<String> LONG = Set.of("ui", "retained");

    static Stream<Arguments> questionsAndPeers() {
        return Questions.ALL.stream()
                .filter(question -> !LONG.contains(question.name()))
                .flatMap(question -> question.peers().stream().map(peer -> Arguments.of(question.name(), peer)));
    }

    @ParameterizedTest
    @MethodSource("questionsAndPeers")
    void isAnswered(String name, Peer peer) throws Exception {
        Question question = Questions.named(name);
        Row row = question.rows().getFirst();
        Subject subject = question.open(peer);

        double[] figures = subject.measure(row.circumstance());

        assertThat(figures).hasSizeGreaterThan(row.value());
        for (double figure : figures) {
            assertThat(figure).isNotNegative();
        }
    }

    @Test
    void aVmAnswersAgainAndAgain() throws Exception {
        Vm vm = new Vm(Questions.named("allocated"), Peer.BLOCKING_QUEUE);
        try {
            vm.measure("1");
            // a node of the queue, of 24 bytes, and the count of bytes is exact
            assertThat(vm.measure("1")[0]).isBetween(23.0, 40.0);
        } finally {
            vm.close();
        }
    }

    @Test
    void targetsReferToWhatIsMeasured() {
        for (Question question : Questions.ALL) {
            for (Row row : question.rows()) {
                for (Target target : row.targets()) {
                    assertThat(question.peers()).containsAll(target.peers()).contains(Peer.LOCK_FREE);
                    if (target.circumstance() != null) {
                        assertThat(question.rows().stream().map(Row::circumstance))
                                .contains(target.circumstance());
                    }
                }
            }
        }
    }
}
