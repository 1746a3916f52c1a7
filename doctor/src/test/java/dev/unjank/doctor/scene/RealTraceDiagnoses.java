package dev.unjank.doctor.scene;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Incident;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Traces of real devices, each read once for all tests, and their diagnoses. */
public final class RealTraceDiagnoses {
    public static final String ANDROID_15 = "a15_mokeygo32_startup_cold.perfetto-trace";
    public static final String ANDROID_13 = "a13_pixel6a_startup_warm.perfetto-trace";
    public static final String ANDROID_7 = "a7_nexus5x_startup_cold.perfetto-trace";
    public static final String ANDROID_11_SCHED_ONLY = "a11_galaxys20_sched.perfetto-trace";
    public static final String ANDROID_12_NO_ATRACE = "a12_x86emu_sched_perfsample.pftrace";

    private static final Map<String, Trace> READ = new ConcurrentHashMap<>();

    private RealTraceDiagnoses() {}

    /** The trace of a file name; without the file the calling test is skipped. */
    public static Trace trace(String name) {
        Path file = dev.unjank.fixture.RealTraces.file(name);
        return READ.computeIfAbsent(name, key -> {
            try {
                return TraceReader.read(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** The file names of all real traces; none without the folder. */
    public static Stream<String> names() {
        return dev.unjank.fixture.RealTraces.names().stream();
    }

    public static Diagnosis everything(String name) {
        return Doctor.diagnose(trace(name), SceneDiagnoses.EVERYTHING);
    }

    /** The incidents of contended locks. */
    public static List<Incident> lockWaits(String name) {
        return everything(name).incidents().stream()
                .filter(incident -> incident.rootWait().kind().isLock())
                .toList();
    }

    /** The incident of a thread with a duration in microseconds. */
    public static Incident incident(Diagnosis diagnosis, int tid, long micros) {
        List<Incident> found = diagnosis.incidents().stream()
                .filter(incident -> incident.rootWait().thread().tid() == tid)
                .filter(incident -> (incident.rootWait().durNs() + 500) / 1000 == micros)
                .toList();
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    /** The rows of an expected table without its heading. */
    public static List<List<String>> expected(String trace, String table) throws IOException {
        return dev.unjank.fixture.RealTraces.expected(trace, table);
    }
}
