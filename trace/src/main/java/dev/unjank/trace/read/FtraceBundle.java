package dev.unjank.trace.read;

import dev.unjank.trace.proto.Fields;
import dev.unjank.trace.proto.Fields.FtraceEventBundle;
import dev.unjank.trace.proto.ProtoReader;

/**
 * What a bundle of kernel events says besides its events: whose they are and on which clock.
 *
 * @param cpu the CPU that wrote them, -1 if it does not say
 * @param clock the clock of their times
 * @param symbols what numbers of kernel functions mean in them
 * @param compactFrom where its compact scheduler events begin, counted from the bundle's beginning; -1 if it has none
 * @param compactTo where they end
 */
record FtraceBundle(int cpu, ClockSync.Clock clock, KernelSymbols symbols, int compactFrom, int compactTo) {
    /** The number under which a kernel's own clock is kept; the sequence tells it from other clocks of that number. */
    private static final int OWN_CLOCK = ClockSync.FIRST_SEQUENCE_CLOCK;

    private static final int MONOTONIC_RAW = 5;

    /** Reads bundles' heads, one after the other as they come in the trace. */
    static final class Reader {
        private final ClockSync clocks;
        private final Skipped skipped;
        private final ProtoReader bundle = new ProtoReader();
        private long lastReading = Long.MIN_VALUE;
        private long lossy;

        Reader(ClockSync clocks, Skipped skipped) {
            this.clocks = clocks;
            this.skipped = skipped;
        }

        /** How many bundles say that the kernel dropped events before them. */
        long lossy() {
            return lossy;
        }

        /** Takes the head of the bundle in a packet's current field. Its fields may stand anywhere among the events. */
        FtraceBundle read(ProtoReader packet, Sequence sequence) {
            int cpu = -1;
            int kind = 0;
            long clockReading = 0;
            long bootReading = 0;
            int compactFrom = -1;
            int compactTo = -1;
            bundle.resetToField(packet);
            while (bundle.nextExcept(FtraceEventBundle.EVENT)) {
                switch (bundle.field()) {
                    case FtraceEventBundle.CPU -> cpu = bundle.intValue();
                    case FtraceEventBundle.LOST_EVENTS -> lossy += bundle.boolValue() ? 1 : 0;
                    case FtraceEventBundle.FTRACE_CLOCK -> kind = bundle.intValue();
                    case FtraceEventBundle.FTRACE_TIMESTAMP -> clockReading = bundle.value();
                    case FtraceEventBundle.BOOT_TIMESTAMP -> bootReading = bundle.value();
                    case FtraceEventBundle.COMPACT_SCHED -> {
                        compactFrom = bundle.from() - packet.from();
                        compactTo = bundle.to() - packet.from();
                    }
                    default -> {}
                }
            }
            if (bundle.isDamaged()) {
                skipped.problem("damaged bundle of kernel events");
            }
            ClockSync.Clock clock = switch (kind) {
                case Fields.FtraceClock.UNSPECIFIED -> clocks.clock(ClockSync.BOOTTIME, 0);
                case Fields.FtraceClock.MONO_RAW -> clocks.clock(MONOTONIC_RAW, 0);
                default -> clocks.clock(OWN_CLOCK, sequence.id());
            };
            if (kind != Fields.FtraceClock.UNSPECIFIED
                    && clockReading != 0
                    && bootReading != 0
                    && clockReading != lastReading) {
                // Kernels before 4.x have a clock of their own; each bundle says what it and the boot clock showed at
                // once.
                lastReading = clockReading;
                clocks.reading(clock, clockReading, 1, false);
                clocks.reading(clocks.clock(ClockSync.BOOTTIME, 0), bootReading, 1, false);
                clocks.endSnapshot();
            }
            return new FtraceBundle(cpu, clock, sequence.kernelSymbols(), compactFrom, compactTo);
        }
    }
}
