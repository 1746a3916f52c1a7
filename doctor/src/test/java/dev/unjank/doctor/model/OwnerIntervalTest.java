package dev.unjank.doctor.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.model.ThreadStates;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Of several priorities of an owner, the interval has the one that mattered. */
class OwnerIntervalTest {
    private static final ThreadRef OWNER =
            new ThreadRef(1, 10, "owner", 1, "app", false, 120, ThreadStates.NO_PRIORITY, CodeOrigin.PROGRAM);

    private final List<Segment> parts = new ArrayList<>();
    private long at;

    private OwnerIntervalTest does(OwnerState state, int priority, int inherited, long ns) {
        parts.add(
                new Segment(state, at, ns, OWNER.withPriority(priority, inherited), null, List.of(), List.of(), null));
        at += ns;
        return this;
    }

    private OwnerIntervalTest does(OwnerState state, int priority, long ns) {
        return does(state, priority, ThreadStates.NO_PRIORITY, ns);
    }

    private OwnerInterval ownerInterval() {
        return OwnerInterval.of(new Owner(OWNER, null, Evidence.OWNER_NAMED), 0, at, parts);
    }

    private int priority() {
        return ownerInterval().owner().thread().priority();
    }

    @Test
    void priorityWhileRunnable() {
        assertThat(does(OwnerState.RUNNING, 120, 50)
                        .does(OwnerState.RUNNABLE, 110, 3)
                        .does(OwnerState.RUNNABLE, 115, 4)
                        .priority())
                .isEqualTo(115);
        assertThat(ownerInterval().otherPriorities()).containsExactly(110, 120);
        assertThat(ownerInterval().isPreempted()).isTrue();
    }

    @Test
    void otherwiseThePriorityOfMostOfTheTime() {
        assertThat(does(OwnerState.RUNNING, 120, 3)
                        .does(OwnerState.SLEEPING, 110, 4)
                        .priority())
                .isEqualTo(110);
        assertThat(ownerInterval().isPreempted()).isFalse();
    }

    /** The sum counts, not the longest segment. */
    @Test
    void segmentsOfOnePriorityAddUp() {
        assertThat(does(OwnerState.SLEEPING, 110, 5)
                        .does(OwnerState.SLEEPING, 120, 4)
                        .does(OwnerState.RUNNING, 110, 1)
                        .does(OwnerState.SLEEPING, 120, 4)
                        .priority())
                .isEqualTo(120);
    }

    @Test
    void ofEqualsTheFirst() {
        assertThat(does(OwnerState.SLEEPING, 110, 4)
                        .does(OwnerState.SLEEPING, 115, 4)
                        .priority())
                .isEqualTo(110);
    }

    @Test
    void timeWithoutAKnownPriorityDoesNotCount() {
        assertThat(does(OwnerState.SLEEPING, ThreadStates.NO_PRIORITY, 9)
                        .does(OwnerState.SLEEPING, 110, 4)
                        .priority())
                .isEqualTo(110);
        assertThat(ownerInterval().otherPriorities()).isEmpty();
    }

    /** An inherited priority is distinct from an equal one of the thread's own. */
    @Test
    void anInheritedPriorityIsAnother() {
        does(OwnerState.RUNNABLE, 120, 3).does(OwnerState.RUNNABLE, 120, 105, 4);
        assertThat(ownerInterval().owner().thread().inheritedPriority()).isEqualTo(105);
        assertThat(ownerInterval().otherPriorities()).isEmpty();
    }
}
