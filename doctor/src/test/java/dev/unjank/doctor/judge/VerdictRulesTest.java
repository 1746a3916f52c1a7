package dev.unjank.doctor.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.CodeOrigin;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Judgement;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.OwnerInterval;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.PreemptingThread;
import dev.unjank.doctor.model.Segment;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.model.ThreadStates;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each rule on trees built by hand, with the cases that just miss it. */
class VerdictRulesTest {
    private static final int BLOCKED_PRIORITY = 110;
    private static final long US = 1_000;

    private static ThreadRef thread(int tid, int priority) {
        return new ThreadRef(
                tid, tid, "t" + tid, 0, "app", false, priority, ThreadStates.NO_PRIORITY, CodeOrigin.PROGRAM);
    }

    private static Segment part(OwnerState state, int priority, long us, PreemptingThread... preemptedBy) {
        return new Segment(state, 0, us * US, thread(2, priority), null, List.of(), List.of(preemptedBy), null);
    }

    private static Segment preempted(int priority, long us, long lessImportantUs) {
        return new Segment(
                OwnerState.RUNNABLE,
                0,
                us * US,
                thread(2, priority),
                null,
                List.of(),
                List.of(),
                lessImportantUs * US,
                null);
    }

    private static Judgement judge(Segment... parts) {
        return VerdictRules.judge(waitOf(thread(1, BLOCKED_PRIORITY), parts), null, null);
    }

    private static Wait waitOf(ThreadRef blocked, Segment... parts) {
        long sum = 0;
        for (Segment part : parts) {
            sum += part.durNs();
        }
        Owner owner = new Owner(parts.length == 0 ? thread(2, 120) : parts[0].thread(), null, Evidence.OWNER_NAMED);
        OwnerInterval ownerInterval = new OwnerInterval(owner, 0, sum, List.of(parts));
        return new Wait(WaitKind.MONITOR, blocked, "monitor", null, 0, 0, sum, false, List.of(ownerInterval));
    }

    @Test
    void anInversionIsALessImportantOwnerWithoutACpu() {
        Judgement judgement = judge(
                part(OwnerState.RUNNABLE, 120, 5512),
                part(OwnerState.RUNNING, 120, 114),
                part(OwnerState.SLEEPING, 120, 3523));
        assertThat(judgement.verdict()).isEqualTo(Verdict.PRIORITY_INVERSION);
        assertThat(judgement.decisiveNs()).isEqualTo(5_512_000);
    }

    /** Behind a reply, an inversion is at least half of the preempted time, and preemption is the longest share. */
    @ParameterizedTest
    @CsvSource({
        "918, 0,   16,  PRIORITY_INVERSION",
        "918, 300, 16,  PRIORITY_INVERSION",
        "459, 459, 16,  PRIORITY_INVERSION",
        "400, 459, 16,  RUNNABLE_OWNER",
        "300, 918, 16,  RUNNABLE_OWNER",
        "150, 140, 16,  RUNNABLE_OWNER",
        "600, 300, 899, PRIORITY_INVERSION",
        "600, 300, 901, SLOW_REPLY",
    })
    void anInversionBehindAReply(long invertedUs, long equalUs, long runningUs, Verdict verdict) {
        Wait wait = waitOf(
                thread(1, BLOCKED_PRIORITY),
                part(OwnerState.RUNNABLE, 120, invertedUs),
                part(OwnerState.RUNNABLE, BLOCKED_PRIORITY, equalUs),
                part(OwnerState.RUNNING, 120, runningUs));
        Wait reply = new Wait(
                WaitKind.BINDER,
                wait.thread(),
                Wait.BINDER_CALL,
                null,
                0,
                0,
                wait.durNs(),
                false,
                wait.ownerIntervals());
        assertThat(VerdictRules.judge(reply, null, null).verdict()).isEqualTo(verdict);
    }

