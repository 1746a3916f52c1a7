package dev.unjank.doctor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One wait of a thread for a contended lock, with its verdict.
 *
 * @param tree the blame tree
 * @param judgement the verdict
 * @param ownerStates what the lock's owners did during the wait, longest first; adds up to the wait
 * @param culprits who ran while owners were ready to run, anywhere in the tree before the blocked thread's last wake-up;
 *     longest first, one per thread and priority
 * @param chain the wait, then the longest further wait of its owner, and so on to the thread that all waited for
 */
public record Incident(
        LockWait tree, Judgement judgement, List<StateTime> ownerStates, List<Culprit> culprits, List<LockWait> chain) {
    /** Keeps its own copies of the lists. */
    public Incident {
        ownerStates = List.copyOf(ownerStates);
        culprits = List.copyOf(culprits);
        chain = List.copyOf(chain);
    }

    /**
     * The time that owners spent in one state.
     *
     * @param state the state
     * @param durNs the time in ns
     */
    public record StateTime(OwnerState state, long durNs) {}

    /** Judges a blame tree and adds up what a report needs. */
    static Incident of(LockWait wait) {
        return new Incident(wait, Rules.judge(wait), statesOf(wait), culpritsOf(wait), chainOf(wait));
    }

    /**
     * {@return the owner that was in the way for longest}
     */
    public Owner owner() {
        return tree.longestHold().owner();
    }

    /**
     * {@return the verdict in one word}
     */
    public Verdict verdict() {
        return judgement.verdict();
    }

    /** How long the owners were in a state during the wait, or only until the lock was free. */
    long timeIn(OwnerState state, boolean whileTaken) {
        long sum = 0;
        for (Hold hold : tree.holds()) {
            if (hold.deadlock() && state == OwnerState.BLOCKED) {
                sum += hold.durNs();
            }
            for (Part part : hold.parts()) {
                if (part.state() == state && (!whileTaken || part.startNs() < tree.wokenNs())) {
                    sum += part.durNs();
                }
            }
        }
        return sum;
    }

    /** The same for all owners down the chain, until the lock was free: the time that a verdict counts. */
    long leafTimeIn(Predicate<OwnerState> states) {
        long[] sum = {0};
        tree.forEachLeaf(
                leaf -> sum[0] += states.test(leaf.state()) && leaf.startNs() < tree.wokenNs() ? leaf.durNs() : 0,
                hold -> {});
        return sum[0];
    }

    /** The detail in which the owners spent most of their time in a state; null if no detail is known. */
    @Nullable
    String mostlyIn(OwnerState state) {
        Map<String, Long> sums = new LinkedHashMap<>();
        String most = null;
        for (Hold hold : tree.holds()) {
            for (Part part : hold.parts()) {
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

    private static List<StateTime> statesOf(LockWait wait) {
        Map<OwnerState, Long> sums = new EnumMap<>(OwnerState.class);
        for (Hold hold : wait.holds()) {
            if (hold.deadlock()) {
                sums.merge(OwnerState.BLOCKED, hold.durNs(), Long::sum);
            }
            for (Part part : hold.parts()) {
                sums.merge(part.state(), part.durNs(), Long::sum);
            }
        }
        List<StateTime> states = new ArrayList<>();
        sums.forEach((state, sum) -> states.add(new StateTime(state, sum)));
        states.sort(Comparator.comparingLong(StateTime::durNs).reversed());
        return states;
    }

    private static List<Culprit> culpritsOf(LockWait wait) {
        Map<ThreadRef, Long> sums = new LinkedHashMap<>();
        wait.forEachLeaf(
                leaf -> {
                    if (leaf.startNs() < wait.wokenNs()) {
                        leaf.ranInstead().forEach(c -> sums.merge(c.thread(), c.ranNs(), Long::sum));
                    }
                },
                hold -> {});
        return Culprit.longestFirst(sums);
    }

    private static List<LockWait> chainOf(LockWait wait) {
        List<LockWait> chain = new ArrayList<>();
        LockWait link = wait;
        while (link != null) {
            chain.add(link);
            LockWait longest = null;
            for (Part part : link.longestHold().parts()) {
                LockWait further = part.further();
                if (further != null && (longest == null || further.durNs() > longest.durNs())) {
                    longest = further;
                }
            }
            link = longest;
        }
        return chain;
    }
}
