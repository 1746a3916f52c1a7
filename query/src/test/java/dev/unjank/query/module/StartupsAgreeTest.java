package dev.unjank.query.module;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.fixture.RealTraces;
import dev.unjank.query.QueryTestSession;
import dev.unjank.query.result.QueryException;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The doctor's startups are the rows of {@code android_startups}. */
class StartupsAgreeTest {
    static List<String> traces() {
        return RealTraces.names();
    }

    @ParameterizedTest
    @MethodSource("traces")
    void onEveryTrace(String name) throws IOException, QueryException {
        Trace trace = TraceReader.read(RealTraces.file(name));
        List<String> startups = Doctor.diagnose(trace, DoctorOptions.defaults()).startups().stream()
                .map(startup -> "%d,%d,%d,\"%s\""
                        .formatted(startup.id(), startup.startNs(), startup.durNs(), startup.packageName()))
                .toList();
        try (QueryTestSession session = QueryTestSession.of(trace)) {
            List<String> rows = session.results("INCLUDE PERFETTO MODULE android.startup.startups;"
                            + " SELECT startup_id, ts, dur, package FROM android_startups"
                            + " WHERE dur > 0 AND package IS NOT NULL ORDER BY ts")
                    .getLast();
            assertThat(rows.subList(1, rows.size())).isEqualTo(startups);
        }
    }
}
