package dev.unjank.trace.read.perfetto;

import dev.unjank.trace.proto.PacketFields.Clock;
import dev.unjank.trace.proto.PacketFields.ClockSnapshot;
import dev.unjank.trace.proto.ProtoReader;
import dev.unjank.trace.read.common.ClockConverter;

/** Imports clock snapshots. */
final class ClockSnapshotImporter {
    private final ClockConverter clocks;
    private final ProtoReader snapshot = new ProtoReader();
    private final ProtoReader reading = new ProtoReader();

    ClockSnapshotImporter(ClockConverter clocks) {
        this.clocks = clocks;
    }

    void read(ProtoReader packet, int sequence) {
        snapshot.resetToField(packet);
        while (snapshot.next()) {
            if (snapshot.field() == ClockSnapshot.PRIMARY_TRACE_CLOCK) {
                clocks.traceClock(snapshot.intValue());
            } else if (snapshot.field() == ClockSnapshot.CLOCKS) {
                readClock(sequence);
            }
        }
        clocks.endSnapshot();
    }

    private void readClock(int sequence) {
        int id = 0;
        long time = 0;
        long unitNs = 1;
        boolean incremental = false;
        reading.resetToField(snapshot);
        while (reading.next()) {
            switch (reading.field()) {
                case Clock.CLOCK_ID -> id = reading.intValue();
                case Clock.TIMESTAMP -> time = reading.value();
                case Clock.IS_INCREMENTAL -> incremental = reading.boolValue();
                case Clock.UNIT_MULTIPLIER_NS -> unitNs = Math.max(1, reading.value());
                default -> {}
            }
        }
        clocks.reading(clocks.clock(id, sequence), time, unitNs, incremental);
    }
}
