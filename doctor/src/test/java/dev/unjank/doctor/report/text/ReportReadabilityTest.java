package dev.unjank.doctor.report.text;

import static dev.unjank.doctor.scene.SyntheticTrace.APP;
import static dev.unjank.doctor.scene.SyntheticTrace.SERVER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Judgement;
import dev.unjank.doctor.model.Severity;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.report.JudgementMessages;
import dev.unjank.doctor.report.PauseMessages;
import dev.unjank.doctor.report.SummaryMessages;
import dev.unjank.doctor.report.WarningMessages;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import dev.unjank.doctor.scene.SyntheticTrace;
import dev.unjank.scene.ArtContention;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneProcess;
import dev.unjank.scene.SceneThread;
import dev.unjank.trace.model.SchedState;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a reader who knows nothing of tracing stumbled over: names that were cut, sums that did not add up, threads
 * counted twice.
 */
class ReportReadabilityTest {
    private static final String LONG = "com.example.an.application.with.a.long.name.indeed.ab";

    private final SyntheticTrace stage = new SyntheticTrace();

    private String report(TextReport.Style style) {
        return TextReport.of(stage.diagnose(DoctorOptions.defaults()), style);
    }

    private static TextReport.Style style(int full) {
        return new TextReport.Style(100, false, true, full, false);
    }

    /**
     * An app's main thread is ready to run for a while, in which one thread has each of two priorities and another has
     * one.
     */
    private void starved() {
        stage.process(APP, "com.example.app")
                .process(SERVER, "server")
                .thread(2010, SERVER, "two", 120)
                .thread(2020, SERVER, "one", 112)
                .slice(APP, "work", 1, 40)
                .runs(APP, 1, 2, SchedState.SLEEPING)
                .runsOn(0, 2010, 3, 8, SchedState.RUNNABLE)
                .wakes(2010, 5, APP)
                .runsOn(0, 2020, 8, 12, SchedState.SLEEPING)
                .thread(2010, SERVER, "two", 105)
                .runsOn(0, 2010, 12, 14, SchedState.SLEEPING)
                .runsOn(0, APP, 14, 40, SchedState.SLEEPING);
    }

    /** A thread that changed its priority is one thread; the report shows the priority that it had longest. */
    @Test
    void whoRanAtTwoPrioritiesIsOneThread() {
        starved();
        Diagnosis diagnosis = stage.diagnose(DoctorOptions.defaults());
        Incident incident = diagnosis.incidents().getFirst();
        assertThat(incident.preemptingThreads())
                .hasSize(3)
                .first()
                .satisfies(most -> assertThat(most.thread().name()).isEqualTo("one"));
        assertThat(incident.preemptedBy())
                .extracting(preempting ->
                        preempting.thread().name() + " " + preempting.thread().priority() + " " + preempting.ranNs())
                .containsExactly("two 120 5000000", "one 112 4000000");
        assertThat(TextReport.of(diagnosis, TextReport.Style.plain()))
                .contains("  Ran meanwhile  two in server\n")
                .contains("    two in server                                                120 lower, also 105")
                .contains("    one in server                                                112 lower   ");
    }

    /** Where one CPU counts, it is said why; where several do, that the times may not add up. */
    @ParameterizedTest
    @CsvSource({
        "0, 'ran meanwhile on CPU 0 ',        'Only the CPU that the runnable thread waited for is counted.'",
        "1, 'ran meanwhile on CPUs 0 and 1 ', '(Per-CPU times; they overlap.)'",
    })
    void whatTheSumMeans(int otherCpu, String heading, String words) {
        starved();
        stage.runsOn(otherCpu, APP, 41, 42, SchedState.SLEEPING);
        assertThat(report(TextReport.Style.plain()))
                .contains(heading)
                .containsOnlyOnce("    " + words)
                .doesNotContain(otherCpu == 1 ? "other CPUs are not counted" : "they overlap");
    }

