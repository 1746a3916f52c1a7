package dev.unjank.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.cause.RootCause;
import dev.unjank.fixture.RealTraces;
import dev.unjank.trace.read.TraceReader;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class IncidentSnapshotTest {
    /** The stories of the incidents in which the owner waited itself, or in which it did not. */
    private static List<String> stories(Path trace, boolean ownersThatWaited) throws Exception {
        Diagnosis diagnosis = Doctor.diagnose(TraceReader.read(trace), DoctorOptions.defaults());
        List<String> stories = new ArrayList<>();
        for (RootCause cause :
                Doctor.rootCauses(diagnosis, diagnosis.incidents()).causes()) {
            for (int id : cause.incidents()) {
                Incident incident = diagnosis.incident(id);
                if (incident.chain().size() > 1 == ownersThatWaited && incident.blocker() != null) {
                    stories.add(
                            IncidentSnapshot.of(incident, cause, Instant.EPOCH).story());
                }
            }
        }
        return stories;
    }

    @Test
    void anOwnerThatWaitedItselfIsFollowedByWhatItWaitedFor() throws Exception {
        assertThat(stories(RealTraces.file("grafana_goland-multichunk.jfr.gz"), true))
                .as("the last owner is unknown")
                .isNotEmpty()
                .allMatch(story -> story.endsWith("by JobScheduler FJ pool 16/31, which waited for a lock of class"
                        + " java.util.concurrent.locks.ReentrantReadWriteLock (owner unknown)"));
        assertThat(stories(RealTraces.file("a15_mokeygo32_startup_cold.perfetto-trace"), true))
                .anyMatch(story -> story.endsWith(" by binder:1286_17, which waited for binder:711_3"));
        assertThat(stories(RealTraces.file("grafana_goland-multichunk.jfr.gz"), false))
                .noneMatch(story -> story.contains("which waited"));
    }
}
