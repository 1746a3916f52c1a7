package dev.unjank.doctor;

import static dev.unjank.scene.Scene.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.report.ResponsibleThread;
import dev.unjank.doctor.report.VerdictMessages;
import dev.unjank.doctor.report.WaitMessages;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.scene.ArtContention;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneProcess;
import dev.unjank.scene.SceneThread;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sentences on a sleeping owner name the states that its numbers have, and no part is larger than its whole. */
class SleepingOwnerScenesTest {
    private final Scene scene = new Scene();
    private final SceneProcess app = scene.process(1000, "com.example.app");
    private final SceneThread main = app.mainThread("com.example.app", 110);
    private final SceneThread worker = app.thread(1001, "worker", 120);

    private Incident incident() {
        main.runs(0, ms(1)).blocksOn(ArtContention.heldBy(worker)).sleeps(ms(9));
        main.wokenBy(worker).runnable(ms(9.1)).acquires().runs(0, ms(10));
        Diagnosis diagnosis = SceneDiagnoses.inAnyFormat(scene, DoctorOptions.defaults());
        assertThat(diagnosis.incidents()).hasSize(1);
        Incident incident = diagnosis.incidents().getFirst();
        assertThat(incident.verdict()).isEqualTo(Verdict.SLEEPING_OWNER);
        return incident;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "I   | waiting for I/O",
                "D   | in uninterruptible sleep",
                "S   | asleep",
                "SI  | asleep or waiting for I/O",
                "ID  | waiting for I/O or in uninterruptible sleep",
                "SID | asleep, waiting for I/O or in uninterruptible sleep",
            })
    void theWordsAreThoseOfItsStates(String states, String words) {
        worker.runs(1, ms(2));
        double at = 2;
        for (int i = 0; i < states.length(); i++) {
            char state = states.charAt(i);
            at += 6.0 / states.length();
            switch (state) {
                case 'S' -> worker.sleeps(ms(at));
                default -> worker.sleepsUninterruptibly(ms(at), state == 'I', "io_schedule");
            }
            worker.runnable(ms(at + 0.001)).runs(1, ms(at + 0.002));
        }
        worker.runs(1, ms(9.2));
        Incident incident = incident();
        assertThat(VerdictMessages.of(incident)).contains("the owner was " + words + " for ");
        assertThat(ResponsibleThread.field(incident)).startsWith("worker, " + words + " for ");
        assertThat(WaitMessages.ownerActivity(incident)).doesNotContain("These times include");
    }

    /** The owner's states include those after the wake-up. */
    @Test
    void aSleepAfterTheWakeUp() {
        worker.runs(1, ms(2)).sleeps(ms(8)).runnable(ms(8.01)).runs(1, ms(9.02)).sleeps(ms(9.5));
        Incident incident = incident();
        assertThat(VerdictMessages.of(incident)).contains("asleep for 6.000 ms");
        assertThat(WaitMessages.ownerActivity(incident))
                .isEqualTo(
                        "During the wait, worker slept for 6.080 ms, ran for 2.010 ms and was runnable (waiting for a CPU) for 0.010 ms."
                                + " These times include the 0.100 ms after the wake-up.");
    }
}
