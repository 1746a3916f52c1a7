package dev.unjank.doctor.report;

import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.LockConvoy;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import java.util.List;

/** Says what a verdict means for whoever wrote the program: what counted, and why it is this verdict. */
public final class VerdictMessages {
    private VerdictMessages() {}

    public static String of(Incident incident) {
        Wait wait = incident.rootWait();
        return switch (incident.verdict()) {
            case PRIORITY_INVERSION -> inversion(incident);
            case PREEMPTED_OWNER ->
                "Who was in the way is no less important than the thread that waited, and still got no CPU: there was"
                        + " more work than CPU time. This is no priority inversion.";
            case LONG_HOLD ->
                counted(incident, "running") + ", more than anything else: a critical section is too long.";
            case SLOW_REPLY -> counted(incident, "running") + ", more than anything else: the call is a lot of work.";
            case SLEEPING_OWNER ->
                counted(incident, "asleep") + ", waiting for somebody or something else"
                        + (wait.kind().isLock() ? " with the lock in hand." : " while the reply was owed.");
            case DEADLOCK -> "These threads wait for each other in a circle, and none of them went on.";
            case GC_BLOCKED_BY_CRITICAL ->
                "The garbage collector waited "
                        + DurationFormat.time(incident.rootCause().decisiveNs()) + " for "
                        + ThreadLabels.name(incident.rootCause().responsibleThread())
                        + ", which was inside a JNI critical section, with Java objects pinned.";
            case GC_BLOCKED ->
                wait.isProcessPause() ? PauseMessages.meaning(incident) : "The garbage collector was in the way.";
            case SAFEPOINT_BLOCKED -> wait.isProcessPause() ? PauseMessages.meaning(incident) : suspension(incident);
            case LOCK_CONVOY -> convoy(incident);
            case QUEUE_BACKLOG -> "Messages waited longer than they ran, and none of them was slow by itself.";
            case NO_CPU ->
                wait.kind() == WaitKind.CPU
                        ? "Nobody was in the way: the thread itself was ready to run, and others had the CPUs."
                        : "For most of this wait the thread had been woken: it was itself ready to run and got no CPU.";
            case BLOCKING_IO -> "Nobody was in the way: the thread itself slept inside the kernel.";
            case STOPPED ->
                wait.isProcessPause()
                        ? PauseMessages.meaning(incident)
                        : "Who was in the way was itself stopped from outside, by a signal or a debugger: no code is to blame.";
            case UNKNOWN -> unknown(incident);
        };
    }

    private static String suspension(Incident incident) {
        if (incident.timeIn(OwnerState.CRITICAL_CALL) > 0) {
            return "All threads must stand still before the collector can begin, and one was in a native call in which it does not"
                    + " notice that.";
        }
        boolean byThread = incident.chain().stream().anyMatch(wait -> wait.kind() == WaitKind.SAFEPOINT);
        return byThread
                ? "Another thread of the program had the runtime hold threads still, and not to collect garbage."
                : "A safepoint was in the way: the virtual machine stopped all threads.";
    }

    /** What it is that the trace does not hold. */
    private static String unknown(Incident incident) {
        List<Wait> chain = incident.chain();
        Wait last = chain.getLast();
        ThreadRef owner = last.longestOwnerInterval().owner().thread();
        String reason = "The trace does not hold what a verdict needs";
        if (!owner.isInTrace() && owner.name() == null) {
            return reason + ": " + (last.kind().isLock() ? "who had the lock. " : "who was in the way. ")
                    + (last.kind() == WaitKind.PARK ? "Locks of java.util.concurrent do not tell a recorder." : "");
        }
        return owner.hasPriority()
                ? reason + "."
                : reason + ": what " + ThreadLabels.name(owner)
                        + " did meanwhile. Nothing that it reported itself and no sample of its"
                        + " stack falls into most of that time.";
    }

    /** What the verdict counts: not only the owner's own time but also that of those it waited for. */
    private static String counted(Incident incident, String state) {
        Wait wait = incident.rootWait();
        String until = DurationFormat.time(wait.durNs() - wait.wakeDelayNs());
        return (wait.kind().isLock() ? "Of the " + until + " in which the lock was taken, " : "Of " + until + ", ")
                + (behind(incident)
                        ? "those down the chain"
                        : wait.otherOwnersIntervals().size() == 1 ? "its owner" : "its owners")
                + (behind(incident) || wait.otherOwnersIntervals().size() > 1 ? " were " : " was ")
                + state + " for " + DurationFormat.time(incident.rootCause().decisiveNs());
    }

    private static String convoy(Incident incident) {
        LockConvoy convoy = incident.convoy();
        return convoy == null
                ? ""
                : convoy.threads()
                        + " threads that had waited for the same lock got it one after the other before this one.";
    }

    private static boolean behind(Incident incident) {
        return incident.timeIn(OwnerState.BLOCKED) > 0;
    }

    /** How many threads were in the way and ready to run. */
    private static long owners(Incident incident) {
        return incident.rootWait().otherOwnersIntervals().stream()
                .filter(ownerInterval ->
                        ownerInterval.segments().stream().anyMatch(part -> part.state() == OwnerState.PREEMPTED))
                .map(ownerInterval -> ownerInterval.owner().thread().tid())
                .distinct()
                .count();
    }

    /** The bars go on with the owner until the waiting thread ran again, and the verdict does not: that is said where it matters. */
    private static String untilAvailable(Incident incident, long ns) {
        boolean longer = incident.ownerStates().stream()
                .anyMatch(time -> time.state() == OwnerState.PREEMPTED && time.durNs() != ns);
        return !longer
                ? ""
                : incident.rootWait().kind().isLock() ? " before the lock was free" : " before that was there";
    }

    private static String inversion(Incident incident) {
        long inverted = incident.rootCause().decisiveNs();
        long ready = incident.timeIn(OwnerState.PREEMPTED);
        boolean several = owners(incident) > 1;
        String owner = several ? "its owners" : "the owner";
        String were = several ? " were " : " was ";
        String what;
        if (inverted == ready) {
            what = "The thread that waited is more important than " + owner + ", which" + were + "ready to run for "
                    + DurationFormat.time(ready) + (several ? " in all" : "") + untilAvailable(incident, ready)
                    + " and got no CPU, ";
        } else if (behind(incident)) {
            what = "Owners in the chain that were less important than the thread that waited were ready to run for "
                    + DurationFormat.time(inverted) + " in all and got no CPU, ";
        } else {
            what = "Of the " + DurationFormat.time(ready) + " in which " + owner + were + "ready to run"
                    + untilAvailable(incident, ready) + ", " + DurationFormat.time(inverted)
                    + " count: the thread that waited was more important than the owner then and not running itself, ";
        }
        String who = incident.rootCause().unbounded()
                ? "while less important threads than the waiting one ran. Nothing in the code under the lock bounds"
                        + " such a wait. "
                : incident.preemptingThreads().isEmpty()
                        ? "although no other thread was seen running there. "
                        : "while threads at least as important as the waiting one ran. ";
        return what + who.strip();
    }
}
