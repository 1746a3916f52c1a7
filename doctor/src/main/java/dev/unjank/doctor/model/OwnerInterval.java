package dev.unjank.doctor.model;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A part of a wait with one owner. The blocked thread owns the parts in which it waited for a CPU itself or was in
 * uninterruptible sleep.
 *
 * @param owner the owner, with the priority at which it was runnable for longest or, if it never was, which it had for
 *     longest
 * @param startNs start on the trace's clock, ns
 * @param durNs duration, ns
 * @param segments the owner's states, by time, without gaps and overlaps; at least one
 */
public record OwnerInterval(Owner owner, long startNs, long durNs, List<Segment> segments) {
    /** Copies the list. */
    public OwnerInterval {
        segments = List.copyOf(segments);
    }

    /**
     * {@return an interval whose owner has the priority that mattered, since the kernel may change it during the wait}
     *
     * @param owner the owner
     * @param from start, ns
     * @param to end, ns
     * @param parts the owner's states
     */
    public static OwnerInterval of(Owner owner, long from, long to, List<Segment> parts) {
        ThreadRef thread = longest(owner.thread(), parts);
        return new OwnerInterval(owner.withThread(thread), from, to - from, parts);
    }

    private static ThreadRef longest(ThreadRef owner, List<Segment> parts) {
        if (parts.stream().allMatch(part -> priorities(part.thread()) == priorities(owner))) {
            return owner;
        }
        boolean preempted = isPreempted(parts);
        Map<Long, Long> times = new HashMap<>(); // by priority
        ThreadRef longest = owner;
        long most = 0;
        for (Segment part : parts) {
            if (part.thread().hasPriority() && (!preempted || part.state() == OwnerState.RUNNABLE)) {
                long time = times.merge(priorities(part.thread()), part.durNs(), Long::sum);
                if (time > most) {
                    most = time;
                    longest = part.thread();
                }
            }
        }
        return longest;
    }

    private static long priorities(ThreadRef thread) {
        return (long) thread.priority() << 32 | (thread.inheritedPriority() & 0xffff_ffffL);
    }

    /** {@return the other priorities that the owner had meanwhile} */
    public SortedSet<Integer> otherPriorities() {
        return segments.stream()
                .map(Segment::thread)
                .filter(thread -> thread.hasPriority()
                        && thread.priority() != owner.thread().priority())
                .map(ThreadRef::priority)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** {@return whether the owner was runnable without running at some time} */
    public boolean isPreempted() {
        return isPreempted(segments);
    }

    private static boolean isPreempted(List<Segment> parts) {
        return parts.stream().anyMatch(part -> part.state() == OwnerState.RUNNABLE);
    }

    /** {@return the end on the trace's clock, ns} */
    public long endNs() {
        return startNs + durNs;
    }
}
