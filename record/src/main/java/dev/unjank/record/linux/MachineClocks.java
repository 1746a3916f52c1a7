package dev.unjank.record.linux;

/**
 * The machine's clocks and their offsets. All times in a recording are {@link #nanos}: the kernel's monotonic clock,
 * which {@link System#nanoTime} reads in every process of the machine and which kernel tracing can use. The boot clock,
 * which Perfetto's files use, runs at the same rate and is ahead by the time that the machine was suspended.
 *
 * <p><b>Measurement of the offset.</b> The boot clock is read between two readings of the monotonic clock, many times.
 * Each round gives a lower and an upper bound of the offset; the intersection of all bounds is far narrower than the
 * duration of a round. If the intersection contains 0, the machine has not been suspended since its start, and the two
 * clocks are equal. The wall clock is adjusted and drifts, so its offset is taken from the best round of each
 * measurement.
 *
 * <p>Not thread-safe.
 */
public final class MachineClocks {
    /**
     * The required precision of the offset; rounds are repeated until it or the maximum number of rounds is reached.
     */
    private static final long GOOD_NANOS = 200;

    private static final int LEAST_ROUNDS = 64;
    private static final int MOST_ROUNDS = 4_000;

    private final boolean known = Libc.isAvailable();

    /** The bounds of the offset from the monotonic to the boot clock. */
    private long least = Long.MIN_VALUE / 2;

    private long most = Long.MAX_VALUE / 2;

    /** Creates clocks with unknown offsets; call {@link #read} first. */
    public MachineClocks() {}

    /**
     * A simultaneous reading of all clocks.
     *
     * @param monotonic nanoseconds of {@link System#nanoTime}
     * @param boot nanoseconds of the boot clock; the same as {@code monotonic} if that clock cannot be read
     * @param real nanoseconds since 1970
     * @param hasBoot whether the boot clock could be read
     * @param bootError the maximum error of {@code boot - monotonic}
     * @param realError the maximum error of {@code real - monotonic} at this moment
     */
    public record Reading(long monotonic, long boot, long real, boolean hasBoot, long bootError, long realError) {}

    /** The current time, on the clock of all times in a recording. */
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

    /** Narrows the bounds of the offset, or resets them if the offset has grown after a suspension. */
    private void bound(long low, long high) {
        if (low > most || high < least) {
            least = low;
            most = high;
        } else {
            least = Math.max(least, low);
            most = Math.min(most, high);
        }
    }

    /** The offset of the boot clock to the monotonic clock in ns, from the last {@link #read}. */
    public long bootOffset() {
        boolean mayBeNone = least <= 0 && most >= 0;
        return mayBeNone ? 0 : least + (most - least) / 2;
    }
}
