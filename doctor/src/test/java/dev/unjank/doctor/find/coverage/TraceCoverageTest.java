package dev.unjank.doctor.find.coverage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.SyntheticTrace;
import dev.unjank.trace.model.SchedState;
import org.junit.jupiter.api.Test;

/** A trace continues after the last event of a source: its last states are known only until then. */
class TraceCoverageTest {
    private static final int OWNER = 1001;

    private final SyntheticTrace stage = new SyntheticTrace()
            .process(SyntheticTrace.APP, "com.example.app")
            .thread(OWNER, SyntheticTrace.APP, "owner", 120)
            .slice(SyntheticTrace.APP, "draws", 0, 1);

    @Test
    void noWaitForACpuAfterTheSchedulersLastEvent() {
        stage.runs(SyntheticTrace.APP, 1, 2, SchedState.RUNNABLE_PREEMPTED)
                .runs(OWNER, 3, 7, SchedState.SLEEPING)
                .end(90);
        assertThat(stage.incidents()).singleElement().satisfies(incident -> {
            assertThat(incident.verdict()).isEqualTo(Verdict.NO_CPU);
            assertThat(incident.rootWait().durNs()).isEqualTo(SyntheticTrace.ns(5));
            assertThat(incident.rootWait().unfinished()).isTrue();
        });
    }

    @Test
    void noUninterruptibleSleepAfterTheSchedulersLastEvent() {
        stage.runs(SyntheticTrace.APP, 1, 2, SchedState.UNINTERRUPTIBLE)
                .runs(OWNER, 3, 7, SchedState.SLEEPING)
                .end(90);
        assertThat(stage.incidents()).singleElement().satisfies(incident -> {
            assertThat(incident.verdict()).isEqualTo(Verdict.BLOCKING_IO);
            assertThat(incident.rootWait().durNs()).isEqualTo(SyntheticTrace.ns(5));
        });
    }

    @Test
    void ownerStateAfterTheLastEventIsUnknown() {
        stage.runs(SyntheticTrace.APP, 1, 2, SchedState.SLEEPING)
                .runs(OWNER, 3, 7, SchedState.SLEEPING)
                .slice(SyntheticTrace.APP, "monitor contention with owner owner (1001) waiters=0", 2, 60);
        Incident incident = stage.incidents().getFirst();
        assertThat(incident.rootWait().durNs()).isEqualTo(SyntheticTrace.ns(58));
        assertThat(SceneDiagnoses.states(incident))
                .contains(
                        entry(OwnerState.RUNNING, SyntheticTrace.ns(4)),
                        entry(OwnerState.UNKNOWN, SyntheticTrace.ns(54)))
                .doesNotContainKey(OwnerState.SLEEPING);
        SceneDiagnoses.assertTiled(incident.rootWait());
    }

    @Test
    void anOpenWaitIsKnownUntilTheLastEventOfProgramsAndScheduler() {
        stage.runs(SyntheticTrace.APP, 1, 2, SchedState.SLEEPING)
                .runs(OWNER, 3, 17, SchedState.RUNNABLE)
                .begins(SyntheticTrace.APP, "monitor contention with owner owner (1001) waiters=0", 2)
                .end(90);
        assertThat(stage.incidents()).singleElement().satisfies(incident -> {
            assertThat(incident.rootWait().durNs()).isEqualTo(SyntheticTrace.ns(15));
            assertThat(incident.rootWait().unfinished()).isTrue();
        });
    }

    /** The wait of a thread that exited ends with it, and is not unfinished. */
    @Test
    void anExitedThreadWaitsNoLonger() {
        stage.runs(SyntheticTrace.APP, 1, 2, SchedState.SLEEPING)
                .begins(SyntheticTrace.APP, "monitor contention with owner owner (1001) waiters=0", 2)
                .runs(SyntheticTrace.APP, 10.9, 11, SchedState.DEAD)
                .exits(SyntheticTrace.APP, 10.95)
                .runs(OWNER, 3, 40, SchedState.SLEEPING)
                .end(90);
        assertThat(stage.incidents()).singleElement().satisfies(incident -> {
            assertThat(incident.rootWait().endNs()).isEqualTo(SyntheticTrace.ns(11));
            assertThat(incident.rootWait().unfinished()).isFalse();
        });
    }

    /** After an event loss a state has no recorded end, but the trace continues. */
    @Test
    void anEventLossDoesNotMakeAWaitUnfinished() {
        stage.runs(SyntheticTrace.APP, 1, 2, SchedState.RUNNABLE_PREEMPTED)
                .switchesOut(SyntheticTrace.APP, 12, SchedState.SLEEPING)
                .runs(OWNER, 3, 40, SchedState.SLEEPING);
        assertThat(stage.incidents())
                .filteredOn(incident -> incident.rootWait().kind() == WaitKind.CPU)
                .singleElement()
                .satisfies(incident -> {
                    assertThat(incident.rootWait().endNs()).isEqualTo(SyntheticTrace.ns(12));
                    assertThat(incident.rootWait().unfinished()).isFalse();
                });
    }
}
