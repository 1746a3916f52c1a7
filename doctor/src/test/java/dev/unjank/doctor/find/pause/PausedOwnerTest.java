package dev.unjank.doctor.find.pause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import dev.unjank.trace.model.SchedState;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A monitor's owner during a pause: scheduler events must not turn the pause into a sleep of the owner's. */
class PausedOwnerTest {
    private static final int VM = 105;
    private static final String NAME = "GC pause: G1Full (System.gc())";

    /**
     * Main waits from 10 to 110 ms for the monitor of the worker; another thread requests a collection from 15 to 105
     * ms.
     */
    private static SyntheticJvmTrace scene() {
        return new SyntheticJvmTrace()
                .name(VM, "VM Thread")
                .waits(SyntheticJvmTrace.MAIN, 10, 110, "worker", SyntheticJvmTrace.WORKER)
                .stop(14.8, 105.1, "", "safepoint: G1CollectFull by other (103)", "reaching the safepoint", 14.8, 15)
                .stop(15, 105, "", NAME);
    }

    @ParameterizedTest
    @CsvSource({
        "14.9, 105.3, 0,   GC_BLOCKED", // stops at the safepoint
        "16,   105.3, 0,   GC_BLOCKED", // returns from native code, and stops
        "14.5, 105.3, 105, GC_BLOCKED", // requests the collection itself: the virtual machine wakes it
        "12,   108,   103, SLEEPING_OWNER", // near miss: a sleep of its own, which the pause did not lengthen
        "14.5, 105.3, 103, SLEEPING_OWNER", // near miss: woken by another thread
    })
    void theOwnerSleeps(double from, double to, int waker, Verdict expected) {
        SyntheticJvmTrace stage = scene();
        try (stage) {
            stage.runs(1, SyntheticJvmTrace.WORKER, "worker", 1, from, SchedState.SLEEPING);
            if (waker != 0) {
                stage.runs(2, waker, "waker", 1, 120, SchedState.SLEEPING)
                        .wakes(2, waker, to - 0.1, SyntheticJvmTrace.WORKER);
            }
            stage.runs(1, SyntheticJvmTrace.WORKER, "worker", to, 120, SchedState.SLEEPING);
            Incident incident = ofMain(stage.diagnose());
            assertThat(incident.verdict()).isEqualTo(expected);
            SceneDiagnoses.assertTiled(incident.rootWait());
        }
    }

    /**
     * With scheduler events a verdict may become known, and the owner may turn out to sleep anyway; nothing else may
     * change. The worker runs for the first 0.1 ms of the pause, which may be as much as the rest: such pauses are left
     * out.
     */
    @Property(tries = 100)
    void moreDataRefinesTheVerdict(@ForAll long seed) {
        Incident less = random(seed, false);
        Incident more = random(seed, true);
        if (less.verdict() == Verdict.GC_BLOCKED) {
            assertThat(more.verdict())
                    .isEqualTo(more.timeIn(OwnerState.GC_PAUSE) > 0 ? Verdict.GC_BLOCKED : Verdict.SLEEPING_OWNER);
        } else {
            assertThat(less.verdict()).isEqualTo(Verdict.UNKNOWN);
        }
        if (more.timeIn(OwnerState.GC_PAUSE) > 0) {
            assertThat(more.timeIn(OwnerState.GC_PAUSE)) // it runs for 0.1 ms of the pause
                    .isCloseTo(less.timeIn(OwnerState.GC_PAUSE), within(SyntheticJvmTrace.MS));
        }
    }

    /** The worker runs, and stops for a pause unless it sleeps anyway. */
    private static Incident random(long seed, boolean scheduling) {
        Random random = new Random(seed);
        double from = 5 + random.nextDouble() * 50;
        double to = from + 10 + random.nextDouble() * 100;
        double stops = from + random.nextDouble() * (to - from) * 0.8;
        double resumes = stops + 0.5 + random.nextDouble() * (to - stops - 0.5);
        double closest = Math.abs(2 * (resumes - stops) - (to - from));
        resumes = closest < 0.5 ? Math.max(stops + 0.5, resumes - 1) : resumes;
        boolean sleepsAnyway = random.nextInt(4) == 0;
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.waits(SyntheticJvmTrace.MAIN, from, to, "worker", SyntheticJvmTrace.WORKER)
                    .stop(stops, resumes, "", NAME);
            if (scheduling) {
                double sleeps = sleepsAnyway ? from - 1 : stops + 0.1;
                double wakes = sleepsAnyway ? to + 1 : resumes;
                stage.runs(1, SyntheticJvmTrace.WORKER, "worker", 1, sleeps, SchedState.SLEEPING)
                        .runs(1, SyntheticJvmTrace.WORKER, "worker", wakes, to + 10, SchedState.SLEEPING);
            }
            return ofMain(stage.diagnose(SceneDiagnoses.EVERYTHING));
        }
    }

    private static Incident ofMain(Diagnosis diagnosis) {
        return diagnosis.incidents().stream()
                .filter(incident -> incident.rootWait().thread().tid() == SyntheticJvmTrace.MAIN)
                .findFirst()
                .orElseThrow();
    }
}
