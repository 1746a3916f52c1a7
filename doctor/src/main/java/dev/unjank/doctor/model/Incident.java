package dev.unjank.doctor.model;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An incident: one wait of a selected thread, with its verdict.
 *
 * @param id its number in the reports and in SQL, from 1, the worst
 * @param rootWait the blame tree
 * @param judgement the verdict
 * @param ownerStates the owners' states during the wait, longest first; their sum is the wait. Unlike the tree they
 *     include the owner's states after the blocked thread was woken
 * @param preemptingThreads the threads that ran while an owner in the tree was runnable; with {@link Verdict#NO_CPU},
 *     those that ran while the blocked thread was runnable. Longest first, one per thread and priority
 * @param chain the wait, then the longest wait of its owner, and so on to the last owner
 * @param backlog the messages that the looper ran before; null except for a {@link WaitKind#QUEUE}
 * @param convoy the waits for the lock one after another; null except for a {@link Verdict#LOCK_CONVOY}
 * @param resource the use of the resource; null except for a {@link WaitKind#RESOURCE} with known holders
 * @param isShownByDefault whether the default options select its thread
 * @param isInTraceTotals whether it counts for the whole trace: for the causes of frames, the summary and the main
 *     finding; independent of the selected threads and durations
 * @param severity the severity
 */
public record Incident(
        int id,
        Wait rootWait,
        Judgement judgement,
        List<StateDuration> ownerStates,
        List<PreemptingThread> preemptingThreads,
        List<Wait> chain,
        @Nullable QueueBacklog backlog,
        @Nullable LockConvoy convoy,
        @Nullable ResourceUse resource,
        boolean isShownByDefault,
        boolean isInTraceTotals,
        Severity severity) {
    /** Copies the lists. */
    public Incident {
        ownerStates = List.copyOf(ownerStates);
        preemptingThreads = List.copyOf(preemptingThreads);
        chain = List.copyOf(chain);
    }

    /**
     * The time that owners spent in one state.
     *
     * @param state the state
     * @param durNs time, ns
     */
    public record StateDuration(OwnerState state, long durNs) {}

    /** {@return the owner with the longest interval; the blocked thread itself if there is no other} */
    public Owner owner() {
        return rootWait.longestOwnerInterval().owner();
    }

    /**
     * {@return the owner with the longest interval; null if the thread waited for a CPU, the kernel or its own
     * messages}
     */
    public @Nullable Owner blocker() {
        Owner owner = owner();
        boolean own = owner.thread().isInTrace()
                && owner.thread().utid() == rootWait.thread().utid();
        return own ? null : owner;
    }

    /**
     * {@return the thread to look at: the verdict's responsible thread, or for {@link Verdict#NO_CPU} the one that ran
     * longest meanwhile; null if unknown or if the process was stopped from outside}
     */
    public @Nullable ThreadRef responsibleThread() {
        return switch (verdict()) {
            case UNKNOWN, STOPPED -> null;
            case NO_CPU ->
                preemptingThreads.isEmpty() ? null : preemptedBy().getFirst().thread();
            default -> judgement.responsibleThread();
        };
    }

    /** {@return the verdict} */
    public Verdict verdict() {
        return judgement.verdict();
    }

    /** {@return whether the owners' states are unknown throughout} */
    public boolean hasUnknownOwnerStates() {
        return ownerStates.stream().allMatch(time -> time.state() == OwnerState.UNKNOWN);
    }

    /**
     * {@return the time that direct owners spent in a state until the blocked thread was woken, ns}
     *
     * @param state the state
     */
    public long timeIn(OwnerState state) {
        long sum = 0;
        for (OwnerInterval ownerInterval : rootWait.otherOwnersIntervals()) {
            for (Segment part : ownerInterval.segments()) {
                sum += part.state() == state ? part.durNs() : 0;
            }
        }
        return sum;
    }

    /**
     * {@return the time that the last owners of the blame tree spent in some states, ns; verdicts are decided by it}
     *
     * @param states the states
     */
    public long leafTimeIn(Predicate<OwnerState> states) {
        long[] sum = {0};
        rootWait.forEachLeaf(leaf -> sum[0] += states.test(leaf.state()) && !isOwn(leaf) ? leaf.durNs() : 0);
        return sum[0];
    }

    /**
     * {@return whether a leaf of the blame tree is part of the time that decided the verdict}
     *
     * @param leaf a leaf of {@link #rootWait}
     */
    public boolean isDecisive(Segment leaf) {
        return switch (verdict()) {
            case PRIORITY_INVERSION ->
                leaf.state() == OwnerState.RUNNABLE && leaf.thread().isLessImportantThan(rootWait.thread());
            case RUNNABLE_OWNER -> leaf.state() == OwnerState.RUNNABLE && !isOwn(leaf);
            case SLEEPING_OWNER -> leaf.state().isAsleep() && !isOwn(leaf);
            case LONG_HOLD, SLOW_REPLY -> leaf.state() == OwnerState.RUNNING && !isOwn(leaf);
            case STOPPED -> leaf.state() == OwnerState.STOPPED;
            default -> true;
        };
    }

    /**
     * {@return the time in which owners with a lower priority than the waiter were runnable, and the waiter did not
     * run, ns}
     */
    public long invertedNs() {
        long[] sum = {0};
        ThreadRef waiter = rootWait.thread();
        rootWait.forEachLeaf(leaf -> {
            boolean isInverted =
                    leaf.state() == OwnerState.RUNNABLE && leaf.thread().isLessImportantThan(waiter);
            sum[0] += isInverted && !isOwn(leaf) ? leaf.preemptedByOthersNs(waiter) : 0;
        });
        return sum[0];
    }

    /** {@return the number of threads with a part in the time that decided the verdict} */
    public int decisiveThreads() {
        Set<Integer> threads = new HashSet<>();
        rootWait.forEachLeaf(leaf -> {
            if (leaf.durNs() > 0 && isDecisive(leaf)) {
                threads.add(
                        leaf.thread().isInTrace()
                                ? leaf.thread().utid()
                                : ~leaf.thread().tid());
            }
        });
        return threads.size();
    }

    private boolean isOwn(Segment leaf) {
        return leaf.thread().utid() == rootWait.thread().utid();
    }

    /**
     * {@return of the details of this state, such as the blocked function, the one with the longest time of direct
     * owners; null if no detail is known}
     *
     * @param state the state
     */
    @Nullable
    public String longestDetail(OwnerState state) {
        Map<String, Long> sums = new LinkedHashMap<>();
        String most = null;
        for (OwnerInterval ownerInterval : rootWait.otherOwnersIntervals()) {
            for (Segment part : ownerInterval.segments()) {
                String detail = part.detail();
                if (part.state() == state && detail != null) {
                    long sum = sums.merge(detail, part.durNs(), Long::sum);
                    if (most == null || sum > sums.getOrDefault(most, 0L)) {
                        most = detail;
                    }
                }
            }
        }
        return most;
    }

    /**
     * {@return the preempting threads with one entry per thread, with the priority at which it ran longest; longest
     * first}
     */
    public List<PreemptingThread> preemptedBy() {
        Map<Integer, PreemptingThread> byThread = new LinkedHashMap<>();
        preemptingThreads.forEach(
                preempting -> byThread.merge(preempting.thread().utid(), preempting, PreemptingThread::plus));
        if (byThread.size() == preemptingThreads.size()) {
            return preemptingThreads;
        }
        List<PreemptingThread> threads = new ArrayList<>(byThread.values());
        threads.sort(PreemptingThread.LONGEST_FIRST);
        return threads;
    }

    /**
     * {@return the CPUs that runnable owners waited for, or for {@link Verdict#NO_CPU} the blocked thread itself;
     * ascending}
     */
    public SortedSet<Integer> preemptionCpus() {
        SortedSet<Integer> cpus = new TreeSet<>();
        rootWait.forEachLeaf(leaf -> {
            if (isDecisivePreemption(leaf, rootWait, verdict())) {
                cpus.addAll(leaf.cpus());
            }
        });
        return cpus;
    }

    /**
     * {@return whether preemption of a leaf's thread matters to the verdict}
     *
     * @param leaf a leaf of {@code wait}
     * @param wait a blame tree
     * @param verdict its verdict
     */
    public static boolean isDecisivePreemption(Segment leaf, Wait wait, Verdict verdict) {
        return (leaf.thread().utid() == wait.thread().utid()) == (verdict == Verdict.NO_CPU);
    }
}
