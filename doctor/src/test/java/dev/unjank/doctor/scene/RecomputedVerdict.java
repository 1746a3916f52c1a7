package dev.unjank.doctor.scene;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.LockConvoy;
import dev.unjank.doctor.model.OwnerInterval;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.PreemptingThread;
import dev.unjank.doctor.model.Segment;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The verdict of an incident by the numbers that the reports print: the leaves of the tree, their states and their
 * priorities.
 */
public final class RecomputedVerdict {
    /** The kinds with owners whose leaves decide. */
    private static final Set<String> OF_LEAVES = Set.of(
            "MONITOR",
            "RUNTIME_LOCK",
            "MUTEX",
            "PARK",
            "FUTEX",
            "BINDER",
            "GC",
            "SAFEPOINT",
            "RESOURCE",
            "RESULT",
            "SLEEP",
            "IO",
            "PINNED",
            "CARRIER",
            "HANDLER");

    /** The verdicts of kinds that decide without the leaves. */
    private static final Map<String, Verdict> OF_ITSELF = Map.of(
            "SLEEP",
            Verdict.SLEPT,
            "IO",
            Verdict.SLOW_IO,
            "PINNED",
            Verdict.PINNED,
            "CARRIER",
            Verdict.PINNED,
            "HANDLER",
            Verdict.LONG_HANDLER);

    private static final Set<String> PAUSES = Set.of("GC_PAUSE", "REACHING_SAFEPOINT", "SAFEPOINT", "STOPPED");

    /** A pause that ends this shortly before a sleep has prolonged it. */
    private static final long MOST_BEHIND_PAUSE_NS = 1_000_000;

    private static final long LEAST_PREEMPTION_NS = 200_000;
    private static final int LEAST_CONVOY_THREADS = 3;

    private final ThreadRef waiter;
    private final boolean isForLock;
    private final Map<Verdict, Long> sums = new EnumMap<>(Verdict.class);
    private long invertedNs;
    private long lessImportantNs;

    private RecomputedVerdict(Wait wait) {
        waiter = wait.thread();
        isForLock = wait.kind().isLock();
    }

    static boolean isDecidedByLeaves(Incident incident) {
        return OF_LEAVES.contains(incident.rootWait().kind().name());
    }

    /**
     * {@return the time of the leaves by the verdict that they speak for, ns; inverted time is preempted time as well}
     */
    public static Map<Verdict, Long> sums(Incident incident) {
        RecomputedVerdict sum = new RecomputedVerdict(incident.rootWait());
        sum.add(incident.rootWait());
        sum.sums.merge(Verdict.PRIORITY_INVERSION, sum.invertedNs, Long::sum);
        return sum.sums;
    }

    static Verdict of(Incident incident) {
        Wait wait = incident.rootWait();
        RecomputedVerdict sum = new RecomputedVerdict(wait);
        sum.add(wait);
        if (sum.sums.containsKey(Verdict.DEADLOCK)) {
            return Verdict.DEADLOCK;
        }
        Verdict ofItself = OF_ITSELF.get(wait.kind().name());
        if (ofItself != null && (!isPausable(wait.kind().name()) || !endsWithPause(wait))) {
            return ofItself;
        }
        boolean inverted = sum.invertedNs >= LEAST_PREEMPTION_NS;
        if (inverted && wait.kind().isLock()) {
            return Verdict.PRIORITY_INVERSION;
        }
        if (wait.kind().isLock()
                && incident.convoy() != null
                && incident.convoy().threads() >= LEAST_CONVOY_THREADS) {
            return Verdict.LOCK_CONVOY;
        }
        return sum.longest(inverted);
    }

    /** {@return the time that speaks for the verdict, ns; for a convoy the largest share of what its owners did} */
    static long decisiveNs(Incident incident) {
        Verdict verdict = incident.verdict();
        Map<Verdict, Long> sums = sums(incident);
        if (verdict == Verdict.LOCK_CONVOY) {
            RecomputedVerdict sum = new RecomputedVerdict(incident.rootWait());
            sum.add(incident.rootWait());
            verdict = sum.longest(false);
        }
        return incident.verdict() == Verdict.UNKNOWN ? 0 : sums.getOrDefault(verdict, 0L);
    }

