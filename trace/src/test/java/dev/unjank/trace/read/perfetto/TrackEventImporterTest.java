package dev.unjank.trace.read.perfetto;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.scene.TraceInvariants;
import dev.unjank.trace.model.Counters;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.TraceGaps;
import dev.unjank.trace.model.TraceNote;
import dev.unjank.trace.proto.PacketFields;
import dev.unjank.trace.proto.PacketFields.InternedData;
import dev.unjank.trace.proto.PacketFields.InternedString;
import dev.unjank.trace.proto.PacketFields.TracePacket;
import dev.unjank.trace.proto.PacketFields.TracePacketDefaults;
import dev.unjank.trace.proto.ProtoWriter;
import dev.unjank.trace.proto.TrackEventFields.AndroidMessageQueue;
import dev.unjank.trace.proto.TrackEventFields.CounterDescriptor;
import dev.unjank.trace.proto.TrackEventFields.ProcessDescriptor;
import dev.unjank.trace.proto.TrackEventFields.ThreadDescriptor;
import dev.unjank.trace.proto.TrackEventFields.TrackDescriptor;
import dev.unjank.trace.proto.TrackEventFields.TrackEvent;
import dev.unjank.trace.proto.TrackEventFields.TrackEventDefaults;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces of Perfetto's library, written field by field. */
class TrackEventImporterTest {
    private static final int SEQUENCE = 7;
    private static final int THREAD_TRACK = 100;
    private static final int PROCESS_TRACK = 200;
    private static final int CHILD_TRACK = 201;

    private final ProtoWriter trace = new ProtoWriter();

    @TempDir
    private Path folder;

    @Test
    void slicesBelongToTheOwnerOfTheirTrack() throws IOException {
        beginSequence();
        threadTrack();
        processTracks();
        event(1000, TrackEvent.SLICE_BEGIN, THREAD_TRACK, "outer");
        event(1100, TrackEvent.SLICE_BEGIN, THREAD_TRACK, "inner");
        event(1150, TrackEvent.INSTANT, THREAD_TRACK, "mark");
        event(1200, TrackEvent.SLICE_BEGIN, CHILD_TRACK, "of the process");
        event(1300, TrackEvent.SLICE_END, THREAD_TRACK, "");
        event(1400, TrackEvent.SLICE_END, CHILD_TRACK, "");
        event(1500, TrackEvent.SLICE_END, THREAD_TRACK, "");
        event(1600, TrackEvent.INSTANT, 999, "of no owner");
        event(1700, TrackEvent.COUNTER, THREAD_TRACK, "");

        Trace read = read();
        assertThat(rows(read))
                .containsExactly(
                        "1000+500 outer depth 0 of worker",
                        "1100+200 inner depth 1 of worker",
                        "1150+0 mark depth 2 of worker",
                        "1200+200 of the process depth 0 of com.example",
                        "1600+0 of no owner depth 0 of no owner");
        int worker = read.threads().find(11, 1000);
        assertThat(read.processes().pid(read.threads().upid(worker))).isEqualTo(10);
        assertThat(read.skipped()).isEqualTo(new Trace.Skipped(1, 0));
        assertThat(TraceNote.sentences(TraceGaps.in(read).warnings()))
                .filteredOn(line -> line.contains("no scheduler events"))
                .hasSize(1);
    }

    @Test
    void namesAndTracksMayBeInterned() throws IOException {
        beginSequence();
        threadTrack();
        for (int type : new int[] {TrackEvent.SLICE_BEGIN, TrackEvent.SLICE_END}) {
            int packet = packet(1000L * type);
            trace.varint(TracePacket.SEQUENCE_FLAGS, TracePacket.SEQ_NEEDS_INCREMENTAL_STATE);
            int event = trace.begin(TracePacket.TRACK_EVENT);
            trace.varint(TrackEvent.TYPE, type);
            trace.varint(TrackEvent.NAME_IID, 3);
            trace.end(event);
            trace.end(packet);
        }
        assertThat(rows(read())).containsExactly("1000+1000 interned depth 0 of worker");
    }

