package dev.unjank.trace.read.perfetto.ftrace;

import dev.unjank.trace.proto.FtraceFields;
import dev.unjank.trace.proto.FtraceFields.FtraceEventBundle;
import dev.unjank.trace.proto.ProtoReader;

/**
 * The fields of a bundle of kernel events other than the events: the CPU and the clock. One object parses one header
 * after the other.
 */
public final class BundleHeader {
    private final ProtoReader bundle = new ProtoReader();
    /** The CPU of the events, -1 if unknown. */
    int cpu;
    /** The kind of clock, of {@link FtraceFields.FtraceClock}. */
    int clockKind;
    /** A reading of that clock, 0 if there is none. */
    long clockReading;
    /** The reading of the boot clock at the same moment, 0 if there is none. */
    long bootReading;
    /** Whether the kernel dropped events before these. */
    boolean lossy;
    /** The time of an event of the CPU that the recorder had read before these, on their clock; 0 if there is none. */
    long earlierEvent;
    /** The start of the compact events. */
    int compactFrom;
    /** The end of the compact events. */
    int compactTo;

    /** Parses the header of a bundle. Its fields may be anywhere among the events. */
    public void read(byte[] bytes, int from, int to) {
        cpu = -1;
        clockKind = FtraceFields.FtraceClock.UNSPECIFIED;
        clockReading = 0;
        bootReading = 0;
        lossy = false;
        earlierEvent = 0;
        compactFrom = -1;
        compactTo = -1;
        bundle.reset(bytes, from, to);
        while (bundle.nextExcept(FtraceEventBundle.EVENT)) {
            switch (bundle.field()) {
                case FtraceEventBundle.CPU -> cpu = bundle.intValue();
                case FtraceEventBundle.LOST_EVENTS -> lossy |= bundle.boolValue();
                case FtraceEventBundle.FTRACE_CLOCK -> clockKind = bundle.intValue();
                case FtraceEventBundle.FTRACE_TIMESTAMP -> clockReading = bundle.value();
                case FtraceEventBundle.BOOT_TIMESTAMP -> bootReading = bundle.value();
                case FtraceEventBundle.LAST_READ_EVENT_TIMESTAMP, FtraceEventBundle.PREVIOUS_BUNDLE_END_TIMESTAMP ->
                    earlierEvent = Math.max(earlierEvent, bundle.value());
                case FtraceEventBundle.COMPACT_SCHED -> {
                    compactFrom = bundle.from();
                    compactTo = bundle.to();
                }
                default -> {}
            }
        }
    }

    /** Whether the bundle is damaged; it then ends at the damage. */
    boolean isDamaged() {
        return bundle.isDamaged();
    }

    /** Whether the events have the boot clock, as on all but old kernels. */
    public boolean usesBootClock() {
        return clockKind == FtraceFields.FtraceClock.UNSPECIFIED;
    }

    /** Whether there are compact scheduler events. */
    boolean hasCompact() {
        return compactFrom >= 0;
    }
}