    /**
     * An inversion is unbounded if less important threads than the waiter ran for half of it, and 0.2 ms. No thread in
     * the table of those that ran contradicts that time: on one CPU it is theirs to the nanosecond.
     */
    static void assertInversion(Incident incident) {
        RecomputedVerdict sum = new RecomputedVerdict(incident.rootWait());
        sum.add(incident.rootWait());
        boolean isInversion = incident.verdict() == Verdict.PRIORITY_INVERSION;
        long lessImportantNs = isInversion ? sum.lessImportantNs : 0;
        assertThat(incident.judgement().lessImportantNs()).isEqualTo(lessImportantNs);
        assertThat(incident.judgement().unbounded())
                .isEqualTo(
                        isInversion && lessImportantNs >= LEAST_PREEMPTION_NS && 2 * lessImportantNs >= sum.invertedNs);
        incident.rootWait()
                .forEachLeaf(
                        leaf -> assertLessImportant(leaf, incident.rootWait().thread()));
    }

    private static void assertLessImportant(Segment leaf, ThreadRef waiter) {
        boolean inverted = leaf.thread().hasPriority()
                && waiter.hasPriority()
                && leaf.thread().priority() > waiter.priority();
        long ranNs = !inverted
                ? 0
                : leaf.preemptedBy().stream()
                        .filter(other -> other.thread().utid() != waiter.utid()
                                && other.thread().hasPriority()
                                && other.thread().priority() > waiter.priority())
                        .mapToLong(PreemptingThread::ranNs)
                        .sum();
        int cpus = Math.max(1, leaf.cpus().size());
        assertThat(leaf.lessImportantNs()).isBetween((ranNs + cpus - 1) / cpus, Math.min(ranNs, leaf.durNs()));
    }

    /**
     * The waits of a convoy, from the list of all incidents: of other threads of the process, for a lock of the same
     * name, which ended one after another during the wait, the first of them in its first half.
     */
    static void assertConvoy(Incident incident, List<Incident> all) {
        LockConvoy convoy = Objects.requireNonNull(incident.convoy());
        Wait wait = incident.rootWait();
        List<Wait> before = all.stream()
                .map(Incident::rootWait)
                .flatMap(RecomputedVerdict::withPartsOfHandler)
                .filter(other -> other.kind() == wait.kind() && other.target().equals(wait.target()))
                .filter(other -> other.thread().upid() == wait.thread().upid()
                        && other.thread().utid() != wait.thread().utid())
                .filter(other -> other.endNs() > wait.startNs() && other.endNs() < wait.endNs())
                .toList();
        assertThat(before).hasSizeGreaterThanOrEqualTo(convoy.waits());
        assertThat(before.stream()
                        .mapToInt(other -> other.thread().utid())
                        .distinct()
                        .count())
                .isGreaterThanOrEqualTo(convoy.threads());
        assertThat(before).extracting(Wait::endNs).contains(convoy.startNs(), convoy.endNs());
        assertThat(convoy.startNs() - wait.startNs()).isLessThanOrEqualTo(wait.durNs() - wait.durNs() / 2);
    }

    /** A wait; of a long handler also the waits in it, which are no incidents of their own. */
    private static Stream<Wait> withPartsOfHandler(Wait wait) {
        return wait.kind() != WaitKind.HANDLER
                ? Stream.of(wait)
                : wait.ownerIntervals().stream()
                        .flatMap(ownerInterval -> ownerInterval.segments().stream())
                        .map(Segment::nextWait)
                        .filter(Objects::nonNull);
    }

    private Verdict longest(boolean inverted) {
        long preemptedNs = sums.getOrDefault(Verdict.RUNNABLE_OWNER, 0L);
        if (preemptedNs < LEAST_PREEMPTION_NS) {
            sums.remove(Verdict.RUNNABLE_OWNER);
        }
        Verdict longest = Verdict.UNKNOWN;
        for (Map.Entry<Verdict, Long> entry : sums.entrySet()) {
            if (entry.getValue() > sums.getOrDefault(longest, 0L)) {
                longest = entry.getKey();
            }
        }
        return longest == Verdict.RUNNABLE_OWNER && inverted && 2 * invertedNs >= preemptedNs
                ? Verdict.PRIORITY_INVERSION
                : longest;
    }

    private static boolean isPausable(String kind) {
        return kind.equals("SLEEP") || kind.equals("IO");
    }

