package dev.unjank.trace.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.scene.TraceInvariants;
import dev.unjank.trace.model.Counters;
import dev.unjank.trace.model.Flows;
import dev.unjank.trace.model.MessageQueueEvents;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.proto.PacketFields;
import dev.unjank.trace.proto.PacketFields.TracePacket;
import dev.unjank.trace.proto.ProtoReader;
import dev.unjank.trace.read.TraceReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the encoded track events, and reads them back. */
class TrackEventWriterRoundTripTest {
    private static final int PID = 10;
    private static final long UI = TrackWriter.ofThread(PID, 11);
    private static final long WORKER = TrackWriter.ofThread(PID, 12);

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    /** Field by field as encoded by Perfetto's own protobuf classes. */
    @Test
    void anEventIsEncodedAsPerfettoDoes() throws IOException {
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.PLAIN)) {
            TrackEventWriter events = writer.trackEvents(TraceClock.BOOTTIME, 300);
            events.begin(1000, 300, "mq", "run")
                    .flow(7)
                    .messageQueue("ui", "io", 2, 5)
                    .write();
            events.end(1001, 300).terminatingFlow(7).write();
        }
        String first = "5010" // trusted_packet_sequence_id: 16
                + "40e807" // timestamp: 1000
                + "6803" // sequence_flags: cleared, needed
                + "da0308d003065a0358ac02" // trace_packet_defaults: clock 6, track 300
                + "6211" // interned_data
                + "0a0608011202" + "6d71" // event_categories: 1 "mq"
                + "120708011203" + "72756e"; // event_names: 1 "run"
        String hex = HexFormat.of().formatHex(bytes.toByteArray());
        assertThat(hex).contains(first);
        assertThat(hex)
                .contains(
                        "5a1f" // track_event
                                + "4801" // type: begin
                                + "1801" // category_iids
                                + "5001" // name_iid
                                + "f9020700000000000000" // flow_ids: 7
                                + "a27d0c" // message_queue
                                + "0a027569" // sending_thread_name
                                + "1202696f" // receiving_thread_name
                                + "1802" // message_code
                                + "2005"); // message_delay_ms
        assertThat(hex)
                .endsWith("501040e90768025a0c" + "4802" + "81030700000000000000"); // type: end, terminating_flow_ids: 7
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void eventsRoundTrip(boolean compressed) throws IOException {
        try (TraceWriter writer = new TraceWriter(bytes, new WireFormat(true, compressed))) {
            writer.clockSnapshot(5_000, 1_000_000);
            TrackEventWriter events = events(writer);
            long depth = TrackWriter.ofCounter(UI, "depth");
            events.tracks().counter(100, UI, "depth", TrackWriter.Unit.COUNT);
            events.instant(1000, WORKER, "mq", "post")
                    .flow(77)
                    .messageQueue("worker", "ui", 3, 20)
                    .write();
            events.counter(1000, depth, 1);
            events.begin(2000, UI, "mq", "run")
                    .terminatingFlow(77)
                    .messageQueue("worker", "ui", 3, 20)
                    .write();
            events.begin(2100, UI, "app", "inner").write();
            events.end(2200, UI).write();
            events.counter(2300, depth, -4);
            events.end(2500, UI).write();
        }
        Trace trace = read();
        assertThat(rows(trace))
                .containsExactly("2000+500 mq:run of ui", "2100+100 app:inner of ui", "1000+0 mq:post of worker");
        Flows flows = trace.flows();
        assertThat(flows.size()).isEqualTo(1);
        assertThat(trace.slices().name(flows.out(0))).isEqualTo("post");
        assertThat(trace.slices().name(flows.in(0))).isEqualTo("run");
        assertThat(flows.first(flows.in(0))).isZero();
        assertThat(flows.end(flows.in(0))).isEqualTo(1);
        assertThat(flows.first(flows.out(0))).isEqualTo(flows.end(flows.out(0)));
        MessageQueueEvents messages = trace.queueEvents();
        assertThat(messages.size()).isEqualTo(2);
        int message = messages.find(flows.in(0));
        assertThat(messages.slice(message)).isEqualTo(flows.in(0));
        assertThat(messages.sender(message)).isEqualTo("worker");
        assertThat(messages.receiver(message)).isEqualTo("ui");
        assertThat(messages.code(message)).isEqualTo(3);
        assertThat(messages.delayMs(message)).isEqualTo(20);
        Counters counters = trace.counters();
        assertThat(counters.tracks()).isEqualTo(1);
        assertThat(counters.name(0)).isEqualTo("depth");
        assertThat(counters.unit(0)).isEqualTo("count");
        assertThat(trace.threads().name(counters.utid(0))).isEqualTo("ui");
        assertThat(trace.processes().pid(counters.upid(0))).isEqualTo(PID);
        assertThat(counters.value(counters.at(0, 2299))).isEqualTo(1);
        assertThat(counters.value(counters.at(0, 2300))).isEqualTo(-4);
        assertThat(trace.skipped()).isEqualTo(new Trace.Skipped(0, 0));
    }

    @Test
    void sequencesNumberTheirNamesEachForItself() throws IOException {
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.PLAIN)) {
            writer.clockSnapshot(5_000, 1_000_000);
            TrackEventWriter one = events(writer);
            TrackEventWriter other = writer.trackEvents(TraceClock.MONOTONIC, WORKER);
            one.instant(1000, UI, "a", "first").write();
            other.instant(1100, WORKER, "b", "second").write();
            one.instant(1200, UI, "b", "second").write();
            other.instant(1300, WORKER, "a", "first").write();
            one.instant(1400, WORKER, "a", "first").write();
        }
        assertThat(rows(read()))
                .containsExactly(
                        "1000+0 a:first of ui",
                        "1200+0 b:second of ui",
                        "1100+0 b:second of worker",
                        "1300+0 a:first of worker",
                        "1400+0 a:first of worker");
    }

    @Test
    void aNameIsWrittenOnceUntilTheNumberingStartsAfresh() throws IOException {
        int names = TrackEventSequence.MAX_INTERNED + 10;
        List<String> expected = new ArrayList<>();
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.PLAIN)) {
            writer.clockSnapshot(5_000, 1_000_000);
            TrackEventWriter events = events(writer);
            for (int i = 0; i < names; i++) {
                for (int twice = 0; twice < 2; twice++) {
                    events.instant(1000 + i, UI, "c", "name " + i).write();
                    expected.add(1000 + i + "+0 c:name " + i + " of ui");
                }
            }
            events.instant(9000, UI, "c", "name 0").write();
            expected.add("9000+0 c:name 0 of ui");
        }
        assertThat(rows(read())).isEqualTo(expected);
        assertThat(packets(TracePacket.INTERNED_DATA)).isEqualTo(names + 1);
        assertThat(packets(TracePacket.TRACE_PACKET_DEFAULTS)).isEqualTo(2);
    }

    @Test
    void aValueIsWrittenOnceUntilTheNumberingStartsAfresh() throws IOException {
        int values = TrackEventSequence.MAX_VALUES + 10;
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.PLAIN)) {
            writer.clockSnapshot(5_000, 1_000_000);
            TrackEventWriter events = events(writer);
            for (int i = 0; i < 2 * values; i++) {
                events.instant(1000 + i, UI, "c", "n")
                        .arg("key", "value " + i / 2)
                        .write();
            }
        }
        Trace trace = read();
        for (int i = 0; i < 2 * values; i++) {
            assertThat(trace.args().text(i, "debug.key")).isEqualTo("value " + i / 2);
        }
        assertThat(packets(TracePacket.INTERNED_DATA)).isEqualTo(values + 1);
        assertThat(packets(TracePacket.TRACE_PACKET_DEFAULTS)).isEqualTo(2);
    }

    @Test
    void eventsAfterAGapAreRead() throws IOException {
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.PLAIN)) {
            writer.clockSnapshot(5_000, 1_000_000);
            TrackEventWriter events = events(writer);
            events.instant(1000, UI, "c", "before").write();
            events.dataLoss();
            events.tracks().process(1500, 20, "other");
            events.instant(2000, UI, "c", "before").write();
        }
        Trace trace = read();
        assertThat(rows(trace)).containsExactly("1000+0 c:before of ui", "2000+0 c:before of ui");
        assertThat(trace.warnings()).anySatisfy(line -> assertThat(line).contains("lost"));
    }

    @Test
    void anEventIsWrittenOnceBeforeTheNextBegins() throws IOException {
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.PLAIN)) {
            TrackEventWriter events = events(writer);
            TrackEventWriter.Event event = events.begin(1, UI, "c", "n");
            assertThatThrownBy(() -> events.end(2, UI)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(events::dataLoss).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> events.tracks().process(1, 2, "p")).isInstanceOf(IllegalStateException.class);
            event.write();
            assertThatThrownBy(event::write).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void tracksDiffer() {
        assertThat(List.of(
                        TrackWriter.ofProcess(1),
                        TrackWriter.ofProcess(2),
                        TrackWriter.ofThread(1, 1),
                        TrackWriter.ofThread(1, 2),
                        TrackWriter.ofThread(2, 1),
                        TrackWriter.ofCounter(1, "a"),
                        TrackWriter.ofCounter(1, "b"),
                        TrackWriter.ofCounter(1, "ab"),
                        TrackWriter.ofCounter(1, "ba")))
                .doesNotHaveDuplicates();
    }

    private static TrackEventWriter events(TraceWriter writer) throws IOException {
        TrackEventWriter events = writer.trackEvents(TraceClock.MONOTONIC, UI);
        events.tracks().process(100, PID, "app");
        events.tracks().thread(100, PID, 11, "ui");
        events.tracks().thread(100, PID, 12, "worker");
        return events;
    }

    private int packets(int withField) {
        ProtoReader trace = new ProtoReader();
        ProtoReader packet = new ProtoReader();
        trace.reset(bytes.toByteArray(), 0, bytes.size());
        int count = 0;
        while (trace.next()) {
            assertThat(trace.field()).isEqualTo(PacketFields.Trace.PACKET);
            packet.resetToField(trace);
            while (packet.next()) {
                count += packet.field() == withField ? 1 : 0;
            }
        }
        return count;
    }

    private Trace read() throws IOException {
        Trace trace = TraceReader.read(Files.write(folder.resolve("trace"), bytes.toByteArray()));
        TraceInvariants.check(trace);
        return trace;
    }

    private static List<String> rows(Trace trace) {
        Slices slices = trace.slices();
        List<String> rows = new ArrayList<>();
        for (int row = 0; row < slices.size(); row++) {
            rows.add(slices.ts(row) + "+" + slices.dur(row) + " " + slices.category(row) + ":" + slices.name(row)
                    + " of " + trace.threads().name(slices.utid(row)));
        }
        return rows;
    }
}
