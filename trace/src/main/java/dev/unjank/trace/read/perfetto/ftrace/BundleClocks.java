package dev.unjank.trace.read.perfetto.ftrace;

import dev.unjank.trace.proto.FtraceFields;
import dev.unjank.trace.read.common.ClockConverter;

/** The clocks of bundles of kernel events, in the order of the trace. */
public final class BundleClocks {
    /** The number of a kernel's own clock; the sequence distinguishes it from other clocks with that number. */
    private static final int OWN_CLOCK = ClockConverter.FIRST_SEQUENCE_CLOCK;

    private static final int MONOTONIC_RAW = 5;

    private final ClockConverter clocks;
    private long lastReading = Long.MIN_VALUE;

    public BundleClocks(ClockConverter clocks) {
        this.clocks = clocks;
    }

    /** The clock of bundles without a clock. */
    ClockConverter.Clock bootClock() {
        return clocks.clock(ClockConverter.BOOTTIME, 0);
    }

    /**
     * The clock of a bundle. Kernels before 4.x have their own; each bundle contains a reading of it and of the boot
     * clock, which is added to the clocks.
     */
    public ClockConverter.Clock clock(BundleHeader head, int sequenceId) {
        ClockConverter.Clock clock = switch (head.clockKind) {
            case FtraceFields.FtraceClock.UNSPECIFIED -> bootClock();
            case FtraceFields.FtraceClock.MONO_RAW -> clocks.clock(MONOTONIC_RAW, 0);
            default -> clocks.clock(OWN_CLOCK, sequenceId);
        };
        if (!head.usesBootClock()
                && head.clockReading != 0
                && head.bootReading != 0
                && head.clockReading != lastReading) {
            lastReading = head.clockReading;
            clocks.reading(clock, head.clockReading, 1, false);
            clocks.reading(bootClock(), head.bootReading, 1, false);
            clocks.endSnapshot();
        }
        return clock;
    }
}
