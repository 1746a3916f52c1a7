package dev.unjank.doctor.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.report.html.HtmlReport;
import dev.unjank.doctor.report.json.JsonReport;
import dev.unjank.doctor.report.text.TextReport;
import dev.unjank.doctor.scene.JsonReportSchema;
import dev.unjank.doctor.scene.PageJson;
import dev.unjank.doctor.scene.StubQueries;
import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.Trace;
import java.io.IOException;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** The length of a trace that damage made long is reported, and each report says that it is doubtful. */
class DoubtfulDurationTest {
    private static final String DOUBT = "the duration of the trace is implausible";

    private static Trace trace(long lastNs) {
        try (TraceBuilder builder = new TraceBuilder("test")) {
            int name = builder.intern("work");
            for (int i = 0; i < 2_000; i++) {
                builder.program().instant(i * 1_000_000L, 7, 7, name);
            }
            builder.program().instant(lastNs, 7, 7, name);
            return builder.build();
        }
    }

    @Test
    void eachReportSaysSo() throws IOException {
        Trace trace = trace(400_000_000_000_000L);
        Diagnosis diagnosis = Doctor.diagnose(trace, DoctorOptions.defaults());
        StringWriter json = new StringWriter();
        JsonReport.write(diagnosis, StubQueries.OF_TRACE, json);
        StringWriter page = new StringWriter();
        HtmlReport.write(diagnosis, trace, new StubQueries("unjank query test"), page);

        assertThat(TextReport.of(diagnosis, TextReport.Style.plain()))
                .startsWith("test  400000.000 s long (doubtful)\nwarning: " + DOUBT);
        assertThat(json.toString()).contains(DOUBT, "\"durationDoubtful\" : true");
        assertThat(JsonReportSchema.mistakes(json.toString())).isEmpty();
        assertThat(PageJson.of(page.toString())).contains(DOUBT);
    }

    @Test
    void ofAnOrdinaryTraceNobodySaysSo() {
        Diagnosis diagnosis = Doctor.diagnose(trace(2_000_000_000L), DoctorOptions.defaults());
        assertThat(TextReport.of(diagnosis, TextReport.Style.plain()))
                .startsWith("test  2.000 s long\n")
                .doesNotContain("doubtful");
        assertThat(JsonReportSchema.json(diagnosis)).contains("\"durationDoubtful\" : false");
    }
}
