package dev.unjank.bench.contest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.bench.locks.LockBenchmarks;
import dev.unjank.bench.queue.QueueBenchmarks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MetTargetsTest {

    static Stream<Contest> contests() {
        return Stream.of(QueueBenchmarks.CONTEST, LockBenchmarks.CONTEST);
    }

    private static List<String> targets(Contest contest) {
        return contest.questions().stream()
                .flatMap(question -> question.rows().stream()
                        .flatMap(row -> row.targets().stream().map(target -> Contest.name(question, row, target))))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("contests")
    void whatIsKnownAsMetIsATarget(Contest contest) {
        assertThat(targets(contest)).containsAll(MetTargets.known(contest.name()));
    }

    @Test
    void whatIsRecordedIsRead(@TempDir Path root) throws Exception {
        Files.createDirectories(root.resolve("bench/src/main/resources/dev/unjank/bench/queue"));

        Path file = MetTargets.record(root, "queue", List.of("b: 1 <= Netty", "a: 2 <= FJP"));

        assertThat(MetTargets.parse(Files.readString(file))).containsExactly("a: 2 <= FJP", "b: 1 <= Netty");
    }

    @ParameterizedTest
    @MethodSource("contests")
    void noTwoTargetsHaveTheSameName(Contest contest) {
        assertThat(targets(contest)).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("contests")
    void targetsReferToWhatIsMeasured(Contest contest) {
        for (Question<?> question : contest.questions()) {
            for (Question.Row row : question.rows()) {
                for (Target target : row.targets()) {
                    assertThat(List.<Contestant>copyOf(question.peers())).containsAll(target.peers());
                    if (target.subject() != null) {
                        assertThat(List.<Contestant>copyOf(question.peers())).contains(target.subject());
                    }
                    if (target.circumstance() != null) {
                        assertThat(question.rows().stream().map(Question.Row::circumstance))
                                .contains(target.circumstance());
                    }
                }
            }
        }
    }
}
