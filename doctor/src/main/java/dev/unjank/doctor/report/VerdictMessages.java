package dev.unjank.doctor.report;

import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.LockConvoy;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import java.util.List;

/** The reason for each verdict: the state that decided, and its time. */
public final class VerdictMessages {
    private VerdictMessages() {}

    public static String of(Incident incident) {
        Wait wait = incident.rootWait();
        return switch (incident.verdict()) {
            case PRIORITY_INVERSION -> inversion(incident);
            case PREEMPTED_OWNER ->
                "The owner was preempted although its priority is not lower than the waiter's: there was more work than CPU time. This is"
                        + " no priority inversion.";
            case LONG_HOLD -> counted(incident, "running") + ", its longest state: the critical section is too long.";
            case SLOW_REPLY -> counted(incident, "running") + ", its longest state: the call is much work.";
            case SLEEPING_OWNER ->
                counted(incident, "asleep")
                        + (wait.kind().isLock()
                                ? " while holding the lock."
                                : " while the caller waited for the reply.");
            case DEADLOCK -> "These threads wait for each other, and none of them continued.";
            case GC_BLOCKED_BY_CRITICAL ->
                "The garbage collector waited "
                        + DurationFormat.time(incident.rootCause().decisiveNs()) + " for "
                        + ThreadLabels.name(incident.rootCause().responsibleThread())
                        + ", which was in a JNI critical section with Java objects pinned.";
            case GC_BLOCKED ->
                wait.isProcessPause() ? PauseMessages.meaning(incident) : "The garbage collector blocked the thread.";
            case SAFEPOINT_BLOCKED -> wait.isProcessPause() ? PauseMessages.meaning(incident) : suspension(incident);
            case LOCK_CONVOY -> convoy(incident);
            case QUEUE_BACKLOG -> "Messages waited longer than they ran, and no single message was slow.";
            case NO_CPU ->
                wait.kind() == WaitKind.CPU
                        ? "No owner: the thread itself was runnable while other threads had the CPUs."
                        : "For most of this wait the thread had been woken and was itself runnable without a CPU.";
            case BLOCKING_IO -> "No owner: the thread itself was in uninterruptible sleep.";
            case STOPPED ->
                wait.isProcessPause()
                        ? PauseMessages.meaning(incident)
                        : "The owner was stopped from outside, by a signal or a debugger: no code is the cause.";
            case UNKNOWN -> unknown(incident);
        };
    }

    private static String suspension(Incident incident) {
        if (incident.timeIn(OwnerState.CRITICAL_CALL) > 0) {
            return "All threads must reach a safepoint before the collector can start, and one was in a native call that does not check for"
                    + " it.";
        }
        boolean byThread = incident.chain().stream().anyMatch(wait -> wait.kind() == WaitKind.SAFEPOINT);
        return byThread
                ? "Another thread of the program had the runtime suspend threads, not for garbage collection."
                : "A safepoint pause: the virtual machine stopped all threads.";
    }

    /** The data that the trace lacks. */
    private static String unknown(Incident incident) {
        List<Wait> chain = incident.chain();
        Wait last = chain.getLast();
        ThreadRef owner = last.longestOwnerInterval().owner().thread();
        String reason = "The trace lacks data for a verdict";
        if (!owner.isInTrace() && owner.name() == null) {
            return reason + ": " + (last.kind().isLock() ? "the owner of the lock. " : "the owner. ")
                    + (last.kind() == WaitKind.PARK
                            ? "Flight Recorder does not record the owners of java.util.concurrent locks."
                            : "");
        }
        return owner.hasPriority()
                ? reason + "."
                : reason + ": the state of " + ThreadLabels.name(owner)
                        + ". Most of that time has no slice and no stack sample of this thread.";
    }

    /** The decisive time: of the owner, and of the threads that it waited for. */
    private static String counted(Incident incident, String state) {
        Wait wait = incident.rootWait();
        String until = DurationFormat.time(wait.durNs() - wait.wakeDelayNs());
        return (wait.kind().isLock() ? "Of the " + until + " in which the lock was held, " : "Of " + until + ", ")
                + (behind(incident)
                        ? "owners in the chain"
                        : wait.otherOwnersIntervals().size() == 1 ? "its owner" : "its owners")
                + (behind(incident) || wait.otherOwnersIntervals().size() > 1 ? " were " : " was ")
                + state + " for " + DurationFormat.time(incident.rootCause().decisiveNs());
    }

    private static String convoy(Incident incident) {
        LockConvoy convoy = incident.convoy();
        return convoy == null
                ? ""
                : convoy.threads()
                        + " threads that had waited for the same lock got it before this one, one after the other.";
    }

    private static boolean behind(Incident incident) {
        return incident.timeIn(OwnerState.BLOCKED) > 0;
    }

    /** The number of owners that were preempted. */
    private static long owners(Incident incident) {
        return incident.rootWait().otherOwnersIntervals().stream()
                .filter(ownerInterval ->
                        ownerInterval.segments().stream().anyMatch(part -> part.state() == OwnerState.PREEMPTED))
                .map(ownerInterval -> ownerInterval.owner().thread().tid())
                .distinct()
                .count();
    }

    /** The bars include the owner's time after the lock was free, and the verdict does not. */
    private static String untilAvailable(Incident incident, long ns) {
        boolean longer = incident.ownerStates().stream()
                .anyMatch(time -> time.state() == OwnerState.PREEMPTED && time.durNs() != ns);
        return !longer
                ? ""
                : incident.rootWait().kind().isLock() ? " before the lock was free" : " before the wait could end";
    }

    private static String inversion(Incident incident) {
        long inverted = incident.rootCause().decisiveNs();
        long ready = incident.timeIn(OwnerState.PREEMPTED);
        boolean several = owners(incident) > 1;
        String owner = several ? "the owners" : "the owner";
        String were = several ? " were " : " was ";
        String what;
        if (inverted == ready) {
            what = "The waiter has a higher priority than " + owner + ", which" + were + "runnable but preempted for "
                    + DurationFormat.time(ready) + (several ? " in all" : "") + untilAvailable(incident, ready) + ", ";
        } else if (behind(incident)) {
            what = "Owners in the chain with a lower priority than the waiter were runnable but preempted for "
                    + DurationFormat.time(inverted) + " in all, ";
        } else {
            what = "Of the " + DurationFormat.time(ready) + " in which " + owner + were + "preempted"
                    + untilAvailable(incident, ready) + ", " + DurationFormat.time(inverted)
                    + " count: the waiter then had a higher priority and was not running itself, ";
        }
        String who = incident.rootCause().unbounded()
                ? "while threads with a lower priority than the waiter ran. Nothing in the code under the lock bounds"
                        + " such a wait. "
                : incident.preemptingThreads().isEmpty()
                        ? "although no other thread ran there. "
                        : "while threads with at least the waiter's priority ran. ";
        return what + who.strip();
    }
}
