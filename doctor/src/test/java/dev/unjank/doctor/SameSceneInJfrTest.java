package dev.unjank.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.scene.LockTurns;
import dev.unjank.doctor.scene.LockTurns.Activity;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import dev.unjank.trace.convert.PerfettoConverter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * The same scene of a virtual machine as a Flight Recorder file and as a Perfetto file of the recorder gives the same
 * verdicts. Flight Recorder has no scheduler events: with these the Perfetto file knows more, see {@link
 * MoreDataPropertyTest}.
 */
class SameSceneInJfrTest {
    @Property(tries = 200)
    void theVerdictsAreTheSame(@ForAll long seed) throws IOException {
        LockTurns turns = LockTurns.random(new Random(seed), List.of(Activity.RUNS, Activity.SLEEPS));
        assertThat(lockWaits(perfetto(turns.recorded(false)))).isEqualTo(lockWaits(flightRecorder(turns)));
    }

    /** The scenes contain what is compared. */
    @Example
    void thereAreSleepingOwnersAndConvoys() {
        List<String> all = new Random(1)
                .longs(50)
                .mapToObj(seed -> LockTurns.random(new Random(seed), List.of(Activity.RUNS, Activity.SLEEPS)))
                .flatMap(turns -> lockWaits(flightRecorder(turns)).stream())
                .toList();
        for (Verdict verdict : List.of(Verdict.SLEEPING_OWNER, Verdict.LOCK_CONVOY, Verdict.UNKNOWN)) {
            assertThat(all).anyMatch(line -> line.contains(verdict.name()));
        }
    }

    /** A near miss: the same waits, but their owners do something else. */
    @Example
    void otherActivitiesGiveOtherVerdicts() throws IOException {
        LockTurns running = LockTurns.random(new Random(1), List.of(Activity.RUNS));
        LockTurns sleeping = LockTurns.random(new Random(1), List.of(Activity.SLEEPS));
        assertThat(lockWaits(perfetto(running.recorded(false)))).isNotEqualTo(lockWaits(flightRecorder(sleeping)));
    }

    private static Diagnosis flightRecorder(LockTurns turns) {
        return Doctor.diagnose(SceneDiagnoses.read(turns.flightRecorderFile()), SceneDiagnoses.EVERYTHING);
    }

    private static Diagnosis perfetto(SyntheticJvmTrace stage) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PerfettoConverter.write(stage.trace(), bytes);
        return Doctor.diagnose(SceneDiagnoses.read(bytes.toByteArray()), SceneDiagnoses.EVERYTHING);
    }

    /** The waits for locks, with times from the first of them. */
    private static List<String> lockWaits(Diagnosis diagnosis) {
        SceneDiagnoses.assertSound(diagnosis);
        long firstNs = diagnosis.incidents().stream()
                .mapToLong(incident -> incident.rootWait().startNs())
                .min()
                .orElse(0);
        return diagnosis.incidents().stream()
                .filter(incident -> incident.rootWait().kind().isLock())
                .map(incident -> (incident.rootWait().startNs() - firstNs) + " "
                        + incident.rootWait().durNs() + " "
                        + incident.rootWait().thread().name() + " "
                        + incident.owner().thread().tid() + " " + incident.verdict() + " "
                        + incident.judgement().decisiveNs() + " "
                        + incident.judgement().evidence())
                .sorted()
                .toList();
    }
}
