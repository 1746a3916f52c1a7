package dev.unjank.proof.steps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.looper.QueueKind;
import dev.unjank.proof.steps.PreemptionScenario.Operation;
import dev.unjank.proof.steps.PreemptionScenario.Others;
import dev.unjank.proof.steps.PreemptionScenario.Situation;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A thread that is preempted in the middle of a queue operation, at any instruction, blocks neither the looper nor
 * another thread. All instructions are tried, one after the other.
 */
class PreemptionCheckTest {
    private final PreemptionCheck suspension = new PreemptionCheck();

    @AfterEach
    void close() {
        suspension.close();
    }

    private static List<PreemptionScenario> scenes(QueueKind kind, Operation operation) {
        return Stream.of(Situation.values())
                .flatMap(situation -> Stream.of(Others.values())
                        .map(others -> new PreemptionScenario(kind.name(), situation, operation, others)))
                .filter(PreemptionScenario::isMeaningful)
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    @Tag("slow")
    void whereverItStandsNobodyWaitsForOneWhoIsIn(Operation operation) throws InterruptedException {
        List<String> heldUp = new ArrayList<>();
        for (PreemptionScenario scene : scenes(QueueKind.LOCK_FREE, operation)) {
            PreemptionCheck.Result result = suspension.play(scene);
            assertThat(result.steps()).as("steps in " + scene).isGreaterThan(10);
            heldUp.addAll(result.heldUp());
        }
        assertThat(heldUp).isEmpty();
        assertThat(suspension.trails()).allSatisfy(trail -> {
            assertThat(trail.monitors).isEmpty();
            assertThat(trail.calls).allMatch(PermittedCalls::isPermitted);
        });
    }

    /** The test of the test: behind a lock threads wait, and this finds where. */
    @ParameterizedTest
    @EnumSource(names = {"POST", "REMOVE_MESSAGES", "QUIT"})
    void withALockSomebodyWaits(Operation operation) throws InterruptedException {
        PreemptionCheck.Result result = suspension.play(
                new PreemptionScenario(QueueKind.MONITOR.name(), Situation.BUSY, operation, Others.SEND_AND_REMOVE));
        assertThat(result.heldUp()).anyMatch(where -> where.startsWith("MonitorQueue."));
        assertThat(suspension.trails())
                .anySatisfy(trail -> assertThat(trail.monitors).isNotEmpty());
    }

    @Test
    void aWakeUpOfARealLoopTakesNoLockOfItsOwn() throws InterruptedException {
        ScenarioRunner stage = InstrumentedLooperLoader.newStage();
        stage.wakeRealLoop(QueueKind.LOCK_FREE.name(), new PostCost.UnstoppedPoster()); // initializes classes
        PostCost.UnstoppedPoster poster = new PostCost.UnstoppedPoster();
        stage.wakeRealLoop(QueueKind.LOCK_FREE.name(), poster);
        assertThat(poster.trail.monitors).isEmpty();
        assertThat(poster.trail.calls)
                .allMatch(PermittedCalls::isPermitted)
                .contains(new ExternalCall("ParkingWaker.wake", "java.util.concurrent.locks.LockSupport.unpark"));
    }
}