    private static boolean endsWithPause(Wait wait) {
        long[] endNs = {Long.MIN_VALUE};
        wait.forEachLeaf(leaf -> {
            if (PAUSES.contains(leaf.state().name())) {
                endNs[0] = leaf.startNs() + leaf.durNs();
            }
        });
        return endNs[0] > wait.startNs() && wait.endNs() - endNs[0] < MOST_BEHIND_PAUSE_NS;
    }

    /** An owner of a lock that waits for a resource or a result keeps the lock meanwhile. */
    private boolean isUnderLock(String kind) {
        return isForLock && (kind.equals("RESOURCE") || kind.equals("RESULT"));
    }

    private void add(Wait wait) {
        for (OwnerInterval ownerInterval : wait.ownerIntervals()) {
            for (Segment part : ownerInterval.segments()) {
                if (part.nextWait() != null
                        && isUnderLock(part.nextWait().kind().name())) {
                    sums.merge(Verdict.SLEEPING_OWNER, part.durNs(), Long::sum);
                } else if (part.nextWait() != null) {
                    add(part.nextWait());
                } else if (!(part.state() == OwnerState.RUNNING
                        && wait.thread().equals(waiter)
                        && wait.afterWakeUp().contains(part))) {
                    add(wait.kind().name(), part);
                }
            }
        }
    }

    private void add(String kind, Segment leaf) {
        boolean own = leaf.thread().isInTrace() && leaf.thread().utid() == waiter.utid();
        long ns = leaf.durNs();
        Verdict verdict = verdict(kind, leaf.state(), own);
        if (verdict == Verdict.RUNNABLE_OWNER) {
            if (!leaf.thread().hasPriority() || !waiter.hasPriority()) {
                verdict = Verdict.UNKNOWN;
            } else {
                ns -= leaf.preemptedBy().stream()
                        .filter(other -> other.thread().utid() == waiter.utid())
                        .mapToLong(PreemptingThread::ranNs)
                        .sum();
                ns = Math.max(0, ns);
                boolean inverted = leaf.thread().priority() > waiter.priority();
                invertedNs += inverted ? ns : 0;
                lessImportantNs += inverted ? Math.min(ns, leaf.lessImportantNs()) : 0;
            }
        }
        sums.merge(verdict, ns, Long::sum);
    }

    private static Verdict verdict(String kind, OwnerState state, boolean own) {
        Verdict ofItself = OF_ITSELF.get(kind);
        if (ofItself != null && !(isPausable(kind) && PAUSES.contains(state.name()))) {
            return ofItself;
        }
        Verdict of = switch (kind) {
            case "GC" -> Verdict.GC_BLOCKED;
            case "SAFEPOINT" -> Verdict.SAFEPOINT_BLOCKED;
            case "RESOURCE" -> Verdict.RESOURCE_EXHAUSTED;
            case "RESULT" -> Verdict.WAITED_FOR_RESULT;
            default -> Verdict.UNKNOWN;
        };
        boolean named = of != Verdict.UNKNOWN;
        return switch (state.name()) {
            case "RUNNING" ->
                own ? Verdict.UNKNOWN : named ? of : kind.equals("BINDER") ? Verdict.SLOW_REPLY : Verdict.LONG_HOLD;
            case "RUNNABLE" -> own ? Verdict.NO_CPU : Verdict.RUNNABLE_OWNER;
            case "SLEEPING" -> named ? of : Verdict.SLEEPING_OWNER;
            case "IO_WAIT", "UNINTERRUPTIBLE" -> own ? Verdict.BLOCKING_IO : named ? of : Verdict.SLEEPING_OWNER;
            case "STOPPED" -> Verdict.STOPPED;
            case "GC_PAUSE" -> Verdict.GC_BLOCKED;
            case "REACHING_SAFEPOINT", "SAFEPOINT", "CRITICAL_CALL" -> Verdict.SAFEPOINT_BLOCKED;
            case "JNI_CRITICAL" -> Verdict.GC_BLOCKED_BY_CRITICAL;
            case "DEADLOCKED" -> Verdict.DEADLOCK;
            default -> kind.equals("RESOURCE") || kind.equals("RESULT") ? of : Verdict.UNKNOWN;
        };
    }
}
