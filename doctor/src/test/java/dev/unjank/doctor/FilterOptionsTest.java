package dev.unjank.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.report.JudgementMessages;
import dev.unjank.doctor.report.SummaryMessages;
import dev.unjank.doctor.report.json.JsonReport;
import dev.unjank.doctor.report.text.TextReport;
import dev.unjank.doctor.scene.StubQueries;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import dev.unjank.doctor.scene.SyntheticTrace;
import dev.unjank.trace.model.SchedState;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which threads and lengths are asked for chooses what is shown, and changes nothing else. */
class FilterOptionsTest {
    private static final int DRAWS = 111;

    private final SyntheticJvmTrace stage = new SyntheticJvmTrace();

    /**
     * Of two late frames one waits 12 ms for the worker and the other 4 ms; the worker waits longest, for the other
     * thread.
     */
    @BeforeEach
    void twoLateFrames() {
        stage.name(DRAWS, "draws")
                .frame(DRAWS, "draws", 1, 0, 20)
                .message(DRAWS, 1, 20, "app.Ui: #1")
                .waits(DRAWS, 5, 17, "worker", SyntheticJvmTrace.WORKER)
                .sampled(SyntheticJvmTrace.WORKER, 6, "app.Worker.work")
                .frame(DRAWS, "draws", 2, 30, 50)
                .message(DRAWS, 31, 50, "app.Ui: #1")
                .waits(DRAWS, 40, 44, "other", SyntheticJvmTrace.OTHER)
                .waits(SyntheticJvmTrace.WORKER, 60, 90, "other", SyntheticJvmTrace.OTHER);
    }

    @AfterEach
    void close() {
        stage.close();
    }

    private static DoctorOptions options(String thread, double leastMs) {
        return DoctorOptions.defaults()
                .withThread(thread)
                .withMinDuration(Duration.ofNanos(Math.round(leastMs * SyntheticJvmTrace.MS)));
    }

