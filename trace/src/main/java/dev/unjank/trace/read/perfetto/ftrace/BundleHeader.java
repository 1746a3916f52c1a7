package dev.unjank.trace.read.perfetto.ftrace;

import dev.unjank.trace.proto.FtraceFields;
import dev.unjank.trace.proto.FtraceFields.FtraceEventBundle;
import dev.unjank.trace.proto.ProtoReader;

/**
 * What a bundle of kernel events says besides its events: whose they are and on which clock. One object reads one head after the
 * other.
 */
public final class BundleHeader {
    private final ProtoReader bundle = new ProtoReader();
    private int cpu;
    private int clockKind;
    private long clockReading;
    private long bootReading;
    private boolean lossy;
    private int compactFrom;
    private int compactTo;

    /** Reads the head of a bundle. Its fields may stand anywhere among the events. */
    public void read(byte[] bytes, int from, int to) {
        cpu = -1;
        clockKind = FtraceFields.FtraceClock.UNSPECIFIED;
        clockReading = 0;
        bootReading = 0;
        lossy = false;
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
                case FtraceEventBundle.COMPACT_SCHED -> {
                    compactFrom = bundle.from();
                    compactTo = bundle.to();
                }
                default -> {}
            }
        }
    }

    /** Whether the bundle ends where its bytes make no sense. */
    boolean isDamaged() {
        return bundle.isDamaged();
    }

    /** The CPU that wrote the events, -1 if the bundle does not say. */
    int cpu() {
        return cpu;
    }

    /** Whether the kernel dropped events before these. */
    boolean isLossy() {
        return lossy;
    }

    /** Whether the events' times are of the boot clock, as they are on all but old kernels. */
    public boolean isOfBootClock() {
        return clockKind == FtraceFields.FtraceClock.UNSPECIFIED;
    }

    /** The kind of clock, of {@link FtraceFields.FtraceClock}. */
    int clockKind() {
        return clockKind;
    }

    /** What that clock showed at some moment, 0 if the bundle does not say. */
    long clockReading() {
        return clockReading;
    }

    /** What the boot clock showed at the same moment, 0 if the bundle does not say. */
    long bootReading() {
        return bootReading;
    }

    /** Whether there are scheduler events in compact form. */
    boolean hasCompact() {
        return compactFrom >= 0;
    }

    /** Where these begin. */
    int compactFrom() {
        return compactFrom;
    }

    /** Where they end. */
    int compactTo() {
        return compactTo;
    }
}