    @Test
    void packetsThatDependOnALostOneAreSkipped() throws IOException {
        threadTrack();
        int packet = packet(1000);
        trace.varint(TracePacket.SEQUENCE_FLAGS, TracePacket.SEQ_NEEDS_INCREMENTAL_STATE);
        int event = trace.begin(TracePacket.TRACK_EVENT);
        trace.varint(TrackEvent.TYPE, TrackEvent.SLICE_BEGIN);
        trace.varint(TrackEvent.NAME_IID, 3);
        trace.end(event);
        trace.end(packet);

        Trace read = read();
        assertThat(rows(read)).isEmpty();
        assertThat(read.warnings()).contains("skipped: 1 packet that depends on a lost one");
    }

    @Test
    void countersHaveUnitsFractionsAndDifferences() throws IOException {
        beginSequence();
        threadTrack();
        counterTrack(300, THREAD_TRACK, "plain", counter -> counter.varint(CounterDescriptor.UNIT, 3));
        counterTrack(301, THREAD_TRACK, "differences", counter -> {
            counter.varint(CounterDescriptor.UNIT_MULTIPLIER, 1024);
            counter.bool(CounterDescriptor.IS_INCREMENTAL, true);
            counter.string(CounterDescriptor.UNIT_NAME, "pages");
        });
        counterTrack(302, 999, "plain", counter -> {});
        value(1000, 300, 7);
        value(1100, 301, 1);
        value(1200, 301, 2);
        int packet = packet(1300);
        int event = trace.begin(TracePacket.TRACK_EVENT);
        trace.varint(TrackEvent.TYPE, TrackEvent.COUNTER);
        trace.varint(TrackEvent.TRACK_UUID, 302);
        trace.fixed64(TrackEvent.DOUBLE_COUNTER_VALUE, Double.doubleToLongBits(-2.6));
        trace.end(event);
        trace.end(packet);
        int again = packet(1400);
        trace.varint(TracePacket.SEQUENCE_FLAGS, TracePacket.SEQ_INCREMENTAL_STATE_CLEARED);
        trace.end(again);
        value(1500, 301, 4);

        Trace read = read();
        Counters counters = read.counters();
        List<String> rows = new ArrayList<>();
        for (int track = 0; track < counters.tracks(); track++) {
            for (int row = counters.first(track); row < counters.end(track); row++) {
                rows.add(counters.name(track) + " " + counters.value(row) + " " + counters.unit(track) + " of "
                        + (counters.utid(track) < 0
                                ? "no owner"
                                : read.threads().name(counters.utid(track))));
            }
        }
        assertThat(rows)
                .containsExactly(
                        "plain 7 bytes of worker",
                        "differences 1024 pages of worker",
                        "differences 3072 pages of worker",
                        "differences 4096 pages of worker",
                        "plain -3  of no owner");
        assertThat(read.skipped().packets()).isZero();
    }

    @Test
    void aFlowLeadsFromEachSliceToTheNextUntilItEnds() throws IOException {
        beginSequence();
        threadTrack();
        flowing(1000, TrackEvent.INSTANT, "a", TrackEvent.FLOW_IDS, 5);
        flowing(1100, TrackEvent.INSTANT, "b", TrackEvent.FLOW_IDS, 5);
        flowing(1200, TrackEvent.INSTANT, "other", TrackEvent.FLOW_IDS, 6);
        flowing(1300, TrackEvent.SLICE_BEGIN, "c", TrackEvent.TERMINATING_FLOW_IDS, 5);
        flowing(1400, TrackEvent.INSTANT, "d", TrackEvent.FLOW_IDS, 5); // the same id, another flow
        flowing(1500, TrackEvent.SLICE_END, "", TrackEvent.FLOW_IDS, 5);
        flowing(1600, TrackEvent.SLICE_END, "", TrackEvent.TERMINATING_FLOW_IDS, 6); // of no slice
        assertThat(flows(read())).containsExactlyInAnyOrder("a -> b", "b -> c", "d -> c");
    }