    /**
     * A line contains both names as far as there is room. The ends of thread names are kept, since threads differ
     * there.
     */
    @ParameterizedTest
    @CsvSource({
        "worker,                                com.example.an.applicati…th.a.long.name.indeed.ab by worker",
        "a worker whose name is of some length,      com.example.an.…name.indeed.ab by a worker w…of some length",
    })
    void bothNamesOfALineAreTold(String worker, String line) {
        stage.process(APP, LONG)
                .thread(1002, APP, worker, 120)
                .slice(APP, contention(worker), 5, 15)
                .runs(APP, 1, 5, SchedState.SLEEPING)
                .runs(1002, 2, 20, SchedState.SLEEPING)
                .wakes(1002, 15, APP)
                .runs(APP, 15.1, 20, SchedState.SLEEPING)
                .process(SERVER, "server")
                .slice(SERVER, "work", 1, 20)
                .runs(SERVER, 1, 20, SchedState.SLEEPING);
        TextPage page = new TextPage(style(0));
        new IncidentTable(page).write(stage.incidents());
        assertThat(page.toString()).contains("LONG_HOLD           " + line + "\n");
    }

    private static String contention(String owner) {
        return "monitor contention with owner " + owner
                + " (1002) at void a.B.c()(B.java:1) waiters=0 blocking from void d.E.f()(E.java:2)";
    }

    /** A name may hold characters of two parts, of which none is left alone. */
    @Test
    void aCutNeverHalvesACharacter() {
        TextPage page = new TextPage(style(0));
        String text = "😀😀😀😀😀😀";
        for (int width = 1; width < text.length(); width++) {
            String cut = page.fitAround(text, width);
            assertThat(cut.length()).isLessThanOrEqualTo(width);
            assertThat(cut.replace("😀", "")).isEqualTo("…");
        }
        assertThat(page.fitAround("binder:1286_17", 10)).isEqualTo("binde…6_17");
        assertThat(page.fitAround("binder:1286_17", 14)).isEqualTo("binder:1286_17");
    }

    /** A thread further down the chain is reported if it took at least a twentieth of the wait. */
    @ParameterizedTest
    @CsvSource({"10, true", "9.9, false"})
    void aTrifleDownTheChainIsNotTold(double until, boolean isTold) {
        stage.process(APP, "com.example.app")
                .thread(1002, APP, "worker", 120)
                .thread(1003, APP, "third", 120)
                .slice(APP, contention("worker"), 5, 45)
                .slice(1002, contention("third").replace("1002", "1003"), 8, 8 + (until - 8))
                .runs(APP, 1, 5, SchedState.SLEEPING)
                .runs(1002, 2, 8, SchedState.SLEEPING)
                .runs(1003, 2, until, SchedState.SLEEPING)
                .wakes(1003, until, 1002)
                .runs(1002, until, 45, SchedState.SLEEPING)
                .wakes(1002, 45, APP)
                .runs(APP, 45, 50, SchedState.SLEEPING);
        String text = report(TextReport.Style.plain());
        assertThat(text).contains("was itself blocked for " + (isTold ? "2.000" : "1.900") + " ms");
        assertThat(text.contains("  Nested owner   third")).isEqualTo(isTold);
    }

