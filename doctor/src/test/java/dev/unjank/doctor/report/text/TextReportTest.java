package dev.unjank.doctor.report.text;

import static dev.unjank.scene.Scene.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.report.DurationFormat;
import dev.unjank.doctor.report.JudgementMessages;
import dev.unjank.doctor.report.WaitMessages;
import dev.unjank.doctor.report.text.TextReport.Style;
import dev.unjank.doctor.scene.RealTraceDiagnoses;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.StubQueries;
import dev.unjank.doctor.scene.SyntheticTrace;
import dev.unjank.scene.ArtContention;
import dev.unjank.scene.LauncherExample;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneProcess;
import dev.unjank.scene.SceneThread;
import dev.unjank.trace.model.SchedState;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextReportTest {
    private static final Diagnosis LAUNCHER =
            Doctor.diagnose(SceneDiagnoses.read(LauncherExample.trace()), DoctorOptions.defaults());

    private static String resource(String name) throws IOException {
        try (InputStream in = TextReportTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** The first line is the trace's name, which here is that of a temporary file. */
    private static String withoutName(String text) {
        return text.substring(text.indexOf('\n') + 1);
    }

    /** A command line is one line, so that it can be pasted. */
    private static boolean isNoCommand(String line) {
        return !line.startsWith("  " + StubQueries.OF_TRACE.command());
    }

    @Test
    void theWholeReport() throws IOException {
        assertThat(withoutName(TextReport.of(LAUNCHER, Style.plain(), StubQueries.OF_TRACE)))
                .isEqualTo(resource("launcher.txt"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 40, 53, 69, 70, 80, 100, 140, 250})
    void noLineIsTooLong(int width) {
        for (int full : new int[] {0, 10}) {
            Style style = new Style(width, false, true, full, true);
            assertThat(withoutName(TextReport.of(LAUNCHER, style, StubQueries.OF_TRACE))
                            .lines()
                            .filter(TextReportTest::isNoCommand))
                    .allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(Math.max(40, width)))
                    .allSatisfy(line -> assertThat(line).isEqualTo(line.stripTrailing()));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 70, 100})
    void noLineOfRealTracesIsTooLong(int width) {
        Diagnosis diagnosis = RealTraceDiagnoses.everything(RealTraceDiagnoses.ANDROID_13);
        assertThat(withoutName(TextReport.of(diagnosis, new Style(width, false, true, 60, true), StubQueries.OF_TRACE))
                        .lines()
                        .filter(TextReportTest::isNoCommand))
                .allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(width));
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 70, 100})
    void coloursOnlyAddColours(int width) {
        String coloured = TextReport.of(LAUNCHER, new Style(width, true, true, 1, true));
        String plain = TextReport.of(LAUNCHER, new Style(width, false, true, 1, true));
        assertThat(coloured).contains("\u001b[1;31mPRIORITY_INVERSION");
        assertThat(plain).doesNotContain("\u001b");
        assertThat(coloured.replaceAll("\u001b\\[[0-9;]*m", "").replaceAll(" +\n", "\n"))
                .isEqualTo(plain);
    }

    @Test
    void asciiOnly() {
        assertThat(TextReport.of(LAUNCHER, new Style(60, false, false, 1, true)))
                .matches(text -> text.chars().allMatch(c -> c < 128));
    }

    @Test
    void incidentsBeyondTheFirstAreLines() {
        String text = TextReport.of(LAUNCHER, new Style(100, false, true, 1, true));
        assertThat(text)
                .contains("     #2    3.500 ms  SLEEPING_OWNER      com.android.launcher3 by launcher-loader\n");
    }

    @Test
    void shortWaitsAreCounted() {
        DoctorOptions options = DoctorOptions.defaults().withMinDuration(Duration.ofMillis(20));
        Diagnosis diagnosis = Doctor.diagnose(SceneDiagnoses.read(LauncherExample.trace()), options);
        assertThat(TextReport.of(diagnosis, Style.plain()))
                .contains("Nothing to diagnose: 2 waits found, none of at least 20 ms (longest: 9.148 ms).\n");
    }

    @Test
    void aDeadlockIsSpeltOut() {
        Scene scene = new Scene();
        SceneProcess app = scene.process(1000, "com.example.app");
        SceneThread main = app.mainThread("com.example.app", 110);
        SceneThread worker = app.thread(1001, "worker", 120);
        main.runs(0, ms(1)).blocksOn(ArtContention.heldBy(worker)).sleeps(ms(20));
        worker.runs(1, ms(2)).blocksOn(ArtContention.heldBy(main)).sleeps(ms(20));
        app.thread(1002, "other", 120).runs(2, ms(12));
        Diagnosis diagnosis = SceneDiagnoses.diagnose(scene, DoctorOptions.defaults());
        assertThat(JudgementMessages.of(diagnosis))
                .contains(
                        "Deadlock (incident #1). Waiter: com.example.app, blocked for 11.000 ms on a monitor. Cycle: com.example.app and worker wait for"
                                + " each other.");
        String text = TextReport.of(diagnosis, Style.plain());
        assertThat(text)
                .contains("11.000 ms, unfinished ━━ DEADLOCK ━")
                .contains("  Nested owner   com.example.app  main thread, tid 1000, priority 110\n")
                .contains("These threads waited for each other, and none of them continued.");
    }

    /** What a trace calls its processes gets into the command, and must stay a word of it. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            name = 'it''s'   | "name = 'it''s'"
            a "$(id)" `id` \\ | "a \\"\\$(id)\\" \\`id\\` \\\\"
            wow!' rm         | 'wow!'\\'' rm'
            """, quoteCharacter = '~')
    void whatIsPastedIntoAShellStaysOneWord(String text, String word) {
        assertThat(TraceSections.inShell(text)).isEqualTo(word);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0.000 ms",
        "499, 0.000 ms",
        "500, 0.001 ms",
        "9148001, 9.148 ms",
        "999999499, 999.999 ms",
        "999999500, 1.000 s",
        "1121600000, 1.122 s",
    })
    void times(long ns, String text) {
        assertThat(DurationFormat.time(ns)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0, 0 ms", "1000000, 1 ms", "1500000, 1.5 ms", "20000000, 20 ms", "9148001, 9.148 ms", "2000000000, 2 s"
    })
    void roundTimes(long ns, String text) {
        assertThat(DurationFormat.roundTime(ns)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "0,  0,  ▏",
        "1,  1,  ▏",
        "50, 50, █████",
        "51, 51, █████▏",
        "50, 90, █████░░░░",
        "0,  90, ░░░░░░░░░",
        "99, 99, █████████▉",
        "100, 100, ██████████",
    })
    void bars(long part, long total, String bar) {
        assertThat(new TextPage(Style.plain()).bar(part, total, 100, 10)).isEqualTo(bar);
    }

    /** A preempted thread waits for its CPU, a woken one for the CPUs on which it ran: the report names them. */
    @Test
    void whichCpusCountedIsSaid() {
        assertThat(preemptedBy(false))
                .contains("  ran meanwhile on CPU 1 ")
                .contains("Only the CPU that the runnable thread waited for is counted.");
        assertThat(preemptedBy(true)).contains("  ran meanwhile on CPUs 1 and 2 ");
    }

    private static String preemptedBy(boolean woken) {
        Scene scene = new Scene();
        SceneProcess app = scene.process(1000, "com.example.app");
        SceneThread main = app.mainThread("com.example.app", 110);
        SceneThread worker = app.thread(1001, "worker", 120);
        worker.runs(2, ms(0.5)).sleeps(ms(0.6)).runs(1, ms(2));
        if (woken) {
            worker.sleeps(ms(3));
        }
        worker.runnable(ms(6)).runs(1, ms(9.1));
        SceneThread other = app.thread(1002, "other", 115);
        other.sleeps(ms(1.9)).runnable(ms(2)).runs(1, ms(6));
        main.runs(0, ms(1)).blocksOn(ArtContention.heldBy(worker)).sleeps(ms(9)).wokenBy(worker);
        main.runnable(ms(9.05)).acquires().runs(0, ms(10));
        return TextReport.of(SceneDiagnoses.diagnose(scene, DoctorOptions.defaults()), Style.plain());
    }

    /** The kernel changes priorities: that at the beginning may not be the one in which the owner had no CPU. */
    @Test
    void thePriorityOfTheBlamedStretchIsShown() {
        Scene scene = new Scene();
        SceneProcess app = scene.process(1000, "com.example.app");
        SceneThread main = app.mainThread("com.example.app", 110);
        SceneThread worker = app.thread(1001, "worker", 100);
        worker.runs(1, ms(2)).sleeps(ms(2.1)).priority(115).runnable(ms(6)).runs(1, ms(9.1));
        SceneThread other = app.thread(1002, "other", 112);
        other.sleeps(ms(1.9)).runnable(ms(2)).runs(1, ms(6));
        main.runs(0, ms(1)).blocksOn(ArtContention.heldBy(worker)).sleeps(ms(9)).wokenBy(worker);
        main.runnable(ms(9.05)).acquires().runs(0, ms(10));
        assertThat(TextReport.of(SceneDiagnoses.diagnose(scene, DoctorOptions.defaults()), Style.plain()))
                .contains("  Owner          worker  tid 1001, priority 115 while runnable, otherwise 100\n");
    }

    /** A bar that says "unknown, 100 %" would only look like knowledge. */
    @Test
    void nothingIsDrawnOfAnOwnerOfWhomNothingIsKnown() {
        Scene scene = new Scene();
        SceneProcess app = scene.process(1000, "com.example.app");
        SceneThread main = app.mainThread("com.example.app", 110);
        app.thread(1001, "worker", 120).runs(1, ms(5));
        main.runs(0, ms(1))
                .blocksOn(new ArtContention("ghost", 7, null, "null(null:0)", 0, -1))
                .sleeps(ms(4))
                .runnable(ms(4.1))
                .acquires()
                .runs(0, ms(5));
        assertThat(TextReport.of(SceneDiagnoses.diagnose(scene, DoctorOptions.defaults()), Style.plain()))
                .contains("  ghost held the lock; what it did is not recorded.\n\n1 wait ")
                .doesNotContain("100 %");
    }

    /** What the owner did after it let go of the lock is drawn lightly. */
    @Test
    void afterTheLockWasFree() {
        Scene scene = new Scene();
        SceneProcess app = scene.process(1000, "com.example.app");
        SceneThread main = app.mainThread("com.example.app", 110);
        SceneThread worker = app.thread(1001, "worker", 120);
        worker.runs(1, ms(6.5));
        main.runs(0, ms(1)).blocksOn(ArtContention.heldBy(worker)).sleeps(ms(3)).wokenBy(worker);
        main.runnable(ms(6)).acquires().runs(0, ms(7));
        String text = TextReport.of(SceneDiagnoses.diagnose(scene, DoctorOptions.defaults()), Style.plain());
        assertThat(text)
                .contains("    running  ████████████░░░░░░░░░░░░░░░░░░    5.000 ms 100 %\n")
                .contains("             ░ after the lock was released\n");
    }

    /** A recording that has no file names gives the class, which the method names already. */
    @ParameterizedTest
    @CsvSource({
        "a.B.c, B.java, 77, B.java:77",
        "a.B.c, B, 77, line 77",
        "a.B$C.d, B, 77, line 77",
        "a.B.c, SourceFile, 77, SourceFile:77",
        "c, B, 77, B:77"
    })
    void places(String method, String file, int line, String place) {
        assertThat(WaitMessages.source(new CodeLocation(method, file, line))).isEqualTo(place);
    }

    @Test
    void aNameWithoutEndIsCut() {
        SyntheticTrace stage = new SyntheticTrace()
                .process(SyntheticTrace.APP, "M".repeat(1 << 20))
                .slice(SyntheticTrace.APP, "Choreographer#doFrame 1", 1, 40)
                .runs(SyntheticTrace.APP, 1, 40, SchedState.SLEEPING);

        String text = TextReport.of(stage.diagnose(DoctorOptions.defaults()), TextReport.Style.plain());

        assertThat(text).hasSizeLessThan(20_000).contains("... (1048576 characters)");
    }

    @Test
    void aWordLongerThanALineGoesOnInTheNext() {
        String words = "x".repeat(250) + " y";

        assertThat(new TextPage(new TextReport.Style(100, false, true, 0, false))
                        .wrapped("- ", words)
                        .toString())
                .isEqualTo("- " + "x".repeat(98) + "\n  " + "x".repeat(98) + "\n  " + "x".repeat(54) + " y\n");
    }
}
