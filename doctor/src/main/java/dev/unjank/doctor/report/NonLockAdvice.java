package dev.unjank.doctor.report;

import dev.unjank.doctor.judge.BlockerKind;
import dev.unjank.doctor.model.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What helps where no lock was in hand: who was in the way owed a reply, collected garbage, or held others still. */
final class NonLockAdvice {
    private NonLockAdvice() {}

    /** {@return what helps, null if it is the same as for a lock} */
    static @Nullable List<String> steps(Verdict verdict, BlockerKind awaited) {
        return switch (awaited) {
            case LOCK, OBJECT_COUNT, OLD_OBJECTS, RECORDER -> null;
            case REPLY -> ofReply(verdict);
            case COLLECTION -> ofCollection(verdict);
            case SUSPENSION -> ofSuspension(verdict);
        };
    }

    private static @Nullable List<String> ofReply(Verdict verdict) {
        return switch (verdict) {
            case PRIORITY_INVERSION ->
                List.of(
                        "Make the call from a thread that may wait, or one-way: then no important thread waits for a less important one.",
                        "In binder calls the server thread inherits the caller's nice value, and a real-time priority if the service requests it; threads that it waits for inherit nothing.");
            case PREEMPTED_OWNER ->
                List.of(
                        "Find out why there was more work than CPU time: look at the threads that preempted it, and postpone what can wait.",
                        "Make the call from a thread that may wait, or one-way, and go on without the reply.");
            case SLEEPING_OWNER ->
                List.of(
                        "Make the call from a thread that may wait, or one-way, and go on without the reply.",
                        "If the server is yours, let it reply without waiting: prepare the result, and do no I/O within a call.");
            case UNKNOWN ->
                List.of(
                        "Record again with the scheduler's events (sched_switch, sched_waking) and binder_driver, and with a"
                                + " buffer large enough to lose nothing.",
                        "Until then, read the code that serves this call.");
            default -> null;
        };
    }

    private static @Nullable List<String> ofCollection(Verdict verdict) {
        return switch (verdict) {
            case PRIORITY_INVERSION, PREEMPTED_OWNER ->
                List.of(
                        "Find out why the collector had no CPU: look at the threads that preempted it, and postpone what can wait.",
                        "Make less garbage before this moment, so that there is less to wait for.");
            case UNKNOWN ->
                List.of(
                        "Record again with the scheduler's events (sched_switch, sched_waking) and the category dalvik, and with"
                                + " a buffer large enough to lose nothing.");
            default -> null;
        };
    }

    private static @Nullable List<String> ofSuspension(Verdict verdict) {
        return switch (verdict) {
            case PRIORITY_INVERSION, PREEMPTED_OWNER ->
                List.of(
                        "Find out why the suspending thread had no CPU: look at the threads that preempted it, and postpone what can wait.",
                        "Suspend no thread that must not wait, or only from a thread of at least its priority.");
            case UNKNOWN -> ofCollection(verdict);
            default -> null;
        };
    }
}