    /** The responsible thread is reported, however short the wait for it. */
    @Test
    void whoIsToBlameIsToldWhereverInTheChain() {
        stage.process(APP, "com.example.app")
                .thread(1002, APP, "worker", 110)
                .thread(1003, APP, "third", 130)
                .process(SERVER, "server")
                .thread(2003, SERVER, "greedy", 120)
                .slice(APP, contention("worker"), 5, 45)
                .slice(1002, contention("third").replace("1002", "1003"), 8, 9)
                .runs(APP, 1, 5, SchedState.SLEEPING)
                .runs(1002, 2, 8, SchedState.SLEEPING)
                .runs(1003, 2, 8.1, SchedState.RUNNABLE)
                .runs(2003, 8.1, 8.9, SchedState.SLEEPING)
                .runs(1003, 8.9, 9, SchedState.SLEEPING)
                .wakes(1003, 9, 1002)
                .runs(1002, 9, 45, SchedState.SLEEPING)
                .wakes(1002, 45, APP)
                .runs(APP, 45, 50, SchedState.SLEEPING);
        Diagnosis diagnosis = stage.diagnose(DoctorOptions.defaults());
        Judgement judgement = diagnosis.incidents().getFirst().judgement();
        assertThat(judgement.verdict()).isEqualTo(Verdict.PRIORITY_INVERSION);
        assertThat(judgement.responsibleThread().name()).isEqualTo("third");
        assertThat(TextReport.of(diagnosis, TextReport.Style.plain())).contains("  Nested owner   third");
    }

    /** And so are all who wait for each other, which they may have done for a short time only. */
    @Test
    void aCircleIsToldWhole() {
        Scene scene = new Scene();
        SceneProcess app = scene.process(APP, "com.example.app");
        SceneThread main = app.mainThread("com.example.app", 120);
        SceneThread worker = app.thread(1001, "worker", 120);
        main.runs(0, Scene.ms(1)).blocksOn(ArtContention.heldBy(worker)).sleeps(Scene.ms(120));
        worker.runs(1, Scene.ms(98)).blocksOn(ArtContention.heldBy(main)).sleeps(Scene.ms(120));
        scene.process(SERVER, "server").mainThread("server", 120).runs(2, Scene.ms(100));
        Diagnosis diagnosis = SceneDiagnoses.diagnose(scene, DoctorOptions.defaults());
        assertThat(diagnosis.incidents().getFirst().verdict()).isEqualTo(Verdict.DEADLOCK);
        assertThat(TextReport.of(diagnosis, TextReport.Style.plain())).contains("  Nested owner   com.example.app");
    }

    /** An option that selects a thread selects its waits only. */
    @ParameterizedTest
    @CsvSource({"main, true", "third, false"})
    void whatThereIsOfAKindIsOfWhoWasAskedFor(String thread, boolean isTold) {
        stage.process(APP, "com.example.app")
                .thread(1002, APP, "worker", 120)
                .thread(1003, APP, "third", 120)
                .runs(APP, 0, 1, SchedState.SLEEPING)
                .runs(1003, 0, 1, SchedState.SLEEPING)
                .runs(1002, 0, 200, SchedState.SLEEPING);
        for (int i = 0; i < 12; i++) {
            double at = 1 + 10 * i;
            stage.slice(APP, contention("worker"), at, at + 5)
                    .wakes(1002, at + 5, APP)
                    .runs(APP, at + 5, at + 10, SchedState.SLEEPING);
        }
        stage.slice(1003, contention("worker"), 2, 5).wakes(1002, 5, 1003).runs(1003, 5, 6, SchedState.SLEEPING);
        String text = TextReport.of(
                stage.diagnose(new DoctorOptions(thread, null, Duration.ofMillis(1))), TextReport.Style.plain());
        assertThat(text.contains("Same verdict   12 waits")).isEqualTo(isTold);
        assertThat(text.contains("12 waits of at least")).isEqualTo(isTold);
    }

