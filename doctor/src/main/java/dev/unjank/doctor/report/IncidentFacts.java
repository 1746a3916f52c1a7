package dev.unjank.doctor.report;

import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.GenericTerm;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.LockConvoy;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.PreemptingThread;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The facts of one incident in the main finding: the waiter, and the responsible thread with its decisive time. */
final class IncidentFacts {
    private IncidentFacts() {}

    /** The waiter, the duration and the target of the wait. */
    static String waiter(Incident incident) {
        Wait wait = incident.rootWait();
        String name = ThreadLabels.nameAndProcess(wait.thread());
        String duration = DurationFormat.time(wait.durNs());
        if (wait.isProcessPause()) {
            return PauseMessages.waiter(wait, duration);
        }
        return switch (incident.verdict()) {
            case NO_CPU -> {
                String runnable = DurationFormat.time(incident.judgement().decisiveNs());
                yield wait.kind() == WaitKind.CPU
                        ? Messages.of("waiter.cpu", name, runnable)
                        : Messages.of("waiter.cpuOfWait", name, runnable, WaitMessages.what(wait));
            }
            case BLOCKING_IO ->
                wait.target().equals(GenericTerm.KERNEL_SLEEP.text())
                        ? Messages.of("waiter.uninterruptible", name, duration)
                        : wait.target().equals(Wait.IO)
                                ? Messages.of("waiter.io", name, duration)
                                : Messages.of("waiter.function", name, duration, WaitMessages.what(wait));
            case QUEUE_BACKLOG -> Messages.of("waiter.queue", name, duration);
            case PINNED ->
                Messages.of(
                        wait.kind() == WaitKind.CARRIER ? "waiter.other" : "waiter.PINNED",
                        name,
                        duration,
                        WaitMessages.what(wait));
            case SLEPT, LONG_HANDLER ->
                Messages.of("waiter." + incident.verdict(), name, duration, WaitMessages.what(wait));
            default ->
                Messages.of(
                        wait.kind().isLock() ? "waiter.lock" : "waiter.other", name, duration, WaitMessages.what(wait));
        };
    }

    /** The responsible thread with its decisive state and its time; null if there is none. */
    static ReportForm.@Nullable Field owner(Incident incident) {
        Wait wait = incident.rootWait();
        if (wait.isProcessPause()) {
            return null;
        }
        boolean direct = incident.chain().size() == 1;
        Verdict verdict = incident.verdict();
        return switch (verdict) {
            case GC_BLOCKED, SAFEPOINT_BLOCKED, BLOCKING_IO, SLEPT, SLOW_IO, LONG_HANDLER -> null;
            case UNKNOWN -> field("cause", Messages.of("owner.UNKNOWN"));
            case DEADLOCK -> field("cycle", Messages.of("owner.DEADLOCK", cycle(incident)));
            case QUEUE_BACKLOG ->
                field("queue", Messages.of("owner.QUEUE_BACKLOG", Messages.count("other", wait.waiters())));
            case LOCK_CONVOY -> {
                LockConvoy convoy = incident.convoy();
                yield convoy == null ? null : field("owner", Messages.of("owner.LOCK_CONVOY", convoy.threads()));
            }
            case NO_CPU -> {
                ThreadRef other = incident.responsibleThread();
                yield other == null ? null : field("preemptedBy", preemptedBy(incident, other));
            }
            case LONG_HOLD, SLEEPING_OWNER, SLOW_REPLY -> {
                boolean near = verdict == Verdict.SLOW_REPLY
                        ? direct
                        : direct && wait.kind().isLock();
                yield field(
                        ownerLabel(wait, direct), responsible(incident, near ? verdict.name() : verdict + ".indirect"));
            }
            case RESOURCE_EXHAUSTED, WAITED_FOR_RESULT ->
                incident.judgement().evidence() == Evidence.UNKNOWN
                        ? field("cause", Messages.of("owner.UNKNOWN"))
                        : field(ownerLabel(wait, direct), responsible(incident, verdict.name()));
            case PINNED -> {
                Owner carrier = incident.blocker();
                String label = wait.kind() == WaitKind.CARRIER ? "blockedBy" : "carrier";
                yield carrier == null ? null : field(label, ThreadLabels.name(carrier.thread()));
            }
            case PRIORITY_INVERSION, RUNNABLE_OWNER, GC_BLOCKED_BY_CRITICAL, STOPPED ->
                field(ownerLabel(wait, direct), responsible(incident, verdict.name()));
        };
    }

    private static ReportForm.Field field(String label, String value) {
        return new ReportForm.Field(Messages.of("label." + label), value);
    }

    private static String ownerLabel(Wait wait, boolean direct) {
        return direct ? MessageCatalogue.ownerLabel(wait.kind()) : "blockedBy";
    }

    private static String responsible(Incident incident, String key) {
        int others = incident.decisiveThreads() - 1;
        String name = ThreadLabels.name(incident.judgement().responsibleThread());
        String time = DurationFormat.time(incident.judgement().decisiveNs());
        String sleep = incident.verdict() == Verdict.SLEEPING_OWNER ? SleepMessages.ofStates(incident) : "";
        return others <= 0
                ? Messages.of("owner." + key, name, time, sleep)
                : Messages.of(
                        "owner." + key,
                        Messages.of("owner.andOthers", name, Messages.count("other", others)),
                        Messages.of("owner.inAll", time),
                        sleep);
    }

    /** The thread that ran most meanwhile, or the number of threads if none ran for half of the time. */
    private static String preemptedBy(Incident incident, ThreadRef most) {
        String name = ThreadLabels.nameAndProcess(most);
        return ranHalf(incident, most)
                ? name
                : Messages.of(
                        "owner.NO_CPU",
                        Messages.count("thread", incident.preemptedBy().size()),
                        name);
    }

    static boolean ranHalf(Incident incident, ThreadRef thread) {
        long all = 0;
        long its = 0;
        for (PreemptingThread preempting : incident.preemptingThreads()) {
            all += preempting.ranNs();
            its += preempting.thread().utid() == thread.utid() ? preempting.ranNs() : 0;
        }
        return its * 2 >= all;
    }

    /** The threads of the cycle; the waiter may be one of them, or wait for one. */
    private static String cycle(Incident incident) {
        Map<Integer, String> chain = new LinkedHashMap<>();
        incident.chain().forEach(wait -> chain.putIfAbsent(wait.thread().utid(), ThreadLabels.name(wait.thread())));
        int first = List.copyOf(chain.keySet())
                .indexOf(incident.judgement().responsibleThread().utid());
        return MessageCatalogue.enumerate(
                chain.values().stream().skip(Math.max(0, first)).toList());
    }
}
