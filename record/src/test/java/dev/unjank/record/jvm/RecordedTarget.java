package dev.unjank.record.jvm;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Incident;
import dev.unjank.record.session.Recording;
import dev.unjank.record.session.RecordingSource;
import dev.unjank.record.session.Rotation;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.trace.read.jfr.JfrChunks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A recording of a target that has played some scenes, read back and diagnosed. */
record RecordedTarget(Trace trace, Diagnosis diagnosis) {
    /** A slice of a thread, with its stack if recorded. */
    record Slice(
            String thread,
            int tid,
            String name,
            String category,
            long startNs,
            long durNs,
            @Nullable String stack) {
        long endNs() {
            return startNs + durNs;
        }
    }

    static RecordedTarget of(JvmTargetProcess target, Path file, Duration piece, String... scenes) throws IOException {
        TargetJvm recorded = new TargetJvm(target.pid());
        return of(target, file, recorded.sources(Duration.ofMillis(1), piece), scenes);
    }

    /** A recording of some sources, all of which must be on. */
    static RecordedTarget of(JvmTargetProcess target, Path file, List<RecordingSource> sources, String... scenes)
            throws IOException {
        try (Recording recording = Recording.start(file, Rotation.NONE, target.pid(), sources)) {
            recording.availability().forEach(source -> {
                if (!source.isOn()) {
                    throw new IllegalStateException(source.toString());
                }
            });
            for (String scene : scenes) {
                target.play(scene);
            }
        }
        return read(file);
    }

    static RecordedTarget read(Path file) throws IOException {
        Trace trace = TraceReader.read(file);
        DoctorOptions options =
                DoctorOptions.defaults().withThread(DoctorOptions.ALL_THREADS).withMinDuration(Duration.ofMillis(5));
        return new RecordedTarget(trace, Doctor.diagnose(trace, options));
    }

    List<Slice> slices() {
        List<Slice> found = new ArrayList<>();
        Slices slices = trace.slices();
        for (int row = 0; row < slices.size(); row++) {
            int utid = slices.utid(row);
            found.add(new Slice(
                    utid < 0 ? "" : String.valueOf(trace.threads().name(utid)),
                    utid < 0 ? -1 : trace.threads().tid(utid),
                    slices.name(row),
                    slices.category(row),
                    slices.ts(row),
                    slices.dur(row),
                    trace.args().text(row, "debug." + JfrChunks.STACK)));
        }
        return found;
    }

    /** The slices of a thread whose names begin with something. */
    List<Slice> slices(String thread, String prefix) {
        return slices().stream()
                .filter(slice -> slice.thread.equals(thread) && slice.name.startsWith(prefix))
                .toList();
    }

    int tid(String thread) {
        for (int utid = 0; utid < trace.threads().size(); utid++) {
            if (thread.equals(trace.threads().name(utid))) {
                return trace.threads().tid(utid);
            }
        }
        return -1;
    }

    /** The incidents of a thread. */
    List<Incident> incidents(String thread) {
        return diagnosis.incidents().stream()
                .filter(incident -> thread.equals(incident.rootWait().thread().name()))
                .toList();
    }
}