    @Test
    void aDamagedEventAffectsNoOther() throws IOException {
        beginSequence();
        threadTrack();
        counterTrack(300, THREAD_TRACK, "counter", counter -> {});
        event(1000, TrackEvent.SLICE_BEGIN, 300, "a slice on a counter's track");
        event(1100, TrackEvent.COUNTER, 300, "");
        value(1200, THREAD_TRACK, 5);
        value(1250, 999, 5);
        int packet = packet(1300);
        int event = trace.begin(TracePacket.TRACK_EVENT);
        trace.varint(TrackEvent.TYPE, TrackEvent.INSTANT);
        trace.varint(TrackEvent.NAME_IID, 3);
        for (int flow = 0; flow < 1000; flow++) {
            trace.fixed64(TrackEvent.FLOW_IDS, flow);
        }
        trace.string(TrackEvent.FLOW_IDS, "packed");
        trace.varint(TrackEvent.CATEGORY_IIDS, 99);
        int message = trace.begin(TrackEvent.MESSAGE_QUEUE);
        trace.varint(AndroidMessageQueue.MESSAGE_DELAY_MS, -7);
        trace.end(message);
        trace.end(event);
        trace.end(packet);
        for (int depth = 0; depth < 600; depth++) {
            flowing(2000 + depth, TrackEvent.SLICE_BEGIN, "deep", TrackEvent.FLOW_IDS, 1);
        }
        Trace read = read();
        TraceInvariants.check(read);
        assertThat(read.skipped()).isEqualTo(new Trace.Skipped(4, 0));
        assertThat(read.warnings()).contains("skipped: 984 flows of events with too many flows");
        assertThat(read.flows().size())
                .isEqualTo(512); // from the mark to the outermost, and on to the deepest that is kept
        assertThat(read.queueEvents().size()).isEqualTo(1);
        assertThat(read.queueEvents().delayMs(0)).isEqualTo(-1);
        assertThat(read.queueEvents().sender(0)).isNull();
        assertThat(read.slices().category(read.queueEvents().slice(0))).isEmpty();
    }

    private static List<String> flows(Trace read) {
        List<String> rows = new ArrayList<>();
        for (int row = 0; row < read.flows().size(); row++) {
            rows.add(read.slices().name(read.flows().out(row)) + " -> "
                    + read.slices().name(read.flows().in(row)));
        }
        return rows;
    }

    private void counterTrack(long uuid, long parent, String name, Consumer<ProtoWriter> fields) {
        int packet = packet(900);
        int track = trace.begin(TracePacket.TRACK_DESCRIPTOR);
        trace.varint(TrackDescriptor.UUID, uuid);
        trace.varint(TrackDescriptor.PARENT_UUID, parent);
        trace.string(TrackDescriptor.STATIC_NAME, name);
        int counter = trace.begin(TrackDescriptor.COUNTER);
        fields.accept(trace);
        trace.end(counter);
        trace.end(track);
        trace.end(packet);
    }

    private void value(long ts, long track, long value) {
        int packet = packet(ts);
        int event = trace.begin(TracePacket.TRACK_EVENT);
        trace.varint(TrackEvent.TYPE, TrackEvent.COUNTER);
        trace.varint(TrackEvent.TRACK_UUID, track);
        trace.varint(TrackEvent.COUNTER_VALUE, value);
        trace.end(event);
        trace.end(packet);
    }

    private void flowing(long ts, int type, String name, int field, long flow) {
        int packet = packet(ts);
        int event = trace.begin(TracePacket.TRACK_EVENT);
        trace.varint(TrackEvent.TYPE, type);
        trace.string(TrackEvent.NAME, name);
        trace.fixed64(field, flow);
        trace.end(event);
        trace.end(packet);
    }

