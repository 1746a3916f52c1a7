package dev.unjank.trace.processor;

import static dev.unjank.trace.processor.ProcessorTable.NULL;

import dev.unjank.trace.proto.PacketFields.BuiltinClock;
import dev.unjank.trace.read.common.ClockConverter;

/** Snapshots of clocks, and conversion to the clock of the trace. */
final class ClockRows {
    private static final String[] NAMES = {
        "", "REALTIME", "REALTIME_COARSE", "MONOTONIC", "MONOTONIC_COARSE", "MONOTONIC_RAW", "BOOTTIME"
    };

    private final ProcessorContext context;
    final ClockConverter converter = new ClockConverter();
    private int snapshots;
    private int traceClock = BuiltinClock.BOOTTIME;

    ClockRows(ProcessorContext context) {
        this.context = context;
    }

    int traceClock() {
        return traceClock;
    }

    void snapshot(ProtoFields snapshot, int sequence) {
        if (snapshot.has(2)) {
            traceClock = (int) snapshot.number(2);
            converter.traceClock(traceClock);
        }
        for (ProtoFields.Bytes part : snapshot.all(1)) {
            ProtoFields clock = part.fields();
            long unit = clock.number(4);
            converter.reading(
                    converter.clock((int) clock.number(1), sequence),
                    clock.number(2),
                    unit == 0 ? 1 : unit,
                    clock.number(3) != 0);
        }
        converter.endSnapshot();
        long ts = time(snapshot, sequence);
        for (ProtoFields.Bytes part : snapshot.all(1)) {
            ProtoFields clock = part.fields();
            long id = clock.number(1);
            context.clockSnapshots.add(
                    context.clockSnapshots.rows(),
                    ts,
                    id,
                    id > 0 && id < NAMES.length ? context.intern(NAMES[(int) id]) : NULL,
                    clock.number(2),
                    snapshots,
                    0);
        }
        snapshots++;
    }

    private long time(ProtoFields snapshot, int sequence) {
        for (ProtoFields.Bytes part : snapshot.all(1)) {
            ProtoFields clock = part.fields();
            if (clock.number(1) == traceClock) {
                return clock.number(2);
            }
        }
        for (ProtoFields.Bytes part : snapshot.all(1)) {
            ProtoFields clock = part.fields();
            if (clock.number(1) < NAMES.length) {
                return toTrace((int) clock.number(1), sequence, clock.number(2));
            }
        }
        return NULL;
    }

    /** A time on the trace's clock, {@link ClockConverter#UNKNOWN} if there is no relation to it. */
    long toTrace(int clock, int sequence, long time) {
        return converter.toTrace(converter.clock(clock, sequence), time);
    }
}
