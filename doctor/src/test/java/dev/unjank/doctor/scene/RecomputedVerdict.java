package dev.unjank.doctor.scene;

import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.OwnerInterval;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.PreemptingThread;
import dev.unjank.doctor.model.Segment;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/** The verdict of an incident by the numbers that the reports print: the leaves of the tree, their states and their priorities. */
final class RecomputedVerdict {
    /** The kinds with owners whose leaves decide. */
    private static final Set<String> OF_LEAVES =
            Set.of("MONITOR", "RUNTIME_LOCK", "MUTEX", "PARK", "FUTEX", "BINDER", "GC", "SAFEPOINT");

    private static final long LEAST_PREEMPTION_NS = 200_000;

    private final ThreadRef waiter;
    private final Map<Verdict, Long> sums = new EnumMap<>(Verdict.class);
    private long invertedNs;

    private RecomputedVerdict(ThreadRef waiter) {
        this.waiter = waiter;
    }

    static boolean isDecidedByLeaves(Incident incident) {
        return OF_LEAVES.contains(incident.rootWait().kind().name()) && incident.convoy() == null;
    }

    /** {@return the time of the leaves by the verdict that they speak for, ns; inverted time is preempted time as well} */
    static Map<Verdict, Long> sums(Incident incident) {
        RecomputedVerdict sum = new RecomputedVerdict(incident.rootWait().thread());
        sum.add(incident.rootWait());
        sum.sums.merge(Verdict.PRIORITY_INVERSION, sum.invertedNs, Long::sum);
        return sum.sums;
    }

    static Verdict of(Incident incident) {
        Wait wait = incident.rootWait();
        RecomputedVerdict sum = new RecomputedVerdict(wait.thread());
        sum.add(wait);
        if (sum.sums.containsKey(Verdict.DEADLOCK)) {
            return Verdict.DEADLOCK;
        }
        boolean inverted = sum.invertedNs >= LEAST_PREEMPTION_NS;
        if (inverted && wait.kind().isLock()) {
            return Verdict.PRIORITY_INVERSION;
        }
        long preemptedNs = sum.sums.getOrDefault(Verdict.PREEMPTED_OWNER, 0L);
        if (preemptedNs < LEAST_PREEMPTION_NS) {
            sum.sums.remove(Verdict.PREEMPTED_OWNER);
        }
        Verdict longest = Verdict.UNKNOWN;
        for (Map.Entry<Verdict, Long> entry : sum.sums.entrySet()) {
            if (entry.getValue() > sum.sums.getOrDefault(longest, 0L)) {
                longest = entry.getKey();
            }
        }
        return longest == Verdict.PREEMPTED_OWNER && inverted && 2 * sum.invertedNs >= preemptedNs
                ? Verdict.PRIORITY_INVERSION
                : longest;
    }

    private void add(Wait wait) {
        for (OwnerInterval ownerInterval : wait.ownerIntervals()) {
            for (Segment part : ownerInterval.segments()) {
                if (part.nextWait() != null) {
                    add(part.nextWait());
                } else {
                    add(wait.kind().name(), part);
                }
            }
        }
    }

    private void add(String kind, Segment leaf) {
        boolean own = leaf.thread().isInTrace() && leaf.thread().utid() == waiter.utid();
        long ns = leaf.durNs();
        Verdict verdict = verdict(kind, leaf.state(), own);
        if (verdict == Verdict.PREEMPTED_OWNER) {
            if (!leaf.thread().hasPriority() || !waiter.hasPriority()) {
                verdict = Verdict.UNKNOWN;
            } else {
                ns -= leaf.preemptedBy().stream()
                        .filter(other -> other.thread().utid() == waiter.utid())
                        .mapToLong(PreemptingThread::ranNs)
                        .sum();
                ns = Math.max(0, ns);
                invertedNs += leaf.thread().priority() > waiter.priority() ? ns : 0;
            }
        }
        sums.merge(verdict, ns, Long::sum);
    }

    private static Verdict verdict(String kind, OwnerState state, boolean own) {
        Verdict of = switch (kind) {
            case "GC" -> Verdict.GC_BLOCKED;
            case "SAFEPOINT" -> Verdict.SAFEPOINT_BLOCKED;
            default -> Verdict.UNKNOWN;
        };
        boolean named = of != Verdict.UNKNOWN;
        return switch (state.name()) {
            case "RUNNING" ->
                own ? Verdict.UNKNOWN : named ? of : kind.equals("BINDER") ? Verdict.SLOW_REPLY : Verdict.LONG_HOLD;
            case "PREEMPTED" -> own ? Verdict.NO_CPU : Verdict.PREEMPTED_OWNER;
            case "SLEEPING" -> named ? of : Verdict.SLEEPING_OWNER;
            case "IO_WAIT", "UNINTERRUPTIBLE" -> own ? Verdict.BLOCKING_IO : named ? of : Verdict.SLEEPING_OWNER;
            case "STOPPED" -> Verdict.STOPPED;
            case "GC_PAUSE" -> Verdict.GC_BLOCKED;
            case "REACHING_SAFEPOINT", "SAFEPOINT", "CRITICAL_CALL" -> Verdict.SAFEPOINT_BLOCKED;
            case "JNI_CRITICAL" -> Verdict.GC_BLOCKED_BY_CRITICAL;
            case "DEADLOCKED" -> Verdict.DEADLOCK;
            default -> Verdict.UNKNOWN;
        };
    }
}
