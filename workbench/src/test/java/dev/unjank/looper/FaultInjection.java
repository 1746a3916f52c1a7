package dev.unjank.looper;

import dev.unjank.looper.queue.MessageOrder;
import dev.unjank.looper.queue.Node;
import dev.unjank.looper.queue.NodeState;
import dev.unjank.looper.queue.WaitState;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Replaces some calls of a looper that {@code dev.unjank.workbench.soak.FaultInjectionSoak} has loaded, to record the
 * reached place or to inject a fault. Each loader has a class of this name to itself.
 */
public final class FaultInjection {
    /** The injected faults. */
    public enum Fault {
        NONE,
        /** The first of the messages that are sorted after a drain is lost. */
        DROPS_ONE_OF_EACH_SORTED_DRAIN,
        /** One in eight live messages is unlinked with the dead among the young. */
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

    // ---- replacing calls

    public static void sort(long[] keys, int from, int to) {
        Arrays.sort(keys, from, to);
        HAS_SORTED.set(true);
    }

    public static void addToLaneOrHeap(MessageOrder order, Node message, long major, long minor) {
        boolean isFirst = HAS_SORTED.get();
        HAS_SORTED.set(false);
        if (!isFirst || fault != Fault.DROPS_ONE_OF_EACH_SORTED_DRAIN) {
            order.addToLaneOrHeap(message, major, minor);
        }
    }

    public static boolean isQueued(Node message) {
        boolean queued = NodeState.isQueued(message);
        if (queued && fault == Fault.CUTS_THE_LIVING_AMONG_THE_YOUNG) {
            return LIVING.incrementAndGet() % ONE_IN != 0;
        }
        return queued;
    }

    public static int depth(Node message) {
        int depth = NodeState.depth(message);
        if (depth >= LockFreeQueue.UNDRAINED_BOUND) {
            reach("a wake-up for what is undrained");
        }
        return depth;
    }

    public static boolean mustWakeAfterRemovals(WaitState.Parked parked, int count) {
        boolean mustWake = parked.mustWakeAfterRemovals(count);
        if (mustWake) {
            reach("a wake-up for removals");
        }
        return mustWake;
    }
}
