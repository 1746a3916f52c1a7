package dev.unjank.doctor.find.activity;

import static dev.unjank.scene.Scene.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.report.html.HtmlReport;
import dev.unjank.doctor.report.json.JsonReport;
import dev.unjank.doctor.report.text.TextReport;
import dev.unjank.doctor.scene.PageJson;
import dev.unjank.doctor.scene.RealTraceDiagnoses;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.StubQueries;
import dev.unjank.scene.ArtContention;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneProcess;
import dev.unjank.scene.SceneThread;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.write.PerfSampleWriter;
import dev.unjank.trace.write.PerfSampleWriter.Call;
import dev.unjank.trace.write.TraceClock;
import dev.unjank.trace.write.TraceWriter;
import dev.unjank.trace.write.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Functions of a running owner without slices, by scheduler events and a profiler's samples. */
class SampledFunctionsTest {
    private static final int WORKER = 1001;
    private static final Call MAIN = new Call("main", "/bin/app");

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /** The main thread waits from 5 to 15 ms for the worker, which runs, and sleeps from 8 to 11 ms. */
    private Trace trace(boolean hasSlices, List<String> functions) throws IOException {
        Scene scene = new Scene();
        SceneProcess app = scene.process(1000, "com.example.app");
        SceneThread main = app.mainThread("com.example.app", 110);
        SceneThread worker = app.thread(WORKER, "worker", 120);
        if (hasSlices) {
            worker.begin("load");
        }
        worker.runs(1, ms(8)).sleeps(ms(11)).runs(1, ms(16));
        if (hasSlices) {
            worker.end();
        }
        main.runs(0, ms(5)).blocksOn(ArtContention.heldBy(worker)).sleeps(ms(14.9));
        main.wokenBy(worker).runnable(ms(15)).acquires().runs(0, ms(20));
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.PLAIN)) {
            scene.writeTo(writer);
            PerfSampleWriter samples = writer.perfSamples(TraceClock.BOOTTIME);
            sample(samples, 4.9, 1, WORKER, "before");
            for (int i = 0; i < functions.size(); i++) {
                sample(samples, 11.5 + i * 0.5, 1, WORKER, functions.get(i));
            }
            sample(samples, 12, 0, 4711, "otherFunction");
            sample(samples, 15.5, 1, WORKER, "after");
        }
        return SceneDiagnoses.read(bytes.toByteArray());
    }

    private static void sample(PerfSampleWriter samples, double at, int cpu, int tid, String function)
            throws IOException {
        samples.sample(
                Scene.START_NS + ms(at),
                cpu,
                1000,
                tid,
                function.isEmpty() ? List.of() : List.of(MAIN, new Call(function, "/lib/libx.so")));
    }

    private static List<String> details(Diagnosis diagnosis) {
        List<String> details = new ArrayList<>();
        diagnosis.incidents().getFirst().rootWait().forEachLeaf(leaf -> {
            if (leaf.thread().tid() == WORKER) {
                details.add(leaf.state() + " " + leaf.detail());
            }
        });
        return details;
    }

    @ParameterizedTest
    @CsvSource({
        "false, parse,             RUNNING parse",
        "false, parse parse,       RUNNING parse",
        "false, read parse parse,  RUNNING parse (2 of 3 samples)",
        "false, 0x12ab,            RUNNING libx.so+0x12ab", // a function without a name
        "true,  parse,             RUNNING load", // the program's own word
        "false, '',                RUNNING null",
    })
    void functionOfARunningOwner(boolean hasSlices, String functions, String expected) throws IOException {
        Diagnosis diagnosis =
                Doctor.diagnose(trace(hasSlices, List.of(functions.split(" "))), DoctorOptions.defaults());
        // It has no samples while it sleeps, and before its sleep only outside of the wait.
        String other = hasSlices ? "load" : "null";
        assertThat(details(diagnosis)).containsExactly("RUNNING " + other, "SLEEPING " + other, expected);
        SceneDiagnoses.assertSound(diagnosis);
    }

    @Test
    void reportsContainTheFunction() throws IOException {
        Trace trace = trace(false, List.of("read", "parse", "parse"));
        Diagnosis diagnosis = Doctor.diagnose(trace, DoctorOptions.defaults());
        StringWriter json = new StringWriter();
        JsonReport.write(diagnosis, StubQueries.OF_TRACE, json);
        StringWriter page = new StringWriter();
        HtmlReport.write(diagnosis, trace, new StubQueries("unjank query x"), page);
        String said = "parse (2 of 3 samples)";
        assertThat(TextReport.of(diagnosis, TextReport.Style.plain())).contains(said);
        assertThat(json.toString()).contains("\"detail\" : \"" + said + "\"");
        assertThat(PageJson.of(page.toString())).contains("parse (2 of 4 samples)"); // it draws the stretch to its end
    }

    /** 684 samples of an emulator: each is of a thread that is running by the scheduler's events. */
    @Test
    void realSamples() {
        Trace trace = RealTraceDiagnoses.trace(RealTraceDiagnoses.ANDROID_12_NO_ATRACE);
        SampledFunctions code = new SampledFunctions(trace);
        int named = 0;
        for (int row = 0; row < trace.samples().size(); row++) {
            int state = trace.threadStates()
                    .at(trace.samples().utid(row), trace.samples().ts(row));
            if (state >= 0 && OwnerState.of(trace.threadStates(), state) == OwnerState.RUNNING) {
                String found = code.during(
                        trace.samples().utid(row),
                        trace.threadStates().ts(state),
                        trace.threadStates().endNs(state));
                named += found == null ? 0 : 1;
            }
        }
        assertThat(named).isGreaterThan(500);
    }
}