    /** The rule asks for 0.2 ms in all, not for most of the wait, nor for all at once. */
    @ParameterizedTest
    @CsvSource({"200, 0, PRIORITY_INVERSION", "120, 80, PRIORITY_INVERSION", "199, 0, LONG_HOLD", "120, 79, LONG_HOLD"})
    void theLeastInversion(long firstUs, long secondUs, Verdict verdict) {
        assertThat(judge(
                                part(OwnerState.RUNNABLE, 120, firstUs),
                                part(OwnerState.RUNNING, 120, 5_000),
                                part(OwnerState.RUNNABLE, 120, secondUs))
                        .verdict())
                .isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource({"111, PRIORITY_INVERSION", "110, RUNNABLE_OWNER", "109, RUNNABLE_OWNER", "98, RUNNABLE_OWNER"})
    void equalOrBetterOwnersAreNoInversion(int owner, Verdict verdict) {
        assertThat(judge(part(OwnerState.RUNNABLE, owner, 5_000)).verdict()).isEqualTo(verdict);
    }

    /** The kernel changes priorities on the way: only the time at a worse one counts. */
    @Test
    void thePriorityOfEachMoment() {
        Judgement judgement = judge(
                part(OwnerState.RUNNABLE, 120, 150),
                part(OwnerState.RUNNABLE, 110, 4_000),
                part(OwnerState.RUNNABLE, 120, 40));
        assertThat(judgement.verdict()).isEqualTo(Verdict.RUNNABLE_OWNER);
    }

    /** For most of the inverted time, and not for less than any verdict asks for. */
    @ParameterizedTest
    @CsvSource({
        "5000, 5000, true",
        "5000, 2500, true",
        "5000, 2499, false",
        "5000, 10,   false",
        "5000, 0,    false",
        "300,  200,  true",
        "300,  199,  false",
    })
    void unboundedIfALessImportantThreadRanInstead(long us, long lessImportantUs, boolean unbounded) {
        Judgement judgement = judge(preempted(120, us, lessImportantUs));
        assertThat(judgement.verdict()).isEqualTo(Verdict.PRIORITY_INVERSION);
        assertThat(judgement.unbounded()).isEqualTo(unbounded);
        assertThat(judgement.decisiveNs()).isEqualTo(us * US);
        assertThat(judgement.lessImportantNs()).isEqualTo(lessImportantUs * US);
    }

    /** Who ran while the owner was as important as the waiting thread did not extend an inversion. */
    @Test
    void culpritsOutsideTheInversionDoNotUnboundIt() {
        Judgement judgement = judge(preempted(120, 5_000, 0), preempted(105, 5_000, 5_000));
        assertThat(judgement.unbounded()).isFalse();
    }

    /** Who runs itself is not held up by the scheduler, and is not its own culprit either. */
    @ParameterizedTest
    @CsvSource({"100, PRIORITY_INVERSION", "131, UNKNOWN", "500, UNKNOWN"})
    void theBlockedThreadIsNotItsOwnOwner(long itselfUs, Verdict verdict) {
        PreemptingThread itself = new PreemptingThread(thread(1, BLOCKED_PRIORITY + 5), itselfUs * US);
        Judgement judgement = judge(part(OwnerState.RUNNABLE, 120, 330, itself));
        assertThat(judgement.verdict()).isEqualTo(verdict);
        assertThat(judgement.decisiveNs()).isEqualTo(verdict == Verdict.UNKNOWN ? 0 : 230_000);
        assertThat(judge(part(OwnerState.RUNNABLE, 105, 330, itself)).verdict())
                .isEqualTo(verdict == Verdict.UNKNOWN ? verdict : Verdict.RUNNABLE_OWNER);
    }

    @Test
    void unboundedOnlyEverSaysSomethingOfAnInversion() {
        Judgement judgement = judge(preempted(120, 150, 150), part(OwnerState.RUNNING, 120, 900));
        assertThat(judgement.unbounded()).isFalse();
        assertThat(judgement.lessImportantNs()).isZero();
    }

    /** Without an inversion the largest share decides. */
    @ParameterizedTest
    @CsvSource({
        "5000, 4000, 4000, 0,    RUNNABLE_OWNER",
        "4000, 5000, 4000, 0,    LONG_HOLD",
        "4000, 4000, 5000, 0,    SLEEPING_OWNER",
        "4000, 4000, 4000, 5000, UNKNOWN",
        "190,  180,  0,    0,    LONG_HOLD",
        "190,  0,    180,  0,    SLEEPING_OWNER",
        "190,  0,    0,    0,    UNKNOWN",
        "0,    0,    0,    0,    UNKNOWN",
    })
    void theLargestShare(long preempted, long running, long asleep, long unknown, Verdict verdict) {
        assertThat(judge(
                                part(OwnerState.RUNNABLE, 110, preempted),
                                part(OwnerState.RUNNING, 110, running),
                                part(OwnerState.SLEEPING, 110, asleep),
                                part(OwnerState.UNKNOWN, 110, unknown))
                        .verdict())
                .isEqualTo(verdict);
    }

    @Test
    void allSleepsCountTogether() {
        assertThat(judge(
                                part(OwnerState.RUNNING, 120, 1_000),
                                part(OwnerState.SLEEPING, 120, 400),
                                part(OwnerState.IO_WAIT, 120, 400),
                                part(OwnerState.UNINTERRUPTIBLE, 120, 400))
                        .verdict())
                .isEqualTo(Verdict.SLEEPING_OWNER);
    }

    @Test
    void withoutPrioritiesPreemptionIsNoVerdict() {
        assertThat(judge(part(OwnerState.RUNNABLE, ThreadStates.NO_PRIORITY, 5_000))
                        .verdict())
                .isEqualTo(Verdict.UNKNOWN);
        Wait blockedUnknown = waitOf(thread(1, ThreadStates.NO_PRIORITY), part(OwnerState.RUNNABLE, 120, 5_000));
        assertThat(VerdictRules.judge(blockedUnknown, null, null).verdict()).isEqualTo(Verdict.UNKNOWN);
    }

    /** A deadline thread's priority is the kernel's -1, better than any other, and known. */
    @Test
    void aDeadlineThreadIsMoreImportantThanAll() {
        Wait wait = waitOf(thread(1, -1), part(OwnerState.RUNNABLE, 0, 5_000));
        assertThat(VerdictRules.judge(wait, null, null).verdict()).isEqualTo(Verdict.PRIORITY_INVERSION);
    }

    @Test
    void theBlameGoesDownTheChain() {
        Wait further = waitOf(thread(2, 105), preempted(125, 3_000, 3_000));
        Segment blocked =
                new Segment(OwnerState.BLOCKED, 0, 3_000 * US, thread(2, 105), null, List.of(), List.of(), further);
        assertThat(judge(blocked, part(OwnerState.SLEEPING, 105, 2_000)))
                .isEqualTo(new Judgement(
                        Verdict.PRIORITY_INVERSION, Evidence.OWNER_NAMED, true, 3_000_000, 3_000_000, thread(2, 125)));
    }

    @Test
    void aDeadlockComesFirst() {
        Wait circle = waitOf(thread(2, 120), part(OwnerState.DEADLOCKED, 110, 1));
        Segment blocked = new Segment(OwnerState.BLOCKED, 0, US, thread(2, 120), null, List.of(), List.of(), circle);
        assertThat(judge(blocked, part(OwnerState.RUNNABLE, 120, 9_000)).verdict())
                .isEqualTo(Verdict.DEADLOCK);
    }
}
