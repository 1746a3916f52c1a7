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
 * One wait of a thread of interest, with its verdict.
 *
 * @param id its number in the {@link Diagnosis}, from 0; the worst has 0
 * @param rootWait the blame tree
 * @param rootCause the verdict
 * @param ownerStates what the owners did during the wait, longest first; adds up to the wait. Unlike the tree it goes on with
 *     the owner until the end, also where the blocked thread had been woken
 * @param preemptingThreads who ran while those in the way were ready to run, anywhere in the tree, or with {@link Verdict#NO_CPU} while
 *     the blocked thread itself was; longest first, one per thread and priority
 * @param chain the wait, then the longest further wait of its owner, and so on to the thread that all waited for
 * @param backlog what the looper had to do first; only of a {@link WaitKind#QUEUE}
 * @param convoy the waits that followed one another on the lock; only with {@link Verdict#LOCK_CONVOY}
 * @param isShownByDefault whether the doctor shows it, if it is long enough, without being asked for its thread
 * @param isInTraceTotals whether it counts for the trace as a whole: the causes of frames, the summary, the answer. That does not depend on
 *     which threads and lengths were asked for
 * @param severity how much attention it deserves
 */
public record Incident(
        int id,
        Wait rootWait,
        RootCause rootCause,
        List<StateDuration> ownerStates,
        List<PreemptingThread> preemptingThreads,
        List<Wait> chain,
        @Nullable QueueBacklog backlog,
        @Nullable LockConvoy convoy,
        boolean isShownByDefault,
        boolean isInTraceTotals,
        Severity severity) {
    /** Keeps its own copies of the lists. */
    public Incident {
        ownerStates = List.copyOf(ownerStates);
        preemptingThreads = List.copyOf(preemptingThreads);
        chain = List.copyOf(chain);
    }

    /**
     * The time that owners spent in one state.
     *
     * @param state the state
     * @param durNs the time in ns
     */
    public record StateDuration(OwnerState state, long durNs) {}

    /**
     * {@return the owner that was in the way for longest; the thread itself where nobody else was}
     */
    public Owner owner() {
        return rootWait.longestOwnerInterval().owner();
    }

    /**
     * {@return who was in the way for longest; null if nobody was, since the thread waited for a CPU, the kernel, or its own
     * messages}
     */
    public @Nullable Owner blocker() {
        Owner owner = owner();
        boolean own = owner.thread().isInTrace()
                && owner.thread().utid() == rootWait.thread().utid();
        return own ? null : owner;
    }

    /**
     * {@return whom to talk to: the thread that the verdict blames, or without a CPU the one that ran instead for longest; null
     * if the trace does not tell, or if somebody outside stopped it}
     */
    public @Nullable ThreadRef responsibleThread() {
        return switch (verdict()) {
            case UNKNOWN, STOPPED -> null;
            case NO_CPU ->
                preemptingThreads.isEmpty() ? null : preemptedBy().getFirst().thread();
            default -> rootCause.responsibleThread();
        };
    }

    /**
     * {@return the verdict in one word}
     */
    public Verdict verdict() {
        return rootCause.verdict();
    }

    /** Whether nothing at all is known of what those in the way did. */
    public boolean hasUnknownOwnerStates() {
        return ownerStates.stream().allMatch(time -> time.state() == OwnerState.UNKNOWN);
    }

    /** How long those in the way were in a state until the blocked thread was woken. */
    public long timeIn(OwnerState state) {
        long sum = 0;
        for (OwnerInterval ownerInterval : rootWait.otherOwnersIntervals()) {
            for (Segment part : ownerInterval.segments()) {
                sum += part.state() == state ? part.durNs() : 0;
            }
        }
        return sum;
    }

    /** The same for all down the chain: the time that a verdict counts. */
    public long leafTimeIn(Predicate<OwnerState> states) {
        long[] sum = {0};
        rootWait.forEachLeaf(leaf -> sum[0] += states.test(leaf.state()) && !isOwn(leaf) ? leaf.durNs() : 0);
        return sum[0];
    }

    /** Whether a leaf of the tree is of the time on which the verdict rests; with other verdicts than these any may be. */
    public boolean isDecisive(Segment leaf) {
        return switch (verdict()) {
            case PRIORITY_INVERSION ->
                leaf.state() == OwnerState.PREEMPTED && leaf.thread().isLessImportantThan(rootWait.thread());
            case PREEMPTED_OWNER -> leaf.state() == OwnerState.PREEMPTED && !isOwn(leaf);
            case SLEEPING_OWNER -> leaf.state().isAsleep() && !isOwn(leaf);
            case LONG_HOLD, SLOW_REPLY -> leaf.state() == OwnerState.RUNNING && !isOwn(leaf);
            case STOPPED -> leaf.state() == OwnerState.STOPPED;
            default -> true;
        };
    }

    /** How many threads share the time on which the verdict rests. */
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

    /** The detail in which the owners spent most of their time in a state; null if no detail is known. */
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
     * {@return the culprits as people count them: one entry for each thread, though it ran at several priorities, longest first; with
     * that at which it ran for longest}
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
     * {@return the CPUs on which they are looked for, ascending: those that the owners, or without a CPU the thread itself, waited
     * for}
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

    /** Whether a leaf is of a thread whose lack of a CPU matters to the verdict. */
    public static boolean isDecisivePreemption(Segment leaf, Wait wait, Verdict verdict) {
        return (leaf.thread().utid() == wait.thread().utid()) == (verdict == Verdict.NO_CPU);
    }
}
