package dev.unjank.trace.read;

import dev.unjank.trace.proto.Fields;

/**
 * The clock of the bundle of kernel events that is being read. Usually it is the boot clock; older kernels have one of their
 * own, and each bundle then says what both showed when it was taken from the kernel.
 */
final class FtraceClock {
    /** The number under which the kernel's own clock is kept; its sequence tells it from other clocks of that number. */
    private static final int OWN_CLOCK = ClockSync.FIRST_SEQUENCE_CLOCK;

    private static final int MONOTONIC_RAW = 5;

    private final ClockSync clocks;
    private final ClockSync.Clock boottime;
    private ClockSync.Clock clock;
    private long lastReading = Long.MIN_VALUE;

    FtraceClock(ClockSync clocks) {
        this.clocks = clocks;
        boottime = clocks.clock(ClockSync.BOOTTIME, 0);
        clock = boottime;
    }

    /**
     * Begins a bundle.
     *
     * @return false if its clock is one whose times nobody can place
     */
    boolean begin(int kind, int sequence, long clockReading, long bootReading) {
        switch (kind) {
            case Fields.FtraceClock.UNSPECIFIED -> clock = boottime;
            case Fields.FtraceClock.MONO_RAW -> clock = clocks.clock(MONOTONIC_RAW, 0);
            case Fields.FtraceClock.GLOBAL, Fields.FtraceClock.LOCAL -> clock = clocks.clock(OWN_CLOCK, sequence);
            default -> {
                return false;
            }
        }
        if (clock != boottime && clockReading != 0 && bootReading != 0 && clockReading != lastReading) {
            lastReading = clockReading;
            clocks.reading(clock, clockReading, 1, false);
            clocks.reading(boottime, bootReading, 1, false);
            clocks.endSnapshot();
        }
        return true;
    }

    /** Brings the time of an event onto the trace's clock; {@link ClockSync#UNKNOWN} if nothing ties them. */
    long toTrace(long time) {
        return clocks.toTrace(clock, time);
    }
}
