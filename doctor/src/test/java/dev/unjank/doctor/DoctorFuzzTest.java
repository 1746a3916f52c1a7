package dev.unjank.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.report.html.HtmlReport;
import dev.unjank.doctor.report.json.JsonReport;
import dev.unjank.doctor.report.text.TextReport;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.StubQueries;
import dev.unjank.fixture.jfr.JfrTestRecordings;
import dev.unjank.scene.ArtContention;
import dev.unjank.scene.LauncherExample;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneProcess;
import dev.unjank.scene.SceneThread;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.trace.write.KernelEvent;
import dev.unjank.trace.write.WireFormat;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Whatever bytes a reader makes a trace of, the doctor diagnoses it: times add up, and every report can be written. */
class DoctorFuzzTest {
    @TempDir
    private static Path dir;

    private static Path file;

    @BeforeAll
    static void nameFile() {
        file = dir.resolve("fuzzed");
    }

    static Stream<Arguments> seeds() {
        return Stream.of(
                        LauncherExample.trace(),
                        ofEverything().toBytes(WireFormat.PLAIN),
                        ofEverything().toBytes(WireFormat.COMPACT),
                        QueueBacklogScenesTest.flood(),
                        JfrTestRecordings.example(),
                        SYSTRACE.getBytes(StandardCharsets.UTF_8))
                .map(bytes -> Arguments.of((Object) bytes));
    }

    /**
     * A wait for a monitor, another one behind it, a call, a pause, a suspension, sleeps, late frames, a process that
     * is stopped: each once.
     */
    private static Scene ofEverything() {
        Scene scene = new Scene();
        SceneProcess app = scene.process(10, "app");
        SceneThread main = app.mainThread("main", 110);
        SceneThread worker = app.thread(11, "worker", 120);
        SceneThread saver = app.thread(12, "saver", 120);
        SceneThread collector = app.thread(13, "HeapTaskDaemon", 124);
        SceneThread greedy = scene.process(20, "greedy").mainThread("greedy", 115);
        main.begin("Choreographer#doFrame 1").runs(0, 100).blocksOn(ArtContention.heldBy(worker));
        main.sleeps(9_000_000).wokenBy(worker).runnable(9_100_000).acquires().runs(0, 9_200_000);
        main.does(KernelEvent.binderTransaction(1, false, false));
        main.sleepsUninterruptibly(12_000_000, true, "io_wait").runnable(12_100_000);
        main.runs(0, 13_000_000).begin("FullSuspendCheck").sleeps(15_000_000);
        main.wokenBy(collector).runnable(15_100_000).end().runs(0, 16_000_000).end();
        worker.runs(1, 1_000).blocksOn(ArtContention.heldBy(saver)).sleeps(3_000_000);
        worker.wokenBy(saver).runnable(5_000_000).acquires().runs(1, 10_000_000);
        greedy.sleeps(3_000_000).runnable(3_000_001).runs(1, 5_000_000);
        saver.runs(2, 4_000_000);
        collector.runs(3, 12_900_000).begin("Background young concurrent copying GC");
        collector
                .begin("Mutator threads suspended for ScopedPause")
                .runs(3, 14_900_000)
                .end();
        collector.runs(3, 15_500_000).end();
        SceneProcess halted = scene.process(30, "halted");
        halted.mainThread("halted", 120)
                .runs(4, 6_000_000)
                .isStopped(11_000_000)
                .runs(4, 12_000_000);
        halted.thread(31, "with it", 120)
                .runs(5, 6_000_000)
                .isStopped(11_000_000)
                .runs(5, 12_000_000);
        app.frame("layer", 0, 10_000_000, 17_000_000, 64);
        scene.dataLoss(2, 3_500_000);
        return scene;
    }

    private static final String SYSTRACE = """
            # tracer: nop
             m-1 ( 1) [000] ...1 1.000000: sched_switch: prev_comm=s prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=m next_pid=1 next_prio=110
             m-1 ( 1) [000] ...1 1.000100: tracing_mark_write: B|1|Lock contention on thread list lock (owner tid: 2)
             m-1 ( 1) [000] ...1 1.000200: sched_switch: prev_comm=m prev_pid=1 prev_prio=110 prev_state=S ==> next_comm=s next_pid=0 next_prio=120
             w-2 ( 1) [001] ...1 1.000300: sched_switch: prev_comm=s prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=w next_pid=2 next_prio=120
             w-2 ( 1) [001] ...1 1.005000: sched_waking: comm=m pid=1 prio=110 target_cpu=000
             m-1 ( 1) [000] ...1 1.005100: sched_switch: prev_comm=s prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=m next_pid=1 next_prio=110
             m-1 ( 1) [000] ...1 1.005200: tracing_mark_write: E|1
            """;

    /** A seed without an incident would have the doctor do nothing. */
    @ParameterizedTest
    @MethodSource("seeds")
    void everySeedHasAnIncident(byte[] bytes) throws IOException {
        Trace trace = TraceReader.read(Files.write(file, bytes));
        check(trace, DoctorOptions.defaults());
        check(trace, SceneDiagnoses.EVERYTHING);
        assertThat(Doctor.diagnose(trace, DoctorOptions.defaults()).incidents()).isNotEmpty();
    }

    @Tag("long")
    @MethodSource("seeds")
    @FuzzTest(maxDuration = "60s")
    void whateverIsReadIsDiagnosed(byte[] bytes) throws IOException {
        if (bytes == null) {
            return;
        }
        Files.write(file, bytes);
        Trace trace;
        try {
            trace = TraceReader.read(file);
        } catch (UnusableTraceException e) {
            return; // that this is said well, is another test's
        }
        check(trace, DoctorOptions.defaults());
        check(trace, SceneDiagnoses.EVERYTHING);
    }

    private static void check(Trace trace, DoctorOptions options) throws IOException {
        Diagnosis diagnosis = Doctor.diagnose(trace, options);
        SceneDiagnoses.assertSound(diagnosis);
        assertThat(TextReport.of(diagnosis, TextReport.Style.plain())).isNotBlank();
        StringWriter json = new StringWriter();
        JsonReport.write(diagnosis, StubQueries.OF_TRACE, json);
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), json.toString())) {
            while (parser.nextToken() != null) {
                assertThat(parser.currentToken()).isNotNull();
            }
        }
        StringWriter page = new StringWriter();
        HtmlReport.write(diagnosis, trace, new StubQueries("unjank query trace"), page);
        assertThat(page.toString()).contains("</html>");
    }
}
