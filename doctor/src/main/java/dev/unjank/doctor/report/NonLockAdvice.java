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
                        "Make the call from a thread that may wait, or one-way: then nobody important waits for somebody less"
                                + " important.",
                        "Binder lends the thread that serves a call the caller's nice value, and a real-time priority where the"
                                + " service asks for that; those for whom it waits in turn are lent nothing.");
            case PREEMPTED_OWNER ->
                List.of(
                        "Find out why there was more work than CPU time: look at who ran instead, and postpone what can wait.",
                        "Make the call from a thread that may wait, or one-way, and go on without the reply.");
            case SLEEPING_OWNER ->
                List.of(
                        "Make the call from a thread that may wait, or one-way, and go on without the reply.",
                        "If the one who serves is yours, let it answer without waiting: keep ready what is asked for, and do no"
                                + " I/O within a call.");
            case UNKNOWN ->
                List.of(
                        "Record again with the scheduler's events (sched_switch, sched_waking) and binder_driver, and with a"
                                + " buffer large enough to lose nothing.",
                        "Until then, read what the one who serves this call does.");
            default -> null;
        };
    }

    private static @Nullable List<String> ofCollection(Verdict verdict) {
        return switch (verdict) {
            case PRIORITY_INVERSION, PREEMPTED_OWNER ->
                List.of(
                        "Find out why the collector got no CPU: look at who ran instead, and postpone what can wait.",
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
                        "Find out why whoever held it still got no CPU: look at who ran instead, and postpone what can wait.",
                        "Hold no thread still that must not wait, or only from a thread that is at least as important.");
            case UNKNOWN -> ofCollection(verdict);
            default -> null;
        };
    }
}
