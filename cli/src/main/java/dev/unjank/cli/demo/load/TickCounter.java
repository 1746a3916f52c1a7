package dev.unjank.cli.demo.load;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts the deadlines of a UI loop that ticks {@value #PER_SECOND} times a second.
 *
 * <p>Time is divided into slots of 16.7 ms. A slot's tick is due at the start of the slot, and on time if it ends
 * before the slot ends. As in a display pipeline, a late loop ticks once and continues with the next slot; skipped
 * slots count as missed.
 *
 * <p>All times are ns since the start of the phase and come from the caller. The loop's thread reports ticks; any
 * thread may read at any time. A tick that has not ended yet counts as a stall from its due time until now.
 */
public final class TickCounter {

    static final int PER_SECOND = 60;

    /** The period of ticks, rounded up to 1 ns. */
    static final Duration PERIOD = Duration.ofNanos(1_000_000_000L / PER_SECOND + 1);

    private static final long SECOND = 1_000_000_000L;

    /** The end of each slot's tick; 0 if it was skipped or has not ended. */
    private final AtomicLongArray overAt;

    /** The slot of the next tick; {@link #slots()} after the last. */
    private final AtomicInteger awaited = new AtomicInteger();

    TickCounter(int seconds) {
        overAt = new AtomicLongArray(seconds * PER_SECOND);
    }

    int slots() {
        return overAt.length();
    }

    /** The start of a slot, when its tick is due. */
    static long due(int slot) {
        return slot * SECOND / PER_SECOND;
    }

    /** The slot of the next tick. */
    int awaited() {
        return awaited.get();
    }

    /**
     * Records the end of a tick. Returns the slot of the next tick; {@link #slots()} if there is none. A tick before
     * its slot is due is not counted, and the slot stays the next: a timer may be early by a rounding error, and a loop
     * that stays one slot ahead would have two periods for each tick.
     */
    int tickOver(long now) {
        int slot = awaited.get();
        if (now < due(slot)) {
            return slot;
        }
        overAt.set(slot, Math.max(1, now));
        int next = Math.clamp(slotAt(now) + 1L, slot + 1, slots());
        awaited.set(next);
        return next;
    }

    /** The sums over all slots that have ended at {@code now}. */
    Ticks upTo(long now) {
        int due = slotAt(now);
        int open = awaited.get(); // read before the slots, so that a tick that ends meanwhile is not lost
        int completed = 0;
        int inTime = 0;
        long longestStall = 0;
        for (int slot = 0; slot < due; slot++) {
            long over = overAt.get(slot);
            if (over != 0 && over <= now) {
                completed++;
                longestStall = Math.max(longestStall, over - due(slot));
                if (over <= due(slot + 1)) {
                    inTime++;
                }
            } else if (over > now || slot == open) { // the tick had not ended at that time
                longestStall = Math.max(longestStall, now - due(slot));
            }
        }
        return new Ticks(due, completed, due - inTime, longestStall);
    }

    /** The slot at {@code now}, which is the number of ended slots; at most {@link #slots()}. */
    private int slotAt(long now) {
        int slot = Math.clamp(now * PER_SECOND / SECOND, 0, slots());
        // due() rounds down: a slot may begin within the nanosecond before the exact quotient
        return slot < slots() && due(slot + 1) <= now ? slot + 1 : slot;
    }

    /**
     * The sums.
     *
     * @param due ticks whose deadline has passed
     * @param completed ticks that ran, including late ones
     * @param missed deadlines at which the tick had not ended
     * @param longestStall the longest time in nanoseconds from a tick's due time to its end
     */
    public record Ticks(int due, int completed, int missed, long longestStall) {

        /** The share of missed deadlines, 0 to 1. */
        public double missedShare() {
            return due == 0 ? 0 : (double) missed / due;
        }

        /** The difference to earlier sums; the stall is the longest up to now. */
        Ticks since(Ticks earlier) {
            return new Ticks(due - earlier.due, completed - earlier.completed, missed - earlier.missed, longestStall);
        }
    }
}
