package dev.unjank.workbench.bench.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.workbench.bench.locks.LockBenchmarks;
import dev.unjank.workbench.bench.queue.QueueBenchmarks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MetTargetsFileTest {

    static Stream<ComparisonBenchmark> contests() {
        return Stream.of(QueueBenchmarks.CONTEST, LockBenchmarks.CONTEST);
    }

    private static List<String> targets(ComparisonBenchmark contest) {
        return contest.questions().stream()
                .flatMap(question -> question.rows().stream()
                        .flatMap(row ->
                                row.targets().stream().map(target -> ComparisonBenchmark.name(question, row, target))))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("contests")
    void whatIsKnownAsMetIsATarget(ComparisonBenchmark contest) {
        assertThat(targets(contest)).containsAll(MetTargetsFile.known(contest.name()));
    }

    @Test
    void whatIsRecordedIsRead(@TempDir Path root) throws Exception {
        Files.createDirectories(root.resolve("workbench/src/main/resources/dev/unjank/workbench/bench/queue"));

        Path file = MetTargetsFile.record(root, "queue", List.of("b: 1 <= Netty", "a: 2 <= FJP"));

        assertThat(MetTargetsFile.parse(Files.readString(file))).containsExactly("a: 2 <= FJP", "b: 1 <= Netty");
    }

    @ParameterizedTest
    @MethodSource("contests")
    void noTwoTargetsHaveTheSameName(ComparisonBenchmark contest) {
        assertThat(targets(contest)).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("contests")
    void targetsReferToWhatIsMeasured(ComparisonBenchmark contest) {
        for (BenchmarkQuestion<?> question : contest.questions()) {
            for (BenchmarkQuestion.Row row : question.rows()) {
                for (BenchmarkTarget target : row.targets()) {
                    assertThat(List.<Candidate>copyOf(question.peers())).containsAll(target.peers());
                    if (target.subject() != null) {
                        assertThat(List.<Candidate>copyOf(question.peers())).contains(target.subject());
                    }
                    if (target.circumstance() != null) {
                        assertThat(question.rows().stream().map(BenchmarkQuestion.Row::circumstance))
                                .contains(target.circumstance());
                    }
                }
            }
        }
    }
}
