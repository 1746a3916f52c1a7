package dev.unjank.query.tables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.query.QueryTestSession;
import dev.unjank.query.result.QueryException;
import dev.unjank.trace.proto.PacketFields.AndroidSystemProperty;
import dev.unjank.trace.proto.PacketFields.PropertyValue;
import dev.unjank.trace.proto.PacketFields.Trace;
import dev.unjank.trace.proto.PacketFields.TracePacket;
import dev.unjank.trace.proto.ProtoWriter;
import dev.unjank.trace.proto.TrackEventFields.CounterDescriptor;
import dev.unjank.trace.proto.TrackEventFields.ProcessDescriptor;
import dev.unjank.trace.proto.TrackEventFields.ThreadDescriptor;
import dev.unjank.trace.proto.TrackEventFields.TrackDescriptor;
import dev.unjank.trace.proto.TrackEventFields.TrackEvent;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names of tracks that have no thread. */
class TrackNameTest {
    private final ProtoWriter trace = new ProtoWriter();
    private long ts;

    @TempDir
    private Path folder;

    private void packet(int content, Consumer<ProtoWriter> fields) {
        int packet = trace.begin(Trace.PACKET);
        trace.varint(TracePacket.TIMESTAMP, ++ts);
        part(content, fields);
        trace.end(packet);
    }

    private void part(int field, Consumer<ProtoWriter> fields) {
        int part = trace.begin(field);
        fields.accept(trace);
        trace.end(part);
    }

    private void descriptor(int uuid, Consumer<ProtoWriter> fields) {
        packet(TracePacket.TRACK_DESCRIPTOR, descriptor -> {
            descriptor.varint(TrackDescriptor.UUID, uuid);
            fields.accept(descriptor);
        });
    }

    private void named(int uuid, String name) {
        descriptor(uuid, descriptor -> descriptor.string(TrackDescriptor.NAME, name));
    }

    private void mark(int uuid, String name) {
        packet(TracePacket.TRACK_EVENT, event -> {
            event.varint(TrackEvent.TYPE, TrackEvent.INSTANT);
            event.varint(TrackEvent.TRACK_UUID, uuid);
            event.string(TrackEvent.NAME, name);
        });
    }

    private void answers(String... rows) throws QueryException, IOException {
        answer(
                "SELECT track.name, slice.name FROM slice JOIN track ON track.id = slice.track_id ORDER BY slice.ts",
                rows);
    }

    private void answer(String question, String... rows) throws QueryException, IOException {
        Path file = Files.write(folder.resolve("t.pftrace"), trace.toByteArray());
        try (QueryTestSession session = QueryTestSession.of(TraceReader.read(file))) {
            List<String> lines = session.result(question);
            assertThat(lines.subList(1, lines.size())).containsExactly(rows);
        }
    }

    @Test
    void nameOfTheDescriptorOrOfTheFirstEvent() throws QueryException, IOException {
        named(1, "queue");
        mark(1, "a");
        mark(2, "b");
        mark(2, "c");
        mark(0, "d");
        descriptor(3, descriptor -> {
            int process = descriptor.begin(TrackDescriptor.PROCESS);
            descriptor.varint(ProcessDescriptor.PID, 10);
            descriptor.end(process);
        });
        mark(3, "e");
        answers("\"queue\",\"a\"", "\"b\",\"b\"", "\"b\",\"c\"", "\"Default Track\",\"d\"", "\"[NULL]\",\"e\"");
    }

    @Test
    void theFirstNameRemains() throws QueryException, IOException {
        named(1, "first");
        mark(1, "a");
        named(1, "second");
        mark(2, "b");
        named(2, "late");
        answers("\"first\",\"a\"", "\"late\",\"b\"");
    }

    @Test
    void aTrackThatIsNotMergedTakesTheLastName() throws QueryException, IOException {
        for (String name : List.of("first", "last")) {
            descriptor(1, descriptor -> {
                descriptor.string(TrackDescriptor.NAME, name);
                descriptor.varint(TrackDescriptor.SIBLING_MERGE_BEHAVIOR, TrackDescriptor.SIBLING_MERGE_BEHAVIOR_NONE);
            });
            mark(1, "a");
        }
        answers("\"last\",\"a\"", "\"last\",\"a\"");
    }

    @Test
    void anEventWithoutATrackIsOnTheSequencesThread() throws QueryException, IOException {
        descriptor(4, descriptor -> {
            int thread = descriptor.begin(TrackDescriptor.THREAD);
            descriptor.varint(ThreadDescriptor.PID, 10);
            descriptor.varint(ThreadDescriptor.TID, 11);
            descriptor.end(thread);
        });
        packet(TracePacket.TRACK_EVENT, event -> {
            event.varint(TrackEvent.TYPE, TrackEvent.INSTANT);
            event.string(TrackEvent.NAME, "a");
        });
        mark(0, "b");
        answers("\"[NULL]\",\"a\"", "\"Default Track\",\"b\"");
    }

    @Test
    void countersOfThreadsHaveTheNameOfTheirType() throws QueryException, IOException {
        for (int type = 1; type <= 2; type++) {
            int builtIn = type;
            descriptor(type, descriptor -> {
                int counter = descriptor.begin(TrackDescriptor.COUNTER);
                descriptor.varint(CounterDescriptor.TYPE, builtIn);
                descriptor.end(counter);
            });
            packet(TracePacket.TRACK_EVENT, event -> {
                event.varint(TrackEvent.TYPE, TrackEvent.COUNTER);
                event.varint(TrackEvent.TRACK_UUID, builtIn);
                event.varint(TrackEvent.COUNTER_VALUE, 5);
            });
        }
        answer(
                "SELECT name, value FROM counter JOIN counter_track AS track ON track.id = track_id ORDER BY name",
                "\"thread_instruction_count\",5.0",
                "\"thread_time\",5.0");
    }

    @Test
    void statesOfTheDevice() throws QueryException, IOException {
        packet(
                TracePacket.ANDROID_SYSTEM_PROPERTY,
                _ -> part(AndroidSystemProperty.VALUES, property -> {
                    property.string(PropertyValue.NAME, "debug.tracing.device_state");
                    property.string(PropertyValue.VALUE, "FOLDED");
                }));
        answers("\"DeviceStateChanged\",\"FOLDED\"");
    }
}