    /** The longest waits of a frame are listed; of the others there is a sum. */
    @ParameterizedTest
    @CsvSource({"5, false", "6, true", "7, true"})
    void theWaitsOfAFrameAddUp(int waits, boolean areMore) {
        stage.process(APP, "com.example.app")
                .thread(1002, APP, "worker", 120)
                .begins(APP, "Choreographer#doFrame 1", 1);
        stage.runs(APP, 1, 5, SchedState.SLEEPING).runs(1002, 1, 90, SchedState.SLEEPING);
        for (int i = 0; i < waits; i++) {
            double at = 5 + 10 * i;
            stage.slice(APP, contention("worker"), at, at + 4)
                    .wakes(1002, at + 4, APP)
                    .runs(APP, at + 4, at + 10, SchedState.SLEEPING);
        }
        stage.ends(APP, 85);
        String more = "          " + (waits == 6 ? "4.000 ms  in 1 more wait\n" : "8.000 ms  in 2 more waits\n");
        String text = report(style(0));
        assertThat(text.contains("more wait")).isEqualTo(areMore);
        if (areMore) {
            assertThat(text).contains(more);
        }
    }

    /** That nothing was found does not mean that nobody waited: others are looked at only if that is asked for. */
    @Test
    void whoElseWaitedIsCounted() {
        stage.process(APP, "com.example.app")
                .thread(1002, APP, "worker", 120)
                .thread(1003, APP, "third", 120)
                .runs(1002, 1, 2, SchedState.UNINTERRUPTIBLE)
                .runs(1002, 5, 6, SchedState.UNINTERRUPTIBLE)
                .runs(1002, 6.5, 7, SchedState.SLEEPING) // too short
                .runs(1003, 1, 2, SchedState.UNINTERRUPTIBLE)
                .runs(1003, 4, 5, SchedState.SLEEPING);
        Diagnosis diagnosis = stage.diagnose(DoctorOptions.defaults());
        assertThat(diagnosis.search().waitsOfOtherThreads()).isEqualTo(2);
        assertThat(JudgementMessages.of(diagnosis))
                .endsWith("Other threads: waited twice for 1 ms or longer (--thread all shows these waits).");
        assertThat(SummaryMessages.of(diagnosis).getFirst())
                .startsWith(
                        "Nothing to diagnose: no waits found for the threads selected by default (--thread all selects all).");
    }

    @ParameterizedTest
    @CsvSource({", 2.5, 1", ", 0, 3", ", 10, 0", "all, 0, 0", "main, 0, 0"})
    void whoElseWaitedLongEnough(String thread, double leastMs, int defaultSelection) {
        stage.process(APP, "com.example.app")
                .thread(1002, APP, "worker", 120)
                .runs(1002, 1, 2, SchedState.UNINTERRUPTIBLE)
                .runs(1002, 5, 6, SchedState.UNINTERRUPTIBLE)
                .runs(1002, 8, 9, SchedState.UNINTERRUPTIBLE)
                .runs(1002, 10, 11, SchedState.SLEEPING);
        DoctorOptions options = DoctorOptions.defaults().withThread(thread);
        Diagnosis diagnosis = stage.diagnose(options.withMinDuration(Duration.ofNanos(SyntheticTrace.ns(leastMs))));
        assertThat(diagnosis.incidents()).hasSize("all".equals(thread) ? 3 : 0);
        assertThat(diagnosis.search().waitsOfOtherThreads()).isEqualTo(defaultSelection);
        assertThat(JudgementMessages.of(diagnosis).contains("--thread all")).isEqualTo(defaultSelection > 0);
    }

    /** If something was found, it is reported, and the rest is not counted. */
    @Test
    void whoElseWaitedIsNotCountedBesideWhatWasFound() {
        stage.process(APP, "com.example.app")
                .thread(1002, APP, "worker", 120)
                .slice(APP, "work", 1, 20)
                .runs(APP, 1, 2, SchedState.UNINTERRUPTIBLE)
                .runs(APP, 5, 6, SchedState.SLEEPING)
                .runs(1002, 1, 2, SchedState.UNINTERRUPTIBLE)
                .runs(1002, 5, 6, SchedState.SLEEPING);
        Diagnosis diagnosis = stage.diagnose(DoctorOptions.defaults());
        assertThat(diagnosis.incidents()).hasSize(1);
        assertThat(diagnosis.search().waitsOfOtherThreads()).isZero();
    }

