package dev.unjank.doctor.model;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A stretch of a wait that was due to one thread: it had the lock, it served the call, it collected the garbage. Where the
 * waiting thread was late by itself, because it had no CPU or slept in the kernel, that thread has the tenure.
 *
 * @param owner who, with the priority with which it was ready to run without running for longest, or if it never was, the one that it
 *     had for longest
 * @param startNs when the stretch began, on the trace's clock
 * @param durNs how long it lasted, in ns
 * @param segments what the owner did meanwhile, in order of time, without gaps and overlaps; at least one
 */
public record OwnerInterval(Owner owner, long startNs, long durNs, List<Segment> segments) {
    /** Keeps its own copy of the list. */
    public OwnerInterval {
        segments = List.copyOf(segments);
    }

    /** What an owner did in a stretch; with the priority that mattered, since the kernel changes priorities on the way. */
    public static OwnerInterval of(Owner owner, long from, long to, List<Segment> parts) {
        ThreadRef thread = longest(owner.thread(), parts);
        return new OwnerInterval(new Owner(thread, owner.location(), owner.evidence()), from, to - from, parts);
    }

    private static ThreadRef longest(ThreadRef owner, List<Segment> parts) {
        if (parts.stream().allMatch(part -> priorities(part.thread()) == priorities(owner))) {
            return owner;
        }
        boolean waited = isPreempted(parts);
        Map<Long, Long> times = new HashMap<>(); // by priority
        ThreadRef longest = owner;
        long most = 0;
        for (Segment part : parts) {
            if (part.thread().hasPriority() && (!waited || part.state() == OwnerState.PREEMPTED)) {
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

    /** The other priorities that the owner had meanwhile. */
    public SortedSet<Integer> otherPriorities() {
        return segments.stream()
                .map(Segment::thread)
                .filter(thread -> thread.hasPriority()
                        && thread.priority() != owner.thread().priority())
                .map(ThreadRef::priority)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Whether the owner was ever ready to run without running. */
    public boolean isPreempted() {
        return isPreempted(segments);
    }

    private static boolean isPreempted(List<Segment> parts) {
        return parts.stream().anyMatch(part -> part.state() == OwnerState.PREEMPTED);
    }

    /**
     * {@return when the stretch ended, on the trace's clock}
     */
    public long endNs() {
        return startNs + durNs;
    }
}
