package dev.unjank.doctor;

import static dev.unjank.scene.Scene.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.BlockedKind;
import dev.unjank.doctor.model.BlockedTime;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.report.WaitMessages;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.scene.ArtContention;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneProcess;
import dev.unjank.scene.SceneThread;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A wait ends when the waiter runs again for good, not at the end of the slice that records it. */
class EndOfWaitScenesTest {
    private final Scene scene = new Scene();
    private final SceneProcess app = scene.process(1000, "com.example.app");
    private final SceneThread main = app.mainThread("com.example.app", 110);
    private final SceneThread worker = app.thread(1001, "worker", 120);

    /** The main thread is blocked from 1 ms on, and sleeps until 2.4 ms. */
    private SceneThread wokenMain() {
        worker.runs(1, ms(30));
        return main.runs(0, ms(1))
                .blocksOn(ArtContention.heldBy(worker))
                .sleeps(ms(2.4))
                .wokenBy(worker)
                .runnable(ms(2.45));
    }

    private Diagnosis diagnose() {
        return SceneDiagnoses.inAnyFormat(scene, DoctorOptions.defaults());
    }

    private static long lockNs(Diagnosis diagnosis) {
        return diagnosis.blockedTime().kinds().stream()
                .filter(total -> total.kind() == BlockedKind.LOCK)
                .mapToLong(BlockedTime.KindTotal::durNs)
                .sum();
    }

    @Test
    void ownRunningIsNoWait() {
        wokenMain().runs(0, ms(6.45)).acquires().runs(0, ms(10));
        Diagnosis diagnosis = diagnose();
        assertThat(diagnosis.incidents()).singleElement().satisfies(incident -> {
            assertThat(incident.rootWait().durNs()).isEqualTo(ms(1.45));
            assertThat(incident.verdict()).isEqualTo(Verdict.LONG_HOLD);
            assertThat(incident.judgement().decisiveNs()).isEqualTo(ms(1.4));
            assertThat(incident.rootWait().wakeDelayNs()).isEqualTo(ms(0.05));
            assertThat(WaitMessages.ownerActivity(incident)).doesNotContain("then ran");
        });
        assertThat(lockNs(diagnosis)).isEqualTo(ms(1.45));
    }

    /** Below the least duration, although the slice is not. */
    @Test
    void theTimeBlockedDecidesWhetherAWaitIsAnIncident() {
        worker.runs(1, ms(30));
        main.runs(0, ms(1))
                .blocksOn(ArtContention.heldBy(worker))
                .sleeps(ms(1.9))
                .wokenBy(worker);
        main.runnable(ms(1.95)).runs(0, ms(6.45)).acquires().runs(0, ms(10));
        assertThat(diagnose().incidents()).isEmpty();
    }

    /** A run too short to end the wait decides no verdict, even if it is most of the wait. */
    @Test
    void aShortRunIsNoUnknownTime() {
        worker.runs(1, ms(30));
        main.runs(0, ms(1))
                .blocksOn(ArtContention.heldBy(worker))
                .sleeps(ms(1.05))
                .wokenBy(worker);
        main.runnable(ms(1.06)).runs(0, ms(1.2)).acquires().runs(0, ms(10));
        Diagnosis diagnosis =
                SceneDiagnoses.inAnyFormat(scene, DoctorOptions.defaults().withMinDuration(Duration.ZERO));
        assertThat(diagnosis.incidents()).singleElement().satisfies(incident -> {
            assertThat(incident.rootWait().durNs()).isEqualTo(ms(0.2));
            assertThat(incident.verdict()).isEqualTo(Verdict.LONG_HOLD);
            assertThat(incident.judgement().decisiveNs()).isEqualTo(ms(0.05));
        });
    }

    /** A run with a sleep after it did not get the lock. */
    @Test
    void aSpinIsPartOfTheWait() {
        wokenMain()
                .runs(0, ms(3))
                .sleeps(ms(8.9))
                .wokenBy(worker)
                .runnable(ms(9))
                .acquires();
        main.runs(0, ms(10));
        Diagnosis diagnosis = diagnose();
        assertThat(diagnosis.incidents())
                .singleElement()
                .satisfies(incident -> assertThat(incident.rootWait().durNs()).isEqualTo(ms(8)));
        assertThat(lockNs(diagnosis)).isEqualTo(ms(8));
    }

    /** A thread that spins throughout waits for the lock all the time. */
    @Test
    void withoutASleepTheSliceIsTheWait() {
        worker.runs(1, ms(30));
        main.runs(0, ms(1))
                .blocksOn(ArtContention.heldBy(worker))
                .runs(0, ms(6))
                .acquires();
        main.runs(0, ms(10));
        assertThat(diagnose().incidents())
                .singleElement()
                .satisfies(incident -> assertThat(incident.rootWait().durNs()).isEqualTo(ms(5)));
    }

    /** Once it ran with the lock, a further wait for a CPU is not one for the lock. */
    @Test
    void aLaterPreemptionIsAWaitForACpu() {
        SceneThread other = scene.process(2000, "com.example.other").thread(2001, "other", 100);
        other.sleeps(ms(3)).runs(0, ms(7));
        wokenMain().runs(0, ms(3)).runnable(ms(7)).runs(0, ms(8)).acquires().runs(0, ms(10));
        List<Incident> incidents = diagnose().incidents();
        assertThat(incidents).extracting(Incident::verdict).containsExactly(Verdict.NO_CPU, Verdict.LONG_HOLD);
        assertThat(incidents)
                .extracting(incident -> incident.rootWait().durNs())
                .containsExactly(ms(7) - ms(3), ms(1.45));
    }
}
