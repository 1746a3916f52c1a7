package dev.unjank.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.Trace;
import dev.unjank.trace.TraceBuilder;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What is said of a Java virtual machine's waits, of which no scheduler tells: the owner's own slices, samples of its stack and
 * the machine's pauses must do. Main waits for worker's monitor from millisecond 10 to 110 throughout.
 */
class JvmCasesTest {
    private static final long MS = 1_000_000;
    private static final int PID = 100;
    private static final int MAIN = 101;
    private static final int WORKER = 102;
    private static final int OTHER = 103;

    private final TraceBuilder builder = new TraceBuilder("jvm");

    @AfterEach
    void close() {
        builder.close();
    }

    private void slice(int tid, int fromMs, int toMs, String category, String name) {
        int track = builder.newTrack(tid, PID);
        builder.trackBegin(fromMs * MS, track, builder.intern(category), builder.intern(name));
        builder.trackEnd(toMs * MS, track);
    }

    private void waits(int tid, int fromMs, int toMs, String owner, int ownerTid) {
        slice(
                tid,
                fromMs,
                toMs,
                "",
                "monitor contention with owner %s (%d) waiters=0 blocking from void app.Ui.draw()(Ui:7)"
                        .formatted(owner, ownerTid));
    }

    private void sampled(int tid, int atMs, String function) {
        builder.sample(atMs * MS, tid, PID, -1, builder.call(-1, builder.intern(function), -1, -1), true);
    }

    private Incident diagnose() {
        builder.javaProcess(0, PID, builder.intern("app.Main"));
        builder.nameThread(0, MAIN, PID, builder.intern("main"));
        builder.nameThread(0, WORKER, PID, builder.intern("worker"));
        builder.nameThread(0, OTHER, PID, builder.intern("other"));
        waits(MAIN, 10, 110, "worker", WORKER);
        builder.other(200 * MS);
        Trace trace = builder.build();
        List<Incident> incidents =
                Doctor.diagnose(trace, DoctorOptions.defaults()).incidents();
        Incident incident = incidents.getFirst();
        assertThat(incident.tree().thread().name()).isEqualTo("main");
        assertThat(leaves(incident.tree()).stream().mapToLong(Part::durNs).sum())
                .isEqualTo(100 * MS);
        return incident;
    }

    private static List<Part> leaves(Wait wait) {
        return wait.tenures().stream()
                .flatMap(tenure -> tenure.parts().stream())
                .flatMap(part -> part.further() == null ? Stream.of(part) : leaves(part.further()).stream())
                .toList();
    }

    private static List<String> texts(Incident incident) {
        return leaves(incident.tree()).stream()
                .map(part ->
                        part.state() + " " + part.durNs() / MS + (part.detail() == null ? "" : " " + part.detail()))
                .toList();
    }

    @Test
    void withoutAnyWordOfTheOwnerItIsUnknownAndNotGuessed() {
        Incident incident = diagnose();
        assertThat(texts(incident)).containsExactly("UNKNOWN 100");
        assertThat(incident.verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(incident.owner().thread().name()).isEqualTo("worker");
        assertThat(incident.owner().evidence()).isEqualTo(Evidence.OWNER_NAMED);
    }

    @Test
    void anOwnerThatWasSampledRunningHeldItTooLong() {
        for (int at = 20; at <= 100; at += 20) {
            sampled(WORKER, at, at < 70 ? "app.Store.read" : "app.Store.parse");
        }
        Incident incident = diagnose();
        assertThat(texts(incident))
                .containsExactly(
                        "RUNNING 20 app.Store.read",
                        "RUNNING 20 app.Store.read",
                        "RUNNING 20 app.Store.read",
                        "RUNNING 20 app.Store.parse",
                        "RUNNING 20 app.Store.parse");
        assertThat(incident.verdict()).isEqualTo(Verdict.LONG_HOLD);
    }

    @Test
    void aFewSamplesFarApartAreNoProofThatItRanAllTheTime() {
        sampled(OTHER, 0, "app.Busy.spin");
        sampled(OTHER, 10, "app.Busy.spin");
        sampled(WORKER, 40, "app.Store.read");
        sampled(WORKER, 90, "app.Store.read");
        Incident incident = diagnose();
        assertThat(texts(incident))
                .containsExactly(
                        "UNKNOWN 25",
                        "RUNNING 10 app.Store.read",
                        "UNKNOWN 40",
                        "RUNNING 10 app.Store.read",
                        "UNKNOWN 15");
        assertThat(incident.verdict()).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void anOwnerThatSleptOrDidInputAndOutputIsSaidTo() {
        slice(WORKER, 0, 60, "sleep", "sleeping");
        slice(WORKER, 60, 110, "io", "socket read db:5432");
        Incident incident = diagnose();
        assertThat(texts(incident)).containsExactly("SLEEPING 50 sleeping", "IO_WAIT 50 socket read db:5432");
        assertThat(incident.verdict()).isEqualTo(Verdict.SLEEPING_OWNER);
    }

    @Test
    void aPauseStopsTheOwnerWhateverItDid() {
        slice(-1, 20, 100, "gc", "GC pause: G1Full (System.gc())");
        slice(-1, 19, 105, "safepoint", "safepoint: G1CollectFull");
        slice(WORKER, 90, 110, "park", "parking on app.Lock");
        Incident incident = diagnose();
        assertThat(texts(incident))
                .containsExactly(
                        "UNKNOWN 9",
                        "SLEEPING 1 safepoint: G1CollectFull",
                        "GC_PAUSE 80 GC pause: G1Full (System.gc())",
                        "SLEEPING 5 safepoint: G1CollectFull",
                        "SLEEPING 5 parking on app.Lock");
        assertThat(incident.verdict()).isEqualTo(Verdict.GC_BLOCKED);
    }

    @Test
    void anOwnerThatWaitedForAnotherMonitorPassesTheBlameOn() {
        waits(WORKER, 5, 100, "other", OTHER);
        slice(OTHER, 0, 120, "wait", "waiting on app.Queue");
        Incident incident = diagnose();
        assertThat(texts(incident)).containsExactly("SLEEPING 90 waiting on app.Queue", "UNKNOWN 10");
        assertThat(incident.chain()).hasSize(2);
        assertThat(incident.verdict()).isEqualTo(Verdict.SLEEPING_OWNER);
    }

    @Test
    void everyThreadOfTheMachineIsLookedAtUnlessOneIsAskedFor() {
        waits(OTHER, 120, 125, "worker", WORKER);
        builder.javaProcess(0, PID, -1);
        Trace trace = builder.build();
        assertThat(Doctor.diagnose(trace, DoctorOptions.defaults()).incidents()).hasSize(1);
        assertThat(Doctor.diagnose(trace, DoctorOptions.defaults().withThread("102"))
                        .incidents())
                .isEmpty();
    }
}