    private static List<String> causes(Diagnosis diagnosis) {
        return diagnosis.frames().stream()
                .filter(Frame::missed)
                .map(frame -> frame.startNs() / SyntheticJvmTrace.MS + " " + Objects.toString(diagnosis.causeOf(frame)))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        ", 0",
        ", 5",
        ", 20",
        ", 1000",
        "all, 1",
        "all, 0",
        "all, 20",
        "draws, 1",
        "worker, 1",
        "other, 0",
        "main, 1"
    })
    void causesAndSummaryStay(String thread, double leastMs) {
        Diagnosis whole = stage.diagnose();
        assertThat(causes(whole)).hasSize(2).noneMatch(cause -> cause.endsWith("null"));
        Diagnosis filtered = stage.diagnose(options(thread, leastMs));
        assertThat(causes(filtered)).isEqualTo(causes(whole));
        assertThat(filtered.summary()).isEqualTo(whole.summary());
    }

    @ParameterizedTest
    @CsvSource({", 0", ", 5", ", 12", "all, 1", "all, 0"})
    void theAnswerStays(String thread, double leastMs) {
        String answer = JudgementMessages.of(stage.diagnose());
        assertThat(answer)
                .startsWith(
                        "Root cause of missed frames: long hold time (incident #1). Waiter: draws in app.Main, blocked for 12.000 ms on a"
                                + " monitor of app.Store.")
                .contains(" Cost: 12.000 ms of wait time in missed frames.");
        assertThat(JudgementMessages.of(stage.diagnose(options(thread, leastMs))))
                .isEqualTo(answer);
    }

    @Test
    void thatTheWorstIsTooShortToBeShownIsSaid() {
        Diagnosis diagnosis = stage.diagnose(options(null, 20));
        assertThat(diagnosis.incidents())
                .singleElement()
                .satisfies(shown -> assertThat(shown.rootWait().thread().name()).isEqualTo("worker"));
        assertThat(JudgementMessages.of(diagnosis))
                .contains("draws in app.Main, blocked for 12.000 ms", "(shorter than the minimum of 20 ms).")
                .doesNotContain("#");
        assertThat(TextReport.of(diagnosis, TextReport.Style.plain()))
                .contains("12.000 ms  LONG_HOLD by worker (not shown)")
                .contains("Missed frames  2 of 2");
    }

    @Test
    void aFilteredReportNamesTheWorstOfTheRestToo() {
        assertThat(JudgementMessages.of(stage.diagnose(options("worker", 1))))
                .startsWith("Longest wait: unknown (incident #1). Waiter: worker in app.Main, blocked for 30.000 ms")
                .contains(
                        "Worse incident: long hold time (not shown), cost 12.000 ms of wait time in missed frames; draws in app.Main, blocked for"
                                + " 12.000 ms");
        assertThat(JudgementMessages.of(stage.diagnose(options("draws", 1))))
                .startsWith(
                        "Root cause of missed frames: long hold time (incident #1). Waiter: draws in app.Main, blocked for 12.000 ms")
                .doesNotContain("Worse");
        assertThat(JudgementMessages.of(stage.diagnose(options("main", 1))))
                .contains("Worse incident: ", " (not shown), cost ");
    }

    /** Late for its own work: that is said whichever waits are shown. */
    @Test
    void whoWorkedForLongDidNotWaitForNothing() {
        stage.frame(DRAWS, "draws", 3, 100, 160)
                .message(DRAWS, 101, 160, "app.Ui: #1")
                .waits(DRAWS, 105, 108, "other", SyntheticJvmTrace.OTHER);
        for (double least : new double[] {1, 5, 100}) {
            assertThat(JudgementMessages.of(stage.diagnose(options(null, least))))
                    .contains(
                            "own work of app.Main, not a wait. Frame: 60.000 ms (the longest missed one): 3.000 ms in waits of at least 1 ms; ",
                            "the rest was work, sleep or shorter waits. Slices: app.Ui: #1 (56.000 ms) on draws. Look at:"
                                    + " app.Main.");
        }
    }

    @Test
    void inJsonWhatIsNotShownHasNoNumber() throws IOException {
        assertThat(json(stage.diagnose())).contains("\"worst\" : 1,").doesNotContain("\"incident\" : null");
        assertThat(json(stage.diagnose(options(null, 20))))
                .as("root cause 1 of the waits that are shown")
                .contains("\"worst\" : 1,")
                .contains(
                        "\"incident\" : null,\n          \"overlapNs\" : 12000000,\n          \"verdict\" : \"LONG_HOLD\"")
                .contains("\"cause\" : \"LONG_HOLD\"");
    }

    /**
     * A thread that is not selected by default waits longer in the same frame. It costs the missed frame nothing, even
     * if an option selects it.
     */
    @Test
    void whoDoesNotDrawIsNoCause() {
        String waits = "monitor contention with owner worker (1001) waiters=0";
        for (String thread : new String[] {null, "all", "background"}) {
            Diagnosis diagnosis = new SyntheticTrace()
                    .process(SyntheticTrace.APP, "com.example.app")
                    .thread(1001, SyntheticTrace.APP, "worker", 110)
                    .thread(1002, SyntheticTrace.APP, "background", 110)
                    .slice(SyntheticTrace.APP, "Choreographer#doFrame 1", 1, 40)
                    .slice(SyntheticTrace.APP, waits, 5, 9)
                    .slice(1002, waits, 5, 35)
                    .runs(1001, 1, 8.9, SchedState.SLEEPING)
                    .runs(SyntheticTrace.APP, 1, 5, SchedState.SLEEPING)
                    .wakes(1001, 8.9, SyntheticTrace.APP)
                    .runs(SyntheticTrace.APP, 9, 40, SchedState.SLEEPING)
                    .runs(1002, 1, 5, SchedState.SLEEPING)
                    .runs(1002, 35, 36, SchedState.SLEEPING)
                    .diagnose(options(thread, 1));
            assertThat(diagnosis.frames())
                    .singleElement()
                    .satisfies(frame -> assertThat(diagnosis.causeOf(frame)).isEqualTo(Verdict.LONG_HOLD));
            assertThat(diagnosis.costs()).hasSize(1);
        }
    }

    /** What the answer is about is what to do something about first, whatever took the most time. */
    @Test
    void adviceBeginsWithTheAnswersVerdict() {
        String text = TextReport.of(stage.diagnose(), TextReport.Style.plain());
        assertThat(text.substring(text.indexOf("Next steps")))
                .startsWith("Next steps\n  LONG_HOLD            Shorten the hold");
    }

    private static String json(Diagnosis diagnosis) throws IOException {
        StringWriter out = new StringWriter();
        JsonReport.write(diagnosis, StubQueries.OF_TRACE, out);
        return out.toString();
    }

    /** Two processes in which two threads each wait for a lock. */
    private static SyntheticTrace locksInTwoProcesses() {
        SyntheticTrace two = new SyntheticTrace();
        for (int pid : new int[] {SyntheticTrace.APP, SyntheticTrace.SERVER}) {
            two.process(pid, "process " + pid)
                    .thread(pid + 1, pid, "holder", 110)
                    .thread(pid + 2, pid, "background", 110)
                    .slice(pid, "monitor contention with owner holder (" + (pid + 1) + ") waiters=0", 5, 9)
                    .slice(pid + 2, "monitor contention with owner holder (" + (pid + 1) + ") waiters=0", 5, 9);
        }
        return two;
    }

    @ParameterizedTest
    @CsvSource({", , twice", ", process 1000, once", "all, process 1000, ", "all, , "})
    void otherThreadsAreThoseThatCouldBeAskedForAsWell(String thread, String process, String times) {
        String summary = String.join(
                "\n",
                SummaryMessages.of(
                        locksInTwoProcesses().diagnose(options(thread, 1).withProcess(process))));
        if (times == null) {
            assertThat(summary).doesNotContain("Other threads");
        } else {
            assertThat(summary)
                    .contains("Other threads waited " + times + " for locks (--thread all shows these waits).");
        }
    }

    /** A reply that took less than a millisecond is never shown, so no option is named that would show it. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            1   | 1 wait of at least 1 ms (4.000 ms in total)     | not listed (--min-ms).
            0.5 | 1 wait of at least 0.5 ms (4.000 ms in total)   | and pauses is 1 ms; --min-ms sets that for other waits).
            0   | 1 wait (4.000 ms in total)                      | and pauses is 1 ms).
            """)
    void whyShorterOnesAreLeftOut(double leastMs, String waits, String why) {
        Diagnosis diagnosis = locksInTwoProcesses()
                .call(SyntheticTrace.APP, 20, 20.7, SyntheticTrace.SERVER, 20.1, 20.6)
                .diagnose(options(null, leastMs).withProcess("process 1000"));
        assertThat(SummaryMessages.of(diagnosis).getFirst())
                .startsWith(waits)
                .contains("1 shorter wait not listed (", why);
    }
}
