package dev.unjank.bench.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetTargetsTest {

    private static final Set<String> ALL = Questions.ALL.stream()
            .flatMap(question -> question.rows().stream()
                    .flatMap(row -> row.targets().stream().map(target -> QueueBenchmarks.name(question, row, target))))
            .collect(Collectors.toSet());

    @Test
    void whatIsKnownAsMetIsATarget() {
        assertThat(ALL).containsAll(MetTargets.known());
    }

    @Test
    void whatIsRecordedIsRead(@TempDir Path root) throws Exception {
        Files.createDirectories(root.resolve("bench/src/main/resources/dev/unjank/bench/queue"));

        Path file = MetTargets.record(root, List.of("b: 1 <= Netty", "a: 2 <= FJP"));

        assertThat(MetTargets.parse(Files.readString(file))).containsExactly("a: 2 <= FJP", "b: 1 <= Netty");
    }

    @Test
    void noTwoTargetsHaveTheSameName() {
        long number = Questions.ALL.stream()
                .flatMap(question -> question.rows().stream())
                .mapToLong(row -> row.targets().size())
                .sum();

        assertThat(ALL).hasSize((int) number);
    }
}
