package dev.unjank.trace.read.perfetto;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.scene.TraceInvariants;
import dev.unjank.trace.model.Args;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.proto.PacketFields;
import dev.unjank.trace.proto.PacketFields.InternedData;
import dev.unjank.trace.proto.PacketFields.InternedString;
import dev.unjank.trace.proto.PacketFields.TracePacket;
import dev.unjank.trace.proto.PacketFields.TracePacketDefaults;
import dev.unjank.trace.proto.ProtoWriter;
import dev.unjank.trace.proto.TrackEventFields.CounterDescriptor;
import dev.unjank.trace.proto.TrackEventFields.DebugAnnotation;
import dev.unjank.trace.proto.TrackEventFields.LegacyEvent;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Details of track events: annotations, extra counter values, and legacy events. */
class TrackEventDetailsTest {
    private static final int THREAD = 100;
    private static final int COUNTER = 200;
    private static final int REAL_COUNTER = 201;

    private final ProtoWriter trace = new ProtoWriter();

    @TempDir
    private Path dir;

    @BeforeEach
    void beginSequence() {
        packet(0, () -> {
            trace.varint(TracePacket.SEQUENCE_FLAGS, TracePacket.SEQ_INCREMENTAL_STATE_CLEARED);
            message(TracePacket.INTERNED_DATA, () -> {
                interned(InternedData.EVENT_NAMES, 1, "old");
                interned(InternedData.DEBUG_ANNOTATION_NAMES, 1, "url");
                interned(InternedData.DEBUG_ANNOTATION_STRING_VALUES, 1, "http://x");
            });
            message(
                    TracePacket.TRACE_PACKET_DEFAULTS,
                    () -> message(TracePacketDefaults.TRACK_EVENT_DEFAULTS, () -> {
                        trace.varint(TrackEventDefaults.TRACK_UUID, THREAD);
                        trace.varint(TrackEventDefaults.EXTRA_COUNTER_TRACK_UUIDS, COUNTER);
                        trace.varint(TrackEventDefaults.EXTRA_DOUBLE_COUNTER_TRACK_UUIDS, REAL_COUNTER);
                    }));
        });
        descriptor(
                THREAD,
                () -> message(TrackDescriptor.THREAD, () -> {
                    trace.varint(ThreadDescriptor.PID, 10);
                    trace.varint(ThreadDescriptor.TID, 11);
                }));
        descriptor(COUNTER, () -> {
            trace.string(TrackDescriptor.NAME, "cpu time");
            message(TrackDescriptor.COUNTER, () -> trace.varint(CounterDescriptor.IS_INCREMENTAL, 1));
        });
        descriptor(REAL_COUNTER, () -> {
            trace.string(TrackDescriptor.NAME, "share");
            message(TrackDescriptor.COUNTER, () -> {});
        });
    }

    private void interned(int field, long iid, String text) {
        message(field, () -> {
            trace.varint(InternedString.IID, iid);
            trace.string(InternedString.STR, text);
        });
    }

    private void packet(long ts, Runnable content) {
        int packet = trace.begin(PacketFields.Trace.PACKET);
        trace.varint(TracePacket.TIMESTAMP, ts);
        trace.varint(TracePacket.TRUSTED_PACKET_SEQUENCE_ID, 7);
        content.run();
        trace.end(packet);
    }

    private void message(int field, Runnable content) {
        int message = trace.begin(field);
        content.run();
        trace.end(message);
    }

    private void descriptor(long uuid, Runnable content) {
        packet(
                0,
                () -> message(TracePacket.TRACK_DESCRIPTOR, () -> {
                    trace.varint(TrackDescriptor.UUID, uuid);
                    content.run();
                }));
    }

    private void event(long ts, int type, String name, Runnable content) {
        packet(
                ts,
                () -> message(TracePacket.TRACK_EVENT, () -> {
                    if (type != 0) {
                        trace.varint(TrackEvent.TYPE, type);
                    }
                    if (!name.isEmpty()) {
                        trace.string(TrackEvent.NAME, name);
                    }
                    content.run();
                }));
    }

    private Trace read() throws IOException {
        Trace read = TraceReader.read(Files.write(dir.resolve("t"), trace.toByteArray()));
        TraceInvariants.check(read);
        return read;
    }

