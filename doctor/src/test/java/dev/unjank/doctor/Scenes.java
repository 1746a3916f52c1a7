package dev.unjank.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.Trace;
import dev.unjank.trace.example.Scene;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.trace.write.WireFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Scenes turned into diagnoses, and what tests ask of these. */
final class Scenes {
    static final DoctorOptions EVERYTHING =
            DoctorOptions.defaults().withThread(DoctorOptions.ALL_THREADS).withMinDuration(Duration.ZERO);

    private Scenes() {}

    static Trace read(byte[] bytes) {
        try {
            Path file = Files.createTempFile("scene", ".pftrace");
            try {
                Files.write(file, bytes);
                return TraceReader.read(file);
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Diagnosis diagnose(Scene scene, DoctorOptions options) {
        return Doctor.diagnose(read(scene.toBytes(WireFormat.PLAIN)), options);
    }

    /** The only incident of a main thread. */
    static Incident only(Scene scene) {
        List<Incident> incidents = diagnose(scene, DoctorOptions.defaults()).incidents();
        assertThat(incidents).hasSize(1);
        return incidents.getFirst();
    }

    static Map<OwnerState, Long> states(Incident incident) {
        Map<OwnerState, Long> states = new HashMap<>();
        incident.ownerStates().forEach(time -> states.put(time.state(), time.durNs()));
        return states;
    }

    static void assertUnboundedInversion(Incident incident, long ns) {
        assertThat(incident.verdict()).isEqualTo(Verdict.PRIORITY_INVERSION);
        assertThat(incident.judgement().unbounded()).isTrue();
        assertThat(incident.judgement().decisiveNs()).isEqualTo(ns);
    }

    /** Checks a whole tree: nothing overlaps, nothing is left out, the leaves add up to the root. */
    static void assertTiled(Wait wait) {
        long[] leaves = {0};
        wait.forEachLeaf(part -> leaves[0] += part.durNs());
        assertThat(leaves[0]).isEqualTo(wait.durNs());
        long at = wait.startNs();
        for (Tenure tenure : wait.tenures()) {
            assertThat(tenure.startNs()).isEqualTo(at);
            assertThat(tenure.parts()).isNotEmpty();
            for (Part part : tenure.parts()) {
                assertThat(part.startNs()).isEqualTo(at);
                assertThat(part.durNs()).isPositive();
                assertThat(part.further() != null).isEqualTo(part.state() == OwnerState.BLOCKED);
                if (part.further() != null) {
                    assertThat(part.further().startNs()).isEqualTo(part.startNs());
                    assertThat(part.further().durNs()).isEqualTo(part.durNs());
                    assertTiled(part.further());
                }
                at += part.durNs();
            }
            assertThat(at).isEqualTo(tenure.endNs());
        }
        assertThat(at).isEqualTo(wait.endNs());
    }
}
