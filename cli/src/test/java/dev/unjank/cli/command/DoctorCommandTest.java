package dev.unjank.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.cli.CommandRun;
import dev.unjank.cli.file.TraceInput;
import dev.unjank.cli.terminal.UserError;
import dev.unjank.scene.LauncherExample;
import dev.unjank.trace.tempfile.ProcessTempFiles;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

class DoctorCommandTest {

    @TempDir
    Path folder;

    private Path example;

    @BeforeEach
    void writeExample() throws Exception {
        example = Files.write(folder.resolve("launcher.pftrace"), LauncherExample.trace());
    }

    @Test
    void namesTheInversionOfTheExample() {
        CommandRun run = doctor(example);

        assertThat(run.code()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains("launcher.pftrace")
                .contains("9.148 ms")
                .contains("PRIORITY_INVERSION")
                .contains("com.android.launcher3")
                .contains("binder:3363_2")
                .doesNotContain("\033");
    }

    /** What the help says that a thread may be called by is what it is found by. */
    @Test
    void theHelpListsTheFormsOfAThread() {
        assertThat(CommandRun.of("doctor", "--help").out().lines().map(String::strip))
                .contains(
                        "RenderThread           threads with this name",
                        "com.example.app        main thread of this process",
                        "3384                   thread with this id",
                        "all                    every thread");
        for (String thread : new String[] {"droid.launcher3", "com.android.launcher3", "3363", "main", "all"}) {
            assertThat(doctor(example, "--thread", thread).out())
                    .as(thread)
                    .contains(" 9.148 ms ━━ PRIORITY_INVERSION");
        }
    }

    @Test
    void jsonIsOneObject() throws Exception {
        CommandRun run = doctor(example, "--json");

        assertThat(run.code()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(topLevelFields(run.out()))
                .containsExactly(
                        "version",
                        "trace",
                        "startNs",
                        "durationNs",
                        "durationDoubtful",
                        "answer",
                        "worst",
                        "causeMeasure",
                        "causes",
                        "blockedTime",
                        "incidents",
                        "locks",
                        "frames",
                        "startups",
                        "summary",
                        "advice",
                        "ownWork",
                        "ownWorkFrames",
                        "query",
                        "warnings");
        assertThat(run.out()).contains("\"durNs\" : 9148000").contains("\"verdict\" : \"PRIORITY_INVERSION\"");
    }

    @Test
    void rootCausesComeFirstAndIncidentsAreAnOption() {
        assertThat(doctor(example).out())
                .contains("Root causes of waits  by cost (wait time in missed frames)")
                .doesNotContain("Other incidents");
        assertThat(doctor(example, "--incidents").out())
                .contains("━━ #1  9.148 ms")
                .doesNotContain("Root causes of waits");
        assertThat(doctor(example, "--cause", "1").out()).startsWith("━━ 1  ").doesNotContain("━━ 2  ");
        assertThat(doctor(example, "--cause", "x").err())
                .isEqualTo(
                        "unjank doctor: --cause must be the number of a root cause, not 'x'; see unjank doctor --help\n");
        for (String other : List.of("--incidents", "--json")) {
            CommandRun both = doctor(example, "--cause", "1", other);
            assertThat(both.out()).isEmpty();
            assertThat(both.err()).startsWith("unjank doctor: --cause cannot be used with " + other);
        }
        CommandRun none = doctor(example, "--cause", "99");
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).endsWith("unjank doctor: no root cause 99; without --cause the report lists them\n");
        assertThat(doctor(example, "--app", "android.os.").out()).contains("MessageQueue");
    }

    @Test
    void theOptionsChooseWhatIsListed() {
        assertThat(doctor(example, "--min-ms", "5").out()).contains("9.148 ms").doesNotContain("3.500 ms");
        assertThat(doctor(example, "--process", "com.example.mail").out()).doesNotContain("9.148 ms");
        assertThat(doctor(example, "--thread", "3363").out()).contains("9.148 ms");
    }

    @ParameterizedTest
    @CsvSource({
        "--thread,  RenderThread, 'the trace has no thread \"RenderThread\"; none of its '",
        "--thread,  load,         'the trace has no thread \"load\"; similar names: '",
        "--process, absent,       'the trace has no process \"absent\"; existing names: '",
        "--process, binder:3363_2, 'the trace has no process \"binder:3363_2\"; a thread has this name: --thread'",
    })
    void anUnknownThreadOrProcessIsReportedInOneLine(String option, String name, String mistake) throws Exception {
        Path page = folder.resolve("page.html");
        CommandRun run = doctor(example, option, name, "--html", page.toString());

        assertUnusable(run);
        assertThat(run.err()).startsWith("unjank doctor: " + mistake);
        assertThat(page).doesNotExist();
    }

    @Test
    void theSameTraceTwiceIsRefused() throws Exception {
        Path copy = Files.copy(example, folder.resolve("copy.pftrace"));
        Path link = Files.createSymbolicLink(folder.resolve("link.pftrace"), example);

        Path packed = folder.resolve("copy.pftrace.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            Files.copy(example, out);
        }

        for (Path twin : List.of(example, copy, link, packed)) {
            CommandRun run = CommandRun.of("doctor", example.toString(), twin.toString());
            assertUnusable(run);
            assertThat(run.err()).endsWith(twin + ": the same trace twice\n");
        }
        assertUnusable(CommandRun.of("doctor", "-", "-"));
    }

    /** The end of a copy does not repeat the report of what was before. */
    @Test
    void aCopyThatWasCutOffIsRefused() throws Exception {
        byte[] whole = Files.readAllBytes(example);
        Path cut = Files.write(folder.resolve("cut.pftrace"), Arrays.copyOf(whole, whole.length / 2));
        Path packed = folder.resolve("cut.pftrace.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            Files.copy(cut, out);
        }
        for (Path part : List.of(cut, packed)) {
            CommandRun run = CommandRun.of("doctor", part.toString(), example.toString());
            assertUnusable(run);
            assertThat(run.err()).endsWith(part + ": truncated copy of " + example + "; use only " + example + "\n");
            assertUnusable(CommandRun.of("doctor", example.toString(), part.toString()));
        }
        whole[whole.length / 2 - 1]++;
        Files.write(cut, Arrays.copyOf(whole, whole.length / 2));
        assertThat(CommandRun.of("doctor", cut.toString(), example.toString()).err())
                .doesNotContain("is a copy of");
    }

    @Test
    void jsonAndPageAreBothWritten() throws Exception {
        Path page = folder.resolve("page.html");
        CommandRun run = doctor(example, "--json", "--html", page.toString());

        assertThat(run.code()).isZero();
        assertThat(topLevelFields(run.out())).contains("version", "incidents");
        assertThat(run.err()).startsWith("Wrote ").hasLineCount(1);
        assertThat(page).content().startsWith("<!DOCTYPE html>");
    }

    @Test
    void thePageIsAFile() throws Exception {
        Path page = folder.resolve("page.html");
        CommandRun run = doctor(example, "--html", page.toString());

        assertThat(run.code()).isZero();
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .startsWith("Wrote ")
                .contains("page.html", "2 incidents")
                .hasLineCount(1);
        assertThat(page).content().startsWith("<!DOCTYPE html>").contains("id=\"data\"");
    }

    @Test
    void aTraceIsNotOverwrittenByItsOwnPage() throws Exception {
        byte[] before = Files.readAllBytes(example);
        Path link = Files.createSymbolicLink(folder.resolve("another-name"), example);

        assertUnusable(doctor(example, "--html", link.toString()));
        assertThat(Files.readAllBytes(example)).isEqualTo(before);
    }

    @Test
    void aPageThatCannotBeWrittenIsReportedWithItsNameAndWhy() {
        assertThat(doctor(example, "--html", folder + "/nowhere/page.html").err())
                .isEqualTo("unjank doctor: cannot write " + folder + "/nowhere/page.html: no such directory: " + folder
                        + "/nowhere; create it first\n");
        assertThat(doctor(example, "--html", folder.toString()).err())
                .isEqualTo("unjank doctor: cannot write " + folder + ": is a directory (expected a file)\n");
        assertUnusable(doctor(example, "--html", folder.toString()));
        assertThat(doctor(folder).err()).isEqualTo("unjank doctor: " + folder + ": a directory, not a trace file\n");
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "needs /dev/full and /proc")
    void andSoIsAFullDiskAndAFolderThatTakesNoFiles() {
        CommandRun full = doctor(example, "--html", "/dev/full");
        assertUnusable(full);
        assertThat(full.err()).isEqualTo("unjank doctor: cannot write /dev/full: No space left on device\n");
        CommandRun refused = doctor(example, "--html", "/proc/page.html");
        assertUnusable(refused);
        assertThat(refused.err()).startsWith("unjank doctor: cannot write /proc/page.html: ");
    }

    @Test
    void thePageThatWasThereStaysIfThereIsNoNewOne() throws Exception {
        Path page = Files.writeString(folder.resolve("page.html"), "old");
        assertUnusable(doctor(Files.writeString(folder.resolve("no.pftrace"), "no trace"), "--html", page.toString()));
        assertThat(page).hasContent("old");
        assertThat(folder.toFile().list()).doesNotContain(ProcessTempFiles.name(".unjank-", ".part"));
    }

    @Test
    void coloursAreForTerminals() {
        assertThat(CommandRun.on(true, Map.of(), "doctor", example.toString()).out())
                .contains("\033[");
        assertThat(CommandRun.on(true, Map.of("NO_COLOR", "1"), "doctor", example.toString())
                        .out())
                .doesNotContain("\033[");
    }

    @Test
    void linesFitTheTerminal() {
        CommandRun run = CommandRun.on(true, Map.of("COLUMNS", "72", "NO_COLOR", "1"), "doctor", example.toString());

        assertThat(run.out().lines().filter(line -> !line.startsWith("  unjank query ")))
                .allSatisfy(line ->
                        assertThat(line.codePointCount(0, line.length())).isLessThanOrEqualTo(72));
    }

    /** It is one line, with the file's own name in it, also if that has to be quoted. */
    @Test
    void theCommandAtTheEndCanBePasted() throws Exception {
        Path odd = Files.copy(example, folder.resolve("it's odd.pftrace"));
        String line = doctor(odd).out().lines().reduce((_, last) -> last).orElseThrow();
        assertThat(line)
                .startsWith("  unjank query '" + odd.toString().replace("'", "'\\''") + "' \"SELECT id, ")
                .endsWith("\"");
        String sql = line.substring(line.indexOf('"') + 1, line.length() - 1).replaceAll("\\\\(.)", "$1");
        CommandRun query = CommandRun.of("query", odd.toString(), sql);
        assertThat(query.code()).isZero();
        assertThat(query.out()).contains("PRIORITY_INVERSION");
    }

    @Test
    void aTraceMayComeFromStandardInput() throws Exception {
        InputStream before = System.in;
        try {
            System.setIn(new ByteArrayInputStream(LauncherExample.trace()));
            CommandRun run = CommandRun.of("doctor", "-");

            assertThat(run.code()).isZero();
            assertThat(run.out()).contains("stdin").contains("9.148 ms");
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void nothingOnStandardInputIsReportedOfStandardInput() {
        InputStream before = System.in;
        try {
            System.setIn(InputStream.nullInputStream());

            assertThat(CommandRun.of("doctor", "-").err())
                    .isEqualTo("unjank doctor: standard input: empty file; record it again\n");
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void aNameThatNoFileCanHaveIsReportedPlainly() {
        assertThat(CommandRun.of("doctor", "").err())
                .isEqualTo(
                        "unjank doctor: the trace's file name is empty (expected a file, or - for standard input)\n");
        assertThat(CommandRun.of("doctor", "a\0b").err())
                .isEqualTo("unjank doctor: invalid file name 'a\\u0000b'; see unjank doctor --help\n");
        assertThat(CommandRun.of("doctor", "half a character: \ud800").err())
                .contains("in this locale; use one with UTF-8, such as LC_ALL=C.UTF-8; see")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nowhere.pftrace", "nowhere/boot.pftrace", "with\nline break", "", "."})
    void whatIsNoFileIsReportedInOneLine(String name) {
        assertUnusable(doctor(name.isEmpty() ? Path.of("") : folder.resolve(name)));
    }

    @Test
    void whatIsNoTraceIsReportedInOneLine() throws Exception {
        byte[] noise = new byte[10_000];
        new Random(1).nextBytes(noise);
        byte[] jpeg = {(byte) 0xff, (byte) 0xd8, (byte) 0xff, (byte) 0xe0, 0, 16, 'J', 'F', 'I', 'F', 0, 1, 1, 0, 0, 1};

        assertUnusable(doctor(Files.write(folder.resolve("empty"), new byte[0])));
        assertUnusable(doctor(Files.write(folder.resolve("noise"), noise)));
        assertUnusable(doctor(Files.write(folder.resolve("photo.jpg"), jpeg)));
        assertUnusable(doctor(Path.of("/dev/zero")));
    }

    @Test
    void aTraceCutAnywhereIsUsedOrRefusedInOneLine() throws Exception {
        byte[] whole = LauncherExample.trace();
        for (int length = 1; length < whole.length; length += 97) {
            CommandRun run = doctor(Files.write(folder.resolve("cut"), Arrays.copyOf(whole, length)));

            assertThat(run.code()).isIn(0, 2);
            assertThat(run.err()).doesNotContain("internal failure").doesNotContain("\tat ");
        }
    }

    @Test
    void aStreamWithoutEndIsCutOff() {
        byte[] endless = new byte[1 << 20];
        InputStream in = new ByteArrayInputStream(endless);

        assertThatThrownBy(() -> TraceInput.of(Path.of("-"), in, 1 << 18))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("save it to a file");
    }

    private static void assertUnusable(CommandRun run) {
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).startsWith("unjank doctor: ").hasLineCount(1).doesNotContain("Exception");
    }

    private static CommandRun doctor(Path trace, String... options) {
        String[] args = new String[options.length + 2];
        args[0] = "doctor";
        args[1] = trace.toString();
        System.arraycopy(options, 0, args, 2, options.length);
        return CommandRun.of(args);
    }

    private static List<String> topLevelFields(String json) throws Exception {
        List<String> names = new ArrayList<>();
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
            parser.nextToken();
            while (parser.nextToken() != null) {
                if (parser.currentName() != null && parser.currentToken().name().equals("PROPERTY_NAME")) {
                    names.add(parser.currentName());
                    parser.nextToken();
                    parser.skipChildren();
                }
            }
        }
        return names;
    }

    /** What cannot be read is no proof of health. */
    @Test
    void ofADamagedFileNothingIsConcluded() throws Exception {
        byte[] trace = LauncherExample.trace();
        int from = trace.length / 8;
        Arrays.fill(trace, from, from + 300, (byte) 0xff);
        CommandRun run = doctor(Files.write(folder.resolve("flip.pftrace"), trace));

        assertThat(run.code()).isZero();
        assertThat(run.err()).contains("the file is damaged at byte");
        assertThat(run.out().replace("\n", " "))
                .contains("long, readable part only")
                .containsPattern("Warning: the last 8[0-9] % of .*flip.pftrace could not be read; this diagnosis"
                        + " covers only the readable part")
                .doesNotContain("Nothing to diagnose");
    }

    /**
     * A time with several owners is attributed to none of them; the rest of a bar beyond the verdict's time is
     * separate.
     */
    @Test
    void whatSeveralOwnersDidIsPutOnNoneOfThem() {
        String example = Path.of(System.getProperty("unjank.root"), "examples/launcher-jank.pftrace")
                .toString();
        String out = CommandRun.of("doctor", "--incidents", example).out().replaceAll("\\s+", " ");

        assertThat(out)
                .contains(
                        "The waiter had a higher priority than the owners, which were runnable (waiting for a CPU) for")
                .containsPattern(
                        "(The owners were|The owner was) runnable \\(waiting for a CPU\\) for [0-9.]+ ms (in total )?before the lock was released\\. ");
    }

    @Test
    void aNameWithControlCharactersCanBePasted() {
        assertThat(DoctorCommand.inShell("plain.pftrace")).isEqualTo("plain.pftrace");
        assertThat(DoctorCommand.inShell("it's odd")).isEqualTo("'it'\\''s odd'");
        assertThat(DoctorCommand.inShell("it's\n\u001b\\é")).isEqualTo("$'it\\047s\\012\\033\\134\\303\\251'");
    }
}
