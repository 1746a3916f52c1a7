package dev.unjank.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.workbench.command.BenchCommand;
import dev.unjank.workbench.command.LabCommand;
import dev.unjank.workbench.command.VerifyCommand;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Command;

class WorkbenchTest {

    /** All commands with a help of their own; the first is the root. */
    private static Stream<String> commands() {
        return Stream.of(
                "",
                "bench",
                "bench queue",
                "bench locks",
                "bench doctor",
                "bench fleet",
                "bench record",
                "lab",
                "verify");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandHasHelp(String command) {
        WorkbenchRun run = WorkbenchRun.of((command + " --help").trim().split(" ", -1));

        assertThat(run.code()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains(("Usage: unjank " + command).trim())
                .contains("Exit codes:")
                .contains("Examples:");
        assertThat(run.out().lines())
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(100));
    }

    @Test
    void noExampleIsBrokenIntoTwoLines() {
        Map.of("bench", BenchCommand.class, "lab", LabCommand.class, "verify", VerifyCommand.class)
                .forEach((command, type) -> assertThat(
                                WorkbenchRun.of(command, "--help").out().lines())
                        .as("help of " + command)
                        .contains(type.getAnnotation(Command.class).footer()));
    }

    @ParameterizedTest
    @MethodSource("commands")
    @ValueSource(strings = "help")
    void helpNamesACommandToo(String command) {
        WorkbenchRun run = WorkbenchRun.of(("help " + command).trim().split(" ", -1));

        assertThat(run.code()).isZero();
        assertThat(run.out())
                .isNotEmpty()
                .isEqualTo(WorkbenchRun.of((command + " --help").trim().split(" ", -1))
                        .out());
    }

    @Test
    void theListOfCommandsHasASummaryOfEach() {
        assertThat(WorkbenchRun.of("--help").out())
                .containsPattern("bench +Compare queues and locks with other implementations; ")
                .containsPattern("lab +Run an experiment: record and diagnose a known problem ")
                .containsPattern("verify +Run a soak test of the message loop: random operations ");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void versionIsOneLine(String command) {
        WorkbenchRun run = WorkbenchRun.of((command + " --version").trim().split(" ", -1));

        assertThat(run.code()).isZero();
        assertThat(run.out().lines())
                .singleElement()
                .asString()
                .startsWith("unjank ")
                .contains("JDK 25");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "help bench quue         # unjank bench: unknown command 'quue'; did you mean queue? see unjank bench --help",
                "verify --minutes x      # unjank verify: --minutes must be a number of minutes, above 0 and at most 100000, not 'x'; see unjank verify --help",
                "verify --minutes 1e99   # unjank verify: --minutes must be a number of minutes, above 0 and at most 100000, not '1e99'; see unjank verify --help",
                "verify --minutes 100001 # unjank verify: --minutes must be a number of minutes, above 0 and at most 100000, not '100001'; see unjank verify --help",
                "verify --threads 65     # unjank verify: --threads must be 1 to 64, not '65'; see unjank verify --help",
                "verify --seed abc       # unjank verify: --seed must be a whole number, not 'abc'; see unjank verify --help",
                "bench                   # unjank bench: missing COMMAND; see unjank bench --help",
                "bench doctor --mb 0     # unjank bench doctor: --mb must be 1 to 4000, not '0'; see unjank bench doctor --help",
                "bench doctor nowhere    # unjank bench doctor: nowhere: no such file",
                "bench queue --only post # unjank bench queue: --only must be one of post-to-run, insert, beside-timers, drain-held, drain-together, remove, cancel, retained, allocated, watched, wake, rmw, ui, not 'post'; see unjank bench queue --help",
                "bench locks --only handof # unjank bench locks: --only must be one of uncontended, throughput, vip-wait, published, starvation, inheritance, handoff, not 'handof'; see unjank bench locks --help",
                "bench record --only cpu # unjank bench record: --only must be one of contended, crowded, messages, zipping, idle, not 'cpu'; see unjank bench record --help",
                "bench fleet --traces 7  # unjank bench fleet: --traces must be 8 to 1000000, not '7'; see unjank bench fleet --help",
                "bench quue              # unjank bench: unknown command 'quue'; did you mean queue? see unjank bench --help",
            })
    void aMistakeIsOneLineThatSaysWhatToDo(String arguments, String line) {
        WorkbenchRun run = WorkbenchRun.of(arguments.split(" ", -1));

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).isEqualTo(line + "\n");
    }
}
