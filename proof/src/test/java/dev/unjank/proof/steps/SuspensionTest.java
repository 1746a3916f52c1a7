package dev.unjank.proof.steps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.looper.QueueKind;
import dev.unjank.proof.steps.Scene.Operation;
import dev.unjank.proof.steps.Scene.Others;
import dev.unjank.proof.steps.Scene.Situation;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A thread that is preempted in the middle of a queue operation, at any instruction, blocks neither the looper nor
 * another thread. All instructions are tried, one after the other.
 */
class SuspensionTest {
    private final Suspension suspension = new Suspension();

    @AfterEach
    void close() {
        suspension.close();
    }

    private static List<Scene> scenes(QueueKind kind, Operation operation) {
        return Stream.of(Situation.values())
                .flatMap(situation ->
                        Stream.of(Others.values()).map(others -> new Scene(kind.name(), situation, operation, others)))
                .filter(Scene::isMeaningful)
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void whereverItStandsNobodyWaitsForOneWhoIsIn(Operation operation) throws InterruptedException {
        List<String> heldUp = new ArrayList<>();
        for (Scene scene : scenes(QueueKind.LOCK_FREE, operation)) {
            Suspension.Result result = suspension.play(scene);
            assertThat(result.steps()).as("steps in " + scene).isGreaterThan(10);
            heldUp.addAll(result.heldUp());
        }
        assertThat(heldUp).isEmpty();
        assertThat(suspension.trails()).allSatisfy(trail -> {
            assertThat(trail.monitors).isEmpty();
            assertThat(trail.calls).allMatch(Permitted::isPermitted);
        });
    }

    /** The test of the test: behind a lock threads wait, and this finds where. */
    @ParameterizedTest
    @EnumSource(names = {"POST", "REMOVE_MESSAGES", "QUIT"})
    void withALockSomebodyWaits(Operation operation) throws InterruptedException {
        Suspension.Result result =
                suspension.play(new Scene(QueueKind.MONITOR.name(), Situation.BUSY, operation, Others.SEND_AND_REMOVE));
        assertThat(result.heldUp()).anyMatch(where -> where.startsWith("MonitorQueue."));
        assertThat(suspension.trails())
                .anySatisfy(trail -> assertThat(trail.monitors).isNotEmpty());
    }

    @Test
    void aWakeUpOfARealLoopTakesNoLockOfItsOwn() throws InterruptedException {
        Stage stage = InstrumentedLooper.newStage();
        stage.wakeRealLoop(QueueKind.LOCK_FREE.name(), new PostCost.UnstoppedPoster()); // initializes classes
        PostCost.UnstoppedPoster poster = new PostCost.UnstoppedPoster();
        stage.wakeRealLoop(QueueKind.LOCK_FREE.name(), poster);
        assertThat(poster.trail.monitors).isEmpty();
        assertThat(poster.trail.calls)
                .allMatch(Permitted::isPermitted)
                .contains(new Call("ParkingWaker.wake", "java.util.concurrent.locks.LockSupport.unpark"));
    }
}
