package dev.unjank.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.cli.command.Subcommand;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class UnjankTest {

    /** All that have a help of their own; the first is the command itself. */
    private static Stream<String> commands() {
        return Stream.concat(Stream.of(""), Stream.of(Subcommand.values()).flatMap(UnjankTest::withSubcommands));
    }

    private static Stream<String> commandsAndHelp() {
        return Stream.concat(commands(), Stream.of("help"));
    }

    private static Stream<String> withSubcommands(Subcommand command) {
        return Stream.concat(
                Stream.of(command.command),
                command.load(null).subcommands().keySet().stream().map(name -> command.command + " " + name));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void helpTeachesAtEveryLevel(String command) {
        CommandRun run = CommandRun.of((command + " --help").trim().split(" ", -1));

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
        for (Subcommand subcommand : Subcommand.values()) {
            String[] examples = subcommand.load(null).usageMessage().footer();

            assertThat(CommandRun.of(subcommand.command, "--help").out().lines())
                    .as("help of " + subcommand.command)
                    .contains(examples);
        }
    }

    @ParameterizedTest
    @MethodSource("commandsAndHelp")
    void helpNamesACommandToo(String command) {
        CommandRun run = CommandRun.of(("help " + command).trim().split(" ", -1));

        assertThat(run.code()).isZero();
        assertThat(run.out())
                .isNotEmpty()
                .isEqualTo(CommandRun.of((command + " --help").trim().split(" ", -1))
                        .out());
    }

    @Test
    void theListOfCommandsSaysWhatEachDoes() {
        String help = CommandRun.of("--help").out();

        for (Subcommand subcommand : Subcommand.values()) {
            assertThat(help).containsPattern(subcommand.command + " +" + subcommand.summary);
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void versionIsOneLine(String command) {
        CommandRun run = CommandRun.of((command + " --version").trim().split(" ", -1));

        assertThat(run.code()).isZero();
        assertThat(run.out().lines())
                .singleElement()
                .asString()
                .startsWith("unjank ")
                .contains("JDK 25");
    }

    @Test
    void withoutACommandTheHelpIsTheAnswerToAMistake() {
        CommandRun run = CommandRun.of();

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("Usage: unjank").contains("doctor").endsWith("unjank: missing COMMAND\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "doktor x.trace          # unjank: unknown command 'doktor'; did you mean doctor or record? see unjank --help",
                "--versoin               # unjank: unknown option '--versoin'; did you mean --version? see unjank --help",
                "doctor                  # unjank doctor: missing TRACE; see unjank doctor --help",
                "doctor t --thred x      # unjank doctor: unknown option '--thred'; did you mean --thread? see unjank doctor --help",
                "doctor t --thread       # unjank doctor: --thread needs NAME|TID|main|all; see unjank doctor --help",
                "doctor t --min-ms soon  # unjank doctor: --min-ms must be a number of milliseconds, not 'soon'; see unjank doctor --help",
                "doctor t --min-ms -1    # unjank doctor: --min-ms must not be negative: '-1'; see unjank doctor --help",
                "doctor t --min-ms NaN   # unjank doctor: --min-ms must be a number of milliseconds, not 'NaN'; see unjank doctor --help",
                "doctor t --min-ms 0x1p3 # unjank doctor: --min-ms must be a number of milliseconds, not '0x1p3'; see unjank doctor --help",
                "doctor t --min-ms 1d    # unjank doctor: --min-ms must be a number of milliseconds, not '1d'; see unjank doctor --help",
                "doctor t --min-ms 2e9   # unjank doctor: --min-ms must be at most 1000000000, not '2e9'; see unjank doctor --help",
                "doctor -x.pftrace       # unjank doctor: unknown option '-x.pftrace' (for a file of that name: ./-x.pftrace); see unjank doctor --help",
                "fleet compare a         # unjank fleet compare: missing B; see unjank fleet compare --help",
                "fleet report a          # unjank fleet report: a: no such folder",
                "record 4711             # unjank record: unexpected argument '4711'; expected --pid PID|NAME, or -- COMMAND",
                "record --pdi 4711       # unjank record: unknown option '--pdi'; see unjank record --help",
                "record --pid            # unjank record: --pid needs PID|NAME; see unjank record --help",
                "record --process 1 --for soon # unjank record: --duration must be a time such as 10s, 500ms or 2m, not 'soon'; see unjank record --help",
                "explain --duration soon 1 # unjank explain: --for must be a time such as 10s, 500ms or 2m, not 'soon'; see unjank explain --help",
                "convert                 # unjank convert: missing --output OUT, IN; see unjank convert --help",
                "convert a.jfr           # unjank convert: missing --output OUT; see unjank convert --help",
                "convert -o a.pftrace    # unjank convert: missing IN; see unjank convert --help",
                "help doktor             # unjank: unknown command 'doktor'; did you mean doctor or record? see unjank --help",
                "help doctor x           # unjank doctor: unexpected argument 'x'; see unjank doctor --help",
                "demo --seconds 0        # unjank demo: --seconds must be 1 to 28, not '0'; see unjank demo --help",
                "demo --seconds 29       # unjank demo: --seconds must be 1 to 28, not '29'; see unjank demo --help",
                "demo --seconds many     # unjank demo: --seconds must be 1 to 28, not 'many'; see unjank demo --help",
                "demo --queue fast       # unjank demo: --queue must be monitor, lockfree or both, not 'fast'; see unjank demo --help",
            })
    void aMistakeIsOneLineThatSaysWhatToDo(String arguments, String line) {
        CommandRun run = CommandRun.of(arguments.split(" ", -1));

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).isEqualTo(line + "\n");
    }

    @Test
    void aMessageStaysOneLineWhateverTheUserTyped() {
        CommandRun run = CommandRun.of("do\033[31m\nctor");

        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.err()).doesNotContain("\033").contains("do\\u001b[31m\\u000actor");
    }

    @Test
    void coloursAreForTerminalsThatWantThem() {
        assertThat(CommandRun.on(true, Map.of(), "--help").out()).contains("\033[");
        for (Map<String, String> environment : List.of(Map.of("NO_COLOR", "1"), Map.of("TERM", "dumb"))) {
            assertThat(CommandRun.on(true, environment, "--help").out()).doesNotContain("\033[");
        }
        assertThat(CommandRun.of("--help").out()).doesNotContain("\033[");
    }
}