    /**
     * Ten waits of one kind are more than the longest of them, and of another kind may be more than what cost a frame
     * most.
     */
    @ParameterizedTest
    @CsvSource({
        "10, ' Same verdict: 10 waits of at least 1 ms, 20.000 ms in total. Look at'",
        "9,  ' in uninterruptible sleep for 2.000 ms. Look at'",
    })
    void theNumberOfOccurrencesIsReported(int waits, String expected) {
        stage.process(APP, "com.example.app").slice(APP, "work", 1, 90);
        for (int i = 0; i < waits; i++) {
            stage.runs(APP, 1 + 5 * i, 2 + 5 * i, SchedState.UNINTERRUPTIBLE)
                    .runs(APP, 4 + 5 * i, 5 + 5 * i, SchedState.SLEEPING);
        }
        assertThat(JudgementMessages.of(stage.diagnose(DoctorOptions.defaults())))
                .contains(expected);
    }

    @Test
    void whatElseTookMoreTimeIsSaid() {
        try (SyntheticJvmTrace jvm = new SyntheticJvmTrace()) {
            jvm.waits(SyntheticJvmTrace.MAIN, 1, 3, "worker", SyntheticJvmTrace.WORKER);
            for (int i = 0; i < 10; i++) {
                jvm.stop(10 + 10 * i, 12 + 10 * i, "gc", "GC pause: G1New (G1 Evacuation Pause)");
            }
            assertThat(JudgementMessages.of(jvm.diagnose()))
                    .contains(" Most wait time: GC_BLOCKED, 10 waits of at least 1 ms, 20.000 ms in total.");
        }
    }

    /** That a virtual machine's threads have no CPU happens all the time. */
    @Test
    void thatOthersHadNoCpuIsNotSaid() {
        try (SyntheticJvmTrace jvm = new SyntheticJvmTrace()) {
            jvm.waits(SyntheticJvmTrace.MAIN, 1, 3, "worker", SyntheticJvmTrace.WORKER)
                    .slice(SyntheticJvmTrace.OTHER, 1, 60, "", "work")
                    .runs(0, SyntheticJvmTrace.OTHER, "other", 1, 2, SchedState.SLEEPING)
                    .runs(0, SyntheticJvmTrace.WORKER, "worker", 3, 50, SchedState.SLEEPING)
                    .wakes(0, SyntheticJvmTrace.WORKER, 5, SyntheticJvmTrace.OTHER)
                    .runs(0, SyntheticJvmTrace.OTHER, "other", 50, 60, SchedState.SLEEPING);
            Diagnosis diagnosis = jvm.diagnose();
            assertThat(diagnosis.incidents()).extracting(Incident::severity).contains(Severity.CPU_ONLY);
            assertThat(JudgementMessages.of(diagnosis)).doesNotContain("Most wait time");
        }
    }

    /** If all waits are such, their number and sum are in the report already. */
    @Test
    void theShareOfStandstillsIsToldOnce() {
        try (SyntheticJvmTrace jvm = new SyntheticJvmTrace()) {
            jvm.stop(0, 50, "gc", "GC pause: G1New (G1 Evacuation Pause)");
            assertThat(PauseMessages.share(jvm.diagnose()))
                    .isEqualTo("All threads paused for 25.0 % of the recording.");
        }
    }

    @Test
    void ownersThatAreNotKnownAreCountedInWords() {
        for (int i = 0; i < 2; i++) {
            stage.process(APP + i, "com.example.app" + i)
                    .slice(APP + i, "Contending for pthread mutex", 5, 15)
                    .runs(APP + i, 1, 5, SchedState.SLEEPING)
                    .runs(APP + i, 15, 20, SchedState.SLEEPING);
        }
        assertThat(WarningMessages.of(stage.diagnose(DoctorOptions.defaults()).warnings()))
                .contains("the owner is unknown in all of 2 waits for other threads");
    }
}