    /** The first packet: an interned name, and the default track, the thread's. */
    private void beginSequence() {
        int packet = packet(0);
        trace.varint(TracePacket.SEQUENCE_FLAGS, TracePacket.SEQ_INCREMENTAL_STATE_CLEARED);
        int data = trace.begin(TracePacket.INTERNED_DATA);
        int name = trace.begin(InternedData.EVENT_NAMES);
        trace.varint(InternedString.IID, 3);
        trace.string(InternedString.STR, "interned");
        trace.end(name);
        trace.end(data);
        int defaults = trace.begin(TracePacket.TRACE_PACKET_DEFAULTS);
        int event = trace.begin(TracePacketDefaults.TRACK_EVENT_DEFAULTS);
        trace.varint(TrackEventDefaults.TRACK_UUID, THREAD_TRACK);
        trace.end(event);
        trace.end(defaults);
        trace.end(packet);
    }

    private void threadTrack() {
        int packet = packet(900);
        int track = trace.begin(TracePacket.TRACK_DESCRIPTOR);
        trace.varint(TrackDescriptor.UUID, THREAD_TRACK);
        int thread = trace.begin(TrackDescriptor.THREAD);
        trace.varint(ThreadDescriptor.PID, 10);
        trace.varint(ThreadDescriptor.TID, 11);
        trace.string(ThreadDescriptor.THREAD_NAME, "worker");
        trace.end(thread);
        trace.end(track);
        trace.end(packet);
    }

    /** A track of the process and a child track without an owner of its own. */
    private void processTracks() {
        int packet = packet(900);
        int track = trace.begin(TracePacket.TRACK_DESCRIPTOR);
        trace.varint(TrackDescriptor.UUID, PROCESS_TRACK);
        int process = trace.begin(TrackDescriptor.PROCESS);
        trace.varint(ProcessDescriptor.PID, 10);
        trace.string(ProcessDescriptor.CMDLINE, "com.example");
        trace.end(process);
        trace.end(track);
        trace.end(packet);
        packet = packet(900);
        track = trace.begin(TracePacket.TRACK_DESCRIPTOR);
        trace.varint(TrackDescriptor.UUID, CHILD_TRACK);
        trace.varint(TrackDescriptor.PARENT_UUID, PROCESS_TRACK);
        trace.end(track);
        trace.end(packet);
    }

    private void event(long ts, int type, long track, String name) {
        int packet = packet(ts);
        int event = trace.begin(TracePacket.TRACK_EVENT);
        trace.varint(TrackEvent.TYPE, type);
        trace.varint(TrackEvent.TRACK_UUID, track);
        if (!name.isEmpty()) {
            trace.string(TrackEvent.NAME, name);
        }
        trace.end(event);
        trace.end(packet);
    }

    private int packet(long ts) {
        int packet = trace.begin(PacketFields.Trace.PACKET);
        trace.varint(TracePacket.TRUSTED_PACKET_SEQUENCE_ID, SEQUENCE);
        trace.varint(TracePacket.TIMESTAMP, ts);
        return packet;
    }

    private Trace read() throws IOException {
        return TraceReader.read(Files.write(folder.resolve("trace"), trace.toByteArray()));
    }

    private static List<String> rows(Trace read) {
        Slices slices = read.slices();
        List<String> rows = new ArrayList<>();
        for (int row = 0; row < slices.size(); row++) {
            String owner = slices.utid(row) >= 0
                    ? read.threads().name(slices.utid(row))
                    : slices.upid(row) >= 0 ? read.processes().name(slices.upid(row)) : "no owner";
            rows.add(slices.ts(row) + "+" + slices.dur(row) + " " + slices.name(row) + " depth " + slices.depth(row)
                    + " of " + owner);
        }
        return rows;
    }
}
