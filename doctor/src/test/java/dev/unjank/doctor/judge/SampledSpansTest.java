package dev.unjank.doctor.judge;

import static dev.unjank.doctor.scene.SyntheticJvmTrace.EVENTS;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.MAIN;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.OTHER;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.WORKER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.OwnWorkFrame;
import dev.unjank.doctor.model.SampledStacks;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.cause.RootCause;
import dev.unjank.doctor.report.text.RootCauseReport;
import dev.unjank.doctor.report.text.TextReport;
import dev.unjank.doctor.scene.JsonReportSchema;
import dev.unjank.doctor.scene.StubQueries;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The samples within the times that made threads, events and frames late. */
class SampledSpansTest {
    private final SyntheticJvmTrace stage = new SyntheticJvmTrace().name(EVENTS, "AWT-EventQueue-0");

    @AfterEach
    void close() {
        stage.close();
    }

    private Diagnosis diagnose() {
        return stage.diagnose(DoctorOptions.defaults());
    }

    private RootCause cause(Verdict verdict) {
        return RootCauseFinder.of(diagnose()).causes().stream()
                .filter(cause -> cause.verdict() == verdict)
                .findFirst()
                .orElseThrow();
    }

    /** Samples of a handler from 22 ms to 98 ms, a third of them in another method. */
    private void handler() {
        stage.slice(EVENTS, 20, 100, "method", "app.Window.load");
        for (int i = 0; i < 20; i++) {
            if (i % 4 == 0) {
                stage.sampledStack(EVENTS, 22 + 4 * i, "app.Hash.update", "app.Window.load");
            } else {
                stage.sampledStack(EVENTS, 22 + 4 * i, "app.Zip.inflate", "app.Zip.read", "app.Window.load");
            }
        }
    }

    @Test
    void theMethodsOfALongHandler() {
        handler();
        SampledStacks samples = cause(Verdict.LONG_HANDLER).samples();
        assertThat(samples.samples()).isEqualTo(20);
        assertThat(samples.methods().getFirst()).isEqualTo(new SampledStacks.Method("app.Zip.inflate", 15, 15));
        assertThat(samples.methods()).contains(new SampledStacks.Method("app.Window.load", 0, 20));
        assertThat(samples.folded())
                .containsExactly(
                        Map.entry("app.Window.load;app.Zip.read;app.Zip.inflate", 15),
                        Map.entry("app.Window.load;app.Hash.update", 5));
        Diagnosis diagnosis = diagnose();
        assertThat(RootCauseReport.of(diagnosis, TextReport.Style.plain(), StubQueries.OF_TRACE))
                .contains(
                        "Root cause     long handler\n  Handler        app.Window.load\n",
                        "On CPU         20 samples; top methods, self and with callees:",
                        "15 (75 %), 15 (75 %): app.Zip.inflate",
                        "5 (25 %), 5 (25 %): app.Hash.update")
                .as("methods that only call others are in the stacks")
                .doesNotContain("0 (0 %), 20 (100 %): app.Window.load");
        assertThat(JsonReportSchema.json(diagnosis))
                .contains("\"stack\" : \"app.Window.load;app.Hash.update\",\n          \"samples\" : 5");
    }

    /** Samples before and after the handler, at its end, and of another thread do not count. */
    @Test
    void otherSamplesDoNotCount() {
        handler();
        stage.sampledStack(EVENTS, 10, "app.Idle.poll")
                .sampledStack(EVENTS, 100, "app.Idle.poll")
                .sampledStack(EVENTS, 130, "app.Idle.poll")
                .sampledStack(WORKER, 50, "app.Job.run");
        assertThat(cause(Verdict.LONG_HANDLER).samples().samples()).isEqualTo(20);
    }

    @Test
    void fewSamplesAreNotRanked() {
        stage.slice(EVENTS, 20, 100, "method", "app.Window.load");
        for (int i = 0; i < SampledStacks.MIN_SAMPLES - 1; i++) {
            stage.sampledStack(EVENTS, 22 + 4 * i, "app.Window.load");
        }
        assertThat(RootCauseReport.of(diagnose(), TextReport.Style.plain(), StubQueries.OF_TRACE))
                .contains("On CPU         9 samples, too few to rank methods")
                .doesNotContain("top methods");
    }

    /** Two threads wait for one owner at the same time: its samples count once; the waiters' own do not. */
    @Test
    void theOwnerOfALock() {
        stage.parks(MAIN, 20, 80, "ReentrantLock$NonfairSync", WORKER)
                .parks(OTHER, 30, 80, "ReentrantLock$NonfairSync", WORKER);
        for (int i = 0; i < 12; i++) {
            stage.sampledStack(WORKER, 21 + 4 * i, "app.Store.write");
        }
        stage.sampledStack(WORKER, 90, "app.Store.close");
        assertThat(RootCauseFinder.of(diagnose()).causes())
                .anySatisfy(cause -> assertThat(cause.samples().methods())
                        .containsExactly(new SampledStacks.Method("app.Store.write", 12, 12)));
    }

    @Test
    void aMissedFrameOfALooper() {
        stage.message(MAIN, 20, 100, "app.Ui: #1");
        for (int i = 0; i < 12; i++) {
            stage.sampledStack(MAIN, 22 + 4 * i, "app.Ui.draw");
        }
        stage.sampledStack(MAIN, 110, "app.Ui.other").sampledStack(WORKER, 50, "app.Job.run");
        OwnWorkFrame late = diagnose().ownWorkFrames().getFirst();
        assertThat(late.samples().methods()).containsExactly(new SampledStacks.Method("app.Ui.draw", 12, 12));
    }

    /** A handler during which another thread waits for the same work: two root causes, each sample once in all. */
    @Test
    void aSampleOfTwoCausesCountsOnceInAll() {
        handler();
        stage.parks(MAIN, 20, 80, "ReentrantLock$NonfairSync", EVENTS)
                .sampledStack(WORKER, 50, "app.Job.run")
                .sampledStack(EVENTS, 130, "app.Idle.poll");
        Diagnosis diagnosis = diagnose();
        int ofCauses = RootCauseFinder.of(diagnosis).causes().stream()
                .mapToInt(cause -> cause.samples().samples())
                .sum();
        assertThat(ofCauses).isGreaterThan(20);
        assertThat(LateSpans.samples(diagnosis).samples()).isEqualTo(20);
    }

    /** A name with the separator of folded stacks does not make two frames. */
    @Test
    void aNameWithASemicolon() {
        stage.slice(EVENTS, 20, 100, "method", "app.Window.load").sampledStack(EVENTS, 50, "a;b", "c");
        assertThat(cause(Verdict.LONG_HANDLER).samples().folded()).containsExactly(Map.entry("c;a,b", 1));
    }

    /** A recursive method counts once per stack. */
    @Test
    void aRecursiveMethod() {
        stage.slice(EVENTS, 20, 100, "method", "app.Window.load")
                .sampledStack(EVENTS, 50, "app.Tree.walk", "app.Tree.walk", "app.Window.load");
        assertThat(cause(Verdict.LONG_HANDLER).samples().methods())
                .containsExactly(
                        new SampledStacks.Method("app.Tree.walk", 1, 1),
                        new SampledStacks.Method("app.Window.load", 0, 1));
    }
}
