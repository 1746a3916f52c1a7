package dev.unjank.doctor.report;

import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.LockConvoy;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;

/** The reason for each verdict: the state that decided, and its time. */
public final class VerdictMessages {
    private VerdictMessages() {}

    public static String of(Incident incident) {
        Wait wait = incident.rootWait();
        return switch (incident.verdict()) {
            case PRIORITY_INVERSION -> inversion(incident);
            case LONG_HOLD, SLOW_REPLY -> counted(incident);
            case SLEEPING_OWNER ->
                wait.kind().isLock() ? counted(incident) : Messages.of("reason.ofReply", counted(incident));
            case GC_BLOCKED_BY_CRITICAL ->
                Messages.of(
                        "reason.GC_BLOCKED_BY_CRITICAL",
                        DurationFormat.time(incident.judgement().decisiveNs()),
                        ThreadLabels.name(incident.judgement().responsibleThread()));
            case SAFEPOINT_BLOCKED -> wait.isProcessPause() ? PauseMessages.meaning(incident) : suspension(incident);
            case GC_BLOCKED, STOPPED ->
                wait.isProcessPause() ? PauseMessages.meaning(incident) : Messages.of("reason." + incident.verdict());
            case LOCK_CONVOY -> convoy(incident);
            case NO_CPU -> Messages.of(wait.kind() == WaitKind.CPU ? "reason.NO_CPU" : "reason.NO_CPU.ofWait");
            case RUNNABLE_OWNER -> preempted(incident);
            case DEADLOCK, QUEUE_BACKLOG, BLOCKING_IO, SLEPT, SLOW_IO, LONG_HANDLER ->
                Messages.of("reason." + incident.verdict());
            case PINNED -> Messages.of(wait.kind() == WaitKind.CARRIER ? "reason.PINNED.carrier" : "reason.PINNED");
            case RESOURCE_EXHAUSTED, WAITED_FOR_RESULT -> ofOtherThread(incident);
            case UNKNOWN -> unknown(incident);
        };
    }

    /** A resource's holders or a result's producer, if known. */
    private static String ofOtherThread(Incident incident) {
        boolean isKnown = incident.judgement().evidence() != Evidence.UNKNOWN;
        return Messages.of("reason." + incident.verdict() + (isKnown ? "" : ".unknown"));
    }

    private static String suspension(Incident incident) {
        if (incident.timeIn(OwnerState.CRITICAL_CALL) > 0) {
            return Messages.of("reason.SAFEPOINT_BLOCKED.call");
        }
        boolean byThread = incident.chain().stream().anyMatch(wait -> wait.kind() == WaitKind.SAFEPOINT);
        return Messages.of(byThread ? "reason.SAFEPOINT_BLOCKED.thread" : "reason.SAFEPOINT_BLOCKED.pause");
    }

    /** The data that the trace lacks. */
    private static String unknown(Incident incident) {
        Wait last = incident.chain().getLast();
        ThreadRef owner = last.longestOwnerInterval().owner().thread();
        if (!owner.isInTrace() && owner.name() == null) {
            return Messages.of(
                    last.kind() == WaitKind.PARK
                            ? "reason.UNKNOWN.ownerOfPark"
                            : last.kind().isLock() ? "reason.UNKNOWN.ownerOfLock" : "reason.UNKNOWN.owner");
        }
        return owner.hasPriority()
                ? Messages.of("reason.UNKNOWN")
                : Messages.of("reason.UNKNOWN.state", ThreadLabels.name(owner));
    }

    /** The decisive time: of the owner, and of the threads that it waited for. */
    private static String counted(Incident incident) {
        Wait wait = incident.rootWait();
        String until = DurationFormat.time(wait.durNs() - wait.wakeDelayNs());
        String owners = behind(incident)
                ? incident.verdict() == Verdict.SLEEPING_OWNER ? "counted.chain" : "counted.chain." + incident.verdict()
                : wait.otherOwnersIntervals().size() == 1 ? "counted.owner" : "counted.owners";
        return Messages.of(
                "reason." + incident.verdict(),
                Messages.of(wait.kind().isLock() ? "counted.ofLock" : "counted.ofWait", until),
                Messages.of(owners),
                DurationFormat.time(incident.judgement().decisiveNs()),
                incident.verdict() == Verdict.SLEEPING_OWNER ? SleepMessages.ofStates(incident) : "");
    }

    private static String convoy(Incident incident) {
        LockConvoy convoy = incident.convoy();
        return convoy == null ? "" : Messages.of("reason.LOCK_CONVOY", convoy.threads());
    }

    private static boolean behind(Incident incident) {
        return incident.timeIn(OwnerState.BLOCKED) > 0;
    }

    /** The number of owners that were preempted. */
    private static long owners(Incident incident) {
        return incident.rootWait().otherOwnersIntervals().stream()
                .filter(ownerInterval ->
                        ownerInterval.segments().stream().anyMatch(part -> part.state() == OwnerState.RUNNABLE))
                .map(ownerInterval -> ownerInterval.owner().thread().tid())
                .distinct()
                .count();
    }

    /** The bars include the owner's time after the lock was free, and the verdict does not. */
    private static String untilAvailable(Incident incident, long ns) {
        boolean longer = incident.ownerStates().stream()
                .anyMatch(time -> time.state() == OwnerState.RUNNABLE && time.durNs() != ns);
        return !longer
                ? ""
                : Messages.of(incident.rootWait().kind().isLock() ? "inversion.untilFree" : "inversion.untilEnd");
    }

    private static String preempted(Incident incident) {
        long inverted = incident.invertedNs();
        return inverted == 0
                ? Messages.of("reason.RUNNABLE_OWNER")
                : Messages.of(
                        "reason.RUNNABLE_OWNER.partlyInverted",
                        DurationFormat.time(incident.judgement().decisiveNs()),
                        DurationFormat.time(inverted));
    }

    private static String inversion(Incident incident) {
        long inverted = incident.judgement().decisiveNs();
        long preempted = incident.timeIn(OwnerState.RUNNABLE);
        String several = owners(incident) > 1 ? ".several" : "";
        String time = DurationFormat.time(preempted);
        String until = untilAvailable(incident, preempted);
        String what = inverted == preempted
                ? Messages.of("inversion.all" + several, time, until)
                : behind(incident)
                        ? Messages.of("inversion.chain", DurationFormat.time(inverted))
                        : Messages.of("inversion.part" + several, time, until, DurationFormat.time(inverted));
        long less = incident.judgement().lessImportantNs();
        boolean isPart = less > 0 && less < inverted;
        return Messages.of(
                incident.judgement().unbounded()
                        ? "reason.PRIORITY_INVERSION.unbounded" + (isPart ? ".part" : "")
                        : isPart
                                ? "reason.PRIORITY_INVERSION.bounded.part"
                                : incident.preemptingThreads().isEmpty()
                                        ? "reason.PRIORITY_INVERSION.noThread"
                                        : "reason.PRIORITY_INVERSION.bounded",
                what,
                DurationFormat.time(less));
    }
}
