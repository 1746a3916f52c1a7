package dev.unjank.looper;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Replacements for some of the looper's methods: they record that a call was reached, or do it wrongly. {@code
 * dev.unjank.workbench.soak.FaultInjectionSoak} makes the looper call them. Each of its class loaders has a copy of this class.
 */
public final class FaultInjection {
    /** What may be wrong. */
    public enum Fault {
        NONE,
        /** The first of those that are sorted after a drain is forgotten. */
        DROPS_ONE_OF_EACH_SORTED_DRAIN,
        /** One in eight of the living is unlinked with the dead among the young. */
        CUTS_THE_LIVING_AMONG_THE_YOUNG
    }

    private static final Set<String> REACHED = ConcurrentHashMap.newKeySet();
    private static final int ONE_IN = 8;

    private static volatile Fault fault = Fault.NONE;
    private static final AtomicInteger LIVING = new AtomicInteger();
    private static final ThreadLocal<Boolean> HAS_SORTED = ThreadLocal.withInitial(() -> false);

    private FaultInjection() {}

    public static void breakBy(Fault chosen) {
        fault = chosen;
    }

    public static Set<String> reached() {
        return Set.copyOf(REACHED);
    }

    public static void reach(String place) {
        REACHED.add(place);
    }

    // ---- in the place of a call

    static void sort(long[] keys, int from, int to) {
        Arrays.sort(keys, from, to);
        HAS_SORTED.set(true);
    }

    static void addToLaneOrHeap(MessageOrder order, Message message, long major, long minor) {
        boolean isFirst = HAS_SORTED.get();
        HAS_SORTED.set(false);
        if (!isFirst || fault != Fault.DROPS_ONE_OF_EACH_SORTED_DRAIN) {
            order.addToLaneOrHeap(message, major, minor);
        }
    }

    static boolean isQueued(Message message) {
        boolean queued = message.isQueued();
        if (queued && fault == Fault.CUTS_THE_LIVING_AMONG_THE_YOUNG) {
            return LIVING.incrementAndGet() % ONE_IN != 0;
        }
        return queued;
    }

    static int depth(Message message) {
        int depth = message.depth();
        if (depth >= LockFreeQueue.UNDRAINED_BOUND) {
            reach("a wake-up for what is undrained");
        }
        return depth;
    }

    static boolean mustEndAfterRemovals(WaitState.Parked parked, int count) {
        boolean mustEnd = parked.mustEndAfterRemovals(count);
        if (mustEnd) {
            reach("a wake-up for removals");
        }
        return mustEnd;
    }
}