    private static List<String> args(Trace trace, int slice) {
        List<String> rows = new ArrayList<>();
        for (int row = trace.args().first(slice); row < trace.args().end(slice); row++) {
            Args.Type type = trace.args().type(row);
            String text = trace.args().text(row);
            rows.add(trace.args().key(row) + "=" + type.text() + ":"
                    + (text == null ? trace.args().value(row) : text));
        }
        return rows;
    }

    @Test
    void annotationsAreArgs() throws IOException {
        event(1000, TrackEvent.SLICE_BEGIN, "outer", () -> {
            message(TrackEvent.DEBUG_ANNOTATIONS, () -> {
                trace.varint(DebugAnnotation.NAME_IID, 1);
                trace.varint(DebugAnnotation.STRING_VALUE_IID, 1);
            });
            message(TrackEvent.DEBUG_ANNOTATIONS, () -> {
                trace.string(DebugAnnotation.NAME, "request");
                message(DebugAnnotation.DICT_ENTRIES, () -> {
                    trace.string(DebugAnnotation.NAME, "sizes");
                    message(DebugAnnotation.ARRAY_VALUES, () -> trace.varint(DebugAnnotation.INT_VALUE, -4));
                    message(DebugAnnotation.ARRAY_VALUES, () -> trace.varint(DebugAnnotation.UINT_VALUE, 5));
                });
                message(DebugAnnotation.DICT_ENTRIES, () -> {
                    trace.string(DebugAnnotation.NAME, "ok");
                    trace.varint(DebugAnnotation.BOOL_VALUE, 1);
                });
            });
        });
        event(
                1100,
                TrackEvent.INSTANT,
                "mark",
                () -> message(TrackEvent.DEBUG_ANNOTATIONS, () -> {
                    trace.string(DebugAnnotation.NAME, "old");
                    message(DebugAnnotation.NESTED_VALUE, () -> {
                        trace.string(DebugAnnotation.NESTED_DICT_KEYS, "a");
                        trace.string(DebugAnnotation.NESTED_DICT_KEYS, "b");
                        message(
                                DebugAnnotation.NESTED_DICT_VALUES,
                                () -> trace.varint(DebugAnnotation.NESTED_INT_VALUE, 3));
                        message(
                                DebugAnnotation.NESTED_DICT_VALUES,
                                () -> trace.string(DebugAnnotation.NESTED_STRING_VALUE, "x"));
                    });
                }));
        event(
                1200,
                TrackEvent.SLICE_END,
                "",
                () -> message(TrackEvent.DEBUG_ANNOTATIONS, () -> {
                    trace.string(DebugAnnotation.NAME, "at end");
                    trace.varint(DebugAnnotation.POINTER_VALUE, 0x10);
                }));
        Trace read = read();
        assertThat(args(read, 0))
                .containsExactly(
                        "debug.url=string:http://x",
                        "debug.request.sizes[0]=int:-4",
                        "debug.request.sizes[1]=uint:5",
                        "debug.request.ok=bool:1",
                        "debug.at end=pointer:16");
        assertThat(args(read, 1)).containsExactly("debug.old.a=int:3", "debug.old.b=string:x");
        assertThat(read.args().number(0, "debug.request.ok", 7)).isEqualTo(1);
        assertThat(read.args().number(1, "debug.request.ok", 7)).isEqualTo(7);
    }

    @Test
    void endlessNestingIsTruncated() throws IOException {
        event(1000, TrackEvent.INSTANT, "deep", () -> deep(100));
        assertThat(read().args().size()).isZero();
    }

    private void deep(int levels) {
        message(levels == 100 ? TrackEvent.DEBUG_ANNOTATIONS : DebugAnnotation.DICT_ENTRIES, () -> {
            trace.string(DebugAnnotation.NAME, "n");
            if (levels > 0) {
                deep(levels - 1);
            } else {
                trace.varint(DebugAnnotation.INT_VALUE, 1);
            }
        });
    }

    @Test
    void countersComeAlongWithSlices() throws IOException {
        event(1000, TrackEvent.SLICE_BEGIN, "slice", () -> {
            trace.varint(TrackEvent.EXTRA_COUNTER_VALUES, 100);
            trace.fixed64(TrackEvent.EXTRA_DOUBLE_COUNTER_VALUES, Double.doubleToRawLongBits(7.4));
        });
        event(1100, TrackEvent.SLICE_END, "", () -> trace.varint(TrackEvent.EXTRA_COUNTER_VALUES, 30));
        Trace read = read();
        List<String> values = new ArrayList<>();
        for (int track = 0; track < read.counters().tracks(); track++) {
            for (int row = read.counters().first(track); row < read.counters().end(track); row++) {
                values.add(read.counters().name(track) + " " + read.counters().value(row));
            }
        }
        assertThat(values).containsExactlyInAnyOrder("cpu time 100", "cpu time 130", "share 7");
    }

