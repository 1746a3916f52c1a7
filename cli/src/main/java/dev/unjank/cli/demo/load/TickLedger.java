package dev.unjank.cli.demo.load;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The account of a UI loop that is due to tick {@value #PER_SECOND} times a second.
 *
 * <p>Time is divided into slots of 16.7 ms. The tick of a slot is due at the slot's start and in time if it is over by the slot's
 * end. As in a display pipeline, a loop that is late ticks once and goes on with the next slot that has not begun: the slots it
 * slept through are skipped, and count as missed.
 *
 * <p>All times are nanoseconds since the start of the phase and come from the caller. One thread, the loop's, reports ticks; any
 * thread may read at any moment, also while the loop is stalled: a tick that has not come yet counts as a stall until now.
 */
public final class TickLedger {

    static final int PER_SECOND = 60;

    /** From tick to tick, but for a fraction of a nanosecond. */
    static final Duration PERIOD = Duration.ofNanos(1_000_000_000L / PER_SECOND + 1);

    private static final long SECOND = 1_000_000_000L;

    /** When each slot's tick was over; 0 if it was not, or not yet. */
    private final AtomicLongArray overAt;

    /** The slot whose tick the loop is to run next; {@link #slots()} when it has run the last. */
    private final AtomicInteger awaited = new AtomicInteger();

    TickLedger(int seconds) {
        overAt = new AtomicLongArray(seconds * PER_SECOND);
    }

    int slots() {
        return overAt.length();
    }

    /** When the slot begins and its tick is due. */
    static long due(int slot) {
        return slot * SECOND / PER_SECOND;
    }

    /** The slot whose tick is awaited. */
    int awaited() {
        return awaited.get();
    }

    /**
     * The loop reports that the awaited tick is over.
     *
     * @return the slot to tick for next; {@link #slots()} if there is none
     */
    int tickOver(long now) {
        int slot = awaited.get();
        overAt.set(slot, Math.max(1, now));
        int next = Math.clamp(slotAt(now) + 1L, slot + 1, slots());
        awaited.set(next);
        return next;
    }

    /** What came of the slots that are over at {@code now}. */
    Ticks upTo(long now) {
        int due = slotAt(now);
        int open = awaited.get(); // before the slots are read: a tick that ends meanwhile is then seen here or there
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
            } else if (over > now || slot == open) { // the tick was not over at that moment, though it may be by now
                longestStall = Math.max(longestStall, now - due(slot));
            }
        }
        return new Ticks(due, completed, due - inTime, longestStall);
    }

    /** The slot that contains {@code now}, that is, how many slots are over; at most {@link #slots()}. */
    private int slotAt(long now) {
        int slot = Math.clamp(now * PER_SECOND / SECOND, 0, slots());
        // due() rounds down: a slot may begin within the nanosecond before the exact quotient
        return slot < slots() && due(slot + 1) <= now ? slot + 1 : slot;
    }

    /**
     * The sums.
     *
     * @param due ticks whose deadline has passed
     * @param completed ticks that ran, late ones too
     * @param missed deadlines at which the tick was not over
     * @param longestStall the longest time, in nanoseconds, between a tick's due moment and its end
     */
    public record Ticks(int due, int completed, int missed, long longestStall) {

        /**
         * How much of all was missed.
         *
         * @return the missed part of all deadlines, 0 to 1
         */
        public double missedShare() {
            return due == 0 ? 0 : (double) missed / due;
        }

        /** What was added since an earlier reading; the stall is the longest up to now. */
        Ticks since(Ticks earlier) {
            return new Ticks(due - earlier.due, completed - earlier.completed, missed - earlier.missed, longestStall);
        }
    }
}
