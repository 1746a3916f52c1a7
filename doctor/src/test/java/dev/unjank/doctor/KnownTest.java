package dev.unjank.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.unjank.trace.SchedState;
import org.junit.jupiter.api.Test;

/** A trace goes on after the last word of a source: what that told last is known until then and no longer. */
class KnownTest {
    private static final int OWNER = 1001;

    private final Stage stage = new Stage()
            .process(Stage.APP, "com.example.app")
            .thread(OWNER, Stage.APP, "owner", 120)
            .slice(Stage.APP, "draws", 0, 1);

    @Test
    void nobodyLacksACpuAfterTheSchedulersLastEvent() {
        stage.runs(Stage.APP, 1, 2, SchedState.RUNNABLE_PREEMPTED)
                .runs(OWNER, 3, 7, SchedState.SLEEPING)
                .end(90);
        assertThat(stage.incidents()).singleElement().satisfies(incident -> {
            assertThat(incident.verdict()).isEqualTo(Verdict.NO_CPU);
            assertThat(incident.tree().durNs()).isEqualTo(Stage.ns(5));
            assertThat(incident.tree().unfinished()).isTrue();
        });
    }

    @Test
    void norDoesAnybodySleepInTheKernel() {
        stage.runs(Stage.APP, 1, 2, SchedState.UNINTERRUPTIBLE)
                .runs(OWNER, 3, 7, SchedState.SLEEPING)
                .end(90);
        assertThat(stage.incidents()).singleElement().satisfies(incident -> {
            assertThat(incident.verdict()).isEqualTo(Verdict.BLOCKING_IO);
            assertThat(incident.tree().durNs()).isEqualTo(Stage.ns(5));
        });
    }

    @Test
    void whatAnOwnerDidAfterwardsIsUnknown() {
        stage.runs(Stage.APP, 1, 2, SchedState.SLEEPING)
                .runs(OWNER, 3, 7, SchedState.SLEEPING)
                .slice(Stage.APP, "monitor contention with owner owner (1001) waiters=0", 2, 60);
        Incident incident = stage.incidents().getFirst();
        assertThat(incident.tree().durNs()).isEqualTo(Stage.ns(58));
        assertThat(Scenes.states(incident))
                .contains(entry(OwnerState.RUNNING, Stage.ns(4)), entry(OwnerState.UNKNOWN, Stage.ns(54)))
                .doesNotContainKey(OwnerState.SLEEPING);
        Scenes.assertTiled(incident.tree());
    }

    @Test
    void aWaitWithoutAnEndIsKnownUntilTheLastThatProgramsAndTheSchedulerTold() {
        stage.runs(Stage.APP, 1, 2, SchedState.SLEEPING)
                .runs(OWNER, 3, 17, SchedState.RUNNABLE)
                .begins(Stage.APP, "monitor contention with owner owner (1001) waiters=0", 2)
                .end(90);
        assertThat(stage.incidents()).singleElement().satisfies(incident -> {
            assertThat(incident.tree().durNs()).isEqualTo(Stage.ns(15));
            assertThat(incident.tree().unfinished()).isTrue();
        });
    }

    /** A thread that ended in the middle waits no longer, and that it did is no reason to call its wait unfinished. */
    @Test
    void whoEndedWaitsNoLonger() {
        stage.runs(Stage.APP, 1, 2, SchedState.SLEEPING)
                .begins(Stage.APP, "monitor contention with owner owner (1001) waiters=0", 2)
                .runs(Stage.APP, 10, 11, SchedState.DEAD)
                .exits(Stage.APP, 10.9)
                .runs(OWNER, 3, 40, SchedState.SLEEPING)
                .end(90);
        assertThat(stage.incidents()).singleElement().satisfies(incident -> {
            assertThat(incident.tree().endNs()).isEqualTo(Stage.ns(11));
            assertThat(incident.tree().unfinished()).isFalse();
        });
    }

    /** Where events were lost a state has no end of its own, and yet the trace goes on. */
    @Test
    void whatIsTornInTheMiddleIsNotUnfinished() {
        stage.runs(Stage.APP, 1, 2, SchedState.RUNNABLE_PREEMPTED)
                .switchesOut(Stage.APP, 12, SchedState.SLEEPING)
                .runs(OWNER, 3, 40, SchedState.SLEEPING);
        assertThat(stage.incidents())
                .filteredOn(incident -> incident.tree().kind() == WaitKind.CPU)
                .singleElement()
                .satisfies(incident -> {
                    assertThat(incident.tree().endNs()).isEqualTo(Stage.ns(12));
                    assertThat(incident.tree().unfinished()).isFalse();
                });
    }
}