    private void legacy(long ts, char phase, String name, long id, long durationUs) {
        event(
                ts,
                0,
                name,
                () -> message(TrackEvent.LEGACY_EVENT, () -> {
                    if (name.isEmpty()) {
                        trace.varint(LegacyEvent.NAME_IID, 1);
                    }
                    trace.varint(LegacyEvent.PHASE, phase);
                    if (id > 0) {
                        trace.varint(LegacyEvent.LOCAL_ID, id);
                    }
                    trace.varint(LegacyEvent.DURATION_US, durationUs);
                }));
    }

    @Test
    void eventsOfTheTimeBeforeTracksAreSlices() throws IOException {
        legacy(1000, 'b', "load", 1, 0);
        legacy(1050, 'b', "load", 2, 0);
        legacy(1100, 'n', "step", 1, 0);
        legacy(2000, 'X', "", 0, 3);
        legacy(1200, 'e', "load", 1, 0);
        legacy(1300, 'e', "load", 2, 0);
        legacy(6000, 'I', "mark", 0, 0);
        legacy(7000, 'O', "object", 9, 0);
        Trace read = read();
        List<String> rows = new ArrayList<>();
        Slices slices = read.slices();
        for (int row = 0; row < slices.size(); row++) {
            rows.add(slices.name(row) + " " + slices.ts(row) + "+" + slices.dur(row) + " depth " + slices.depth(row)
                    + (row < slices.firstAsync() ? " of the thread" : ""));
        }
        assertThat(rows)
                .containsExactly(
                        "old 2000+3000 depth 0 of the thread",
                        "mark 6000+0 depth 0 of the thread",
                        "load 1000+200 depth 0",
                        "load 1050+250 depth 0",
                        "step 1100+0 depth 1");
        assertThat(read.skipped().packets()).isEqualTo(1);
    }

    private void monotonic(long ts, String name) {
        int packet = trace.begin(PacketFields.Trace.PACKET);
        trace.varint(TracePacket.TIMESTAMP, ts);
        trace.varint(TracePacket.TIMESTAMP_CLOCK_ID, PacketFields.BuiltinClock.MONOTONIC);
        trace.varint(TracePacket.TRUSTED_PACKET_SEQUENCE_ID, 7);
        message(TracePacket.TRACK_EVENT, () -> {
            trace.varint(TrackEvent.TYPE, TrackEvent.INSTANT);
            trace.string(TrackEvent.NAME, name);
        });
        trace.end(packet);
    }

    private void snapshot(long monotonic, long boot) {
        int packet = trace.begin(PacketFields.Trace.PACKET);
        message(TracePacket.CLOCK_SNAPSHOT, () -> {
            clock(PacketFields.BuiltinClock.MONOTONIC, monotonic);
            clock(PacketFields.BuiltinClock.BOOTTIME, boot);
        });
        trace.end(packet);
    }

    private void clock(int id, long time) {
        message(PacketFields.ClockSnapshot.CLOCKS, () -> {
            trace.varint(PacketFields.Clock.CLOCK_ID, id);
            trace.varint(PacketFields.Clock.TIMESTAMP, time);
        });
    }

    @Test
    void packetsBeforeTheFirstSnapshotAreDeferred() throws IOException {
        monotonic(5000, "early");
        event(16_000, TrackEvent.INSTANT, "behind it", () -> {});
        snapshot(5000, 15_000);
        monotonic(7000, "late");
        Trace read = read();
        List<String> rows = new ArrayList<>();
        for (int row = 0; row < read.slices().size(); row++) {
            rows.add(read.slices().name(row) + " " + read.slices().ts(row));
        }
        assertThat(rows).containsExactly("early 15000", "behind it 16000", "late 17000");
        assertThat(read.warnings()).isEmpty();
    }

    @Test
    void withoutASnapshotOtherClocksAreSkipped() throws IOException {
        monotonic(5000, "early");
        event(16_000, TrackEvent.INSTANT, "on the boot clock", () -> {});
        Trace read = read();
        assertThat(read.slices().size()).isEqualTo(1);
        assertThat(read.warnings()).singleElement().asString().contains("skipped: 1 ", "with an unknown clock");
    }
}
