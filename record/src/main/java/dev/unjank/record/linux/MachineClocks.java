package dev.unjank.record.linux;

/**
 * The machine's clocks, and their offsets. Every time in a recording is {@link #nanos}: the kernel's monotonic clock,
 * which {@link System#nanoTime} reads in every process of the machine and kernel tracing can use. The
 * boot clock, which Perfetto's files go by, runs at the same rate and is ahead by the time that the machine has been suspended.
 *
 * <p><b>How the distance is measured.</b> The boot clock is read between two readings of the monotonic one, many times. Each
 * round bounds the distance from both sides; what all bounds have in common is far narrower than a round takes. If that holds 0,
 * the machine has not been suspended since it was started, and the two clocks are the same. The wall clock is steered and drifts,
 * so of it only the best round counts, each time anew.
 *
 * <p>Not safe for use by several threads.
 */
public final class MachineClocks {
    /** Rounds go on until the distance is known this well, or until there were too many of them. */
    private static final long GOOD_NANOS = 200;

    private static final int LEAST_ROUNDS = 64;
    private static final int MOST_ROUNDS = 4_000;

    private final boolean known = Libc.isAvailable();

    /** The distance from the monotonic to the boot clock lies between these. */
    private long least = Long.MIN_VALUE / 2;

    private long most = Long.MAX_VALUE / 2;

    /** Knows nothing before the first {@link #read}. */
    public MachineClocks() {}

    /**
     * What the clocks showed at one moment.
     *
     * @param monotonic nanoseconds of {@link System#nanoTime}
     * @param boot of the boot clock; the same as {@code monotonic} where that clock cannot be read
     * @param real since 1970
     * @param hasBoot whether the boot clock could be read
     * @param bootError {@code boot - monotonic} is off by no more than this
     * @param realError {@code real - monotonic} is off by no more than this, at this moment
     */
    public record Reading(long monotonic, long boot, long real, boolean hasBoot, long bootError, long realError) {}

    /** The present moment, on the clock of all times in a recording. */
    public long nanos() {
        return System.nanoTime();
    }

    /** Reads all clocks. */
    public Reading read() {
        if (!known) {
            long before = nanos();
            long real = System.currentTimeMillis() * 1_000_000;
            return new Reading(before, before, real, false, 0, 1_000_000 + nanos() - before);
        }
        long realOffset = 0;
        long realError = Long.MAX_VALUE;
        for (int i = 0; i < LEAST_ROUNDS || (i < MOST_ROUNDS && most - least > GOOD_NANOS); i++) {
            long first = nanos();
            long boot = Libc.clock(Libc.CLOCK_BOOTTIME);
            long second = nanos();
            long real = Libc.clock(Libc.CLOCK_REALTIME);
            long third = nanos();
            bound(boot - second, boot - first);
            if (third - second < realError) {
                realError = third - second;
                realOffset = real - (second + realError / 2);
            }
        }
        long now = nanos();
        return new Reading(
                now, now + bootOffset(), now + realOffset, true, (most - least + 1) / 2, (realError + 1) / 2);
    }

    /** Narrows the bounds of the distance, or begins afresh where it has grown, after a suspension. */
    private void bound(long low, long high) {
        if (low > most || high < least) {
            least = low;
            most = high;
        } else {
            least = Math.max(least, low);
            most = Math.min(most, high);
        }
    }

    /** How many nanoseconds the boot clock is ahead of the monotonic one, as the last {@link #read} found. */
    public long bootOffset() {
        boolean mayBeNone = least <= 0 && most >= 0;
        return mayBeNone ? 0 : least + (most - least) / 2;
    }
}
