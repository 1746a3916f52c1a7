package dev.unjank.doctor.report;

import static dev.unjank.scene.Scene.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.loss.EventLoss;
import dev.unjank.doctor.report.html.HtmlReport;
import dev.unjank.doctor.report.json.JsonReport;
import dev.unjank.doctor.report.text.TextReport;
import dev.unjank.doctor.scene.PageJson;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.StubQueries;
import dev.unjank.fixture.jfr.JfrChunkWriter;
import dev.unjank.fixture.jfr.JfrTestRecordings;
import dev.unjank.scene.ArtContention;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneProcess;
import dev.unjank.scene.SceneThread;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.write.WireFormat;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** That events were lost is said beside what it touches, and nowhere else. */
class EventLossTest {
    private final Scene scene = new Scene();

    /** The main thread waits from 5 to 15 ms; a thread on CPU 3 has an event every millisecond. */
    private Trace trace(int cpu, double lostAt) {
        SceneProcess app = scene.process(1000, "com.example.app");
        SceneThread main = app.mainThread("com.example.app", 110);
        SceneThread worker = app.thread(1001, "worker", 120);
        SceneThread ticking = scene.process(2000, "ticking").thread(2001, "ticking", 120);
        worker.runs(1, ms(16));
        main.runs(0, ms(5)).blocksOn(ArtContention.heldBy(worker)).sleeps(ms(14.9));
        main.wokenBy(worker).runnable(ms(15)).acquires().runs(0, ms(20));
        for (int i = 0; i < 20; i++) {
            ticking.begin("tick").runs(3, ms(i + 0.5)).end().runs(3, ms(i + 1));
        }
        scene.dataLoss(cpu, ms(lostAt));
        return SceneDiagnoses.read(scene.toBytes(WireFormat.PLAIN));
    }

    private static Diagnosis diagnose(Trace trace) {
        return Doctor.diagnose(trace, DoctorOptions.defaults());
    }

    @ParameterizedTest
    @CsvSource({
        "3, 8.2,  true",
        "3, 5.2,  true", // the gap reaches into the wait
        "3, 3.2,  false",
        "3, 18.2, false",
    })
    void whatItTouches(int cpu, double lostAt, boolean touched) throws IOException {
        Trace trace = trace(cpu, lostAt);
        Diagnosis diagnosis = diagnose(trace);
        assertThat(WarningMessages.of(diagnosis.warnings())).anyMatch(line -> line.contains("events were lost"));
        Incident incident = diagnosis.incidents().getFirst();
        assertThat(diagnosis.eventLossDuring(incident) != null).isEqualTo(touched);
        assertThat(incident.judgement().evidence()).isEqualTo(touched ? Evidence.EVENTS_LOST : Evidence.OWNER_NAMED);
        assertThat(incident.owner().evidence()).isEqualTo(Evidence.OWNER_NAMED);
        StringWriter json = new StringWriter();
        JsonReport.write(diagnosis, StubQueries.OF_TRACE, json);
        StringWriter page = new StringWriter();
        HtmlReport.write(diagnosis, trace, new StubQueries("unjank query x"), page);
        String text = TextReport.of(diagnosis, TextReport.Style.plain()).replaceAll("\\s+", " ");
        String said = "Events of CPU 3 were lost for 0.";
        assertThat(text.contains(" Lost events " + said)).isEqualTo(touched);
        assertThat(json.toString().contains("\"lost\" : null")).isNotEqualTo(touched);
        assertThat(PageJson.of(page.toString()).contains(said)).isEqualTo(touched);
    }

    @Test
    void theTimeIsThatOfTheWait() {
        Diagnosis diagnosis = diagnose(trace(3, 8.2));
        EventLoss lost = diagnosis.eventLossDuring(diagnosis.incidents().getFirst());
        assertThat(lost).isEqualTo(new EventLoss(ms(0.5), List.of(3))); // from the event at 8 ms to the one at 8.5 ms
        assertThat(diagnosis.losses().during(Scene.START_NS + ms(8.1), Scene.START_NS + ms(8.2)))
                .isEqualTo(new EventLoss(ms(0.1), List.of(3)));
        assertThat(diagnosis.losses().during(Scene.START_NS + ms(8.6), Scene.START_NS + ms(12)))
                .isNull();
    }

    @Test
    void whoseEventsTheyWere() {
        assertThat(WarningMessages.of(new EventLoss(ms(2), List.of(0, 1, 3))))
                .startsWith("Events of CPUs 0, 1 and 3 were lost for 2.000 ms");
        assertThat(WarningMessages.of(new EventLoss(ms(2), List.of()))).startsWith("Events were lost for 2.000 ms");
    }

    /** Flight Recorder dropped a buffer: its events may be as old as the chunk, and are not younger than the loss. */
    @ParameterizedTest
    @CsvSource({"50000, 10000, EVENTS_LOST", "5000, 10000, OWNER_NAMED"})
    void whatFlightRecorderDropped(long lostAtUs, long waitAtUs, Evidence evidence) {
        JfrChunkWriter chunk = JfrTestRecordings.chunk();
        JfrTestRecordings.kind(chunk, "jdk.DataLoss", new JfrChunkWriter.F("amount", JfrChunkWriter.LONG));
        long lostAt = JfrTestRecordings.START_TICKS + lostAtUs;
        chunk.event("jdk.DataLoss", out -> out.number(lostAt).number(0).number(4096));
        JfrTestRecordings.enter(chunk, JfrTestRecordings.MAIN, waitAtUs, 20_000, JfrTestRecordings.WORKER, 0x10);
        Diagnosis diagnosis = Doctor.diagnose(
                SceneDiagnoses.read(chunk.checkpoint().metadata().toByteArray()), SceneDiagnoses.EVERYTHING);
        assertThat(diagnosis.incidents())
                .extracting(incident -> incident.judgement().evidence())
                .containsExactly(evidence);
    }
}
