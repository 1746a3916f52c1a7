package dev.unjank.trace.write;

import dev.unjank.trace.proto.PacketFields.Callstack;
import dev.unjank.trace.proto.PacketFields.Frame;
import dev.unjank.trace.proto.PacketFields.InternedData;
import dev.unjank.trace.proto.PacketFields.Mapping;
import dev.unjank.trace.proto.PacketFields.PerfSample;
import dev.unjank.trace.proto.PacketFields.TracePacket;
import dev.unjank.trace.proto.PacketFields.TracePacketDefaults;
import dev.unjank.trace.proto.ProtoWriter;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes stack samples like those of Perfetto's profiler, in a packet sequence that interns functions, files and
 * stacks. Some hundred thousand calls of them are kept in memory; then the sequence begins anew. The names may come
 * from a hostile program.
 */
public final class PerfSampleWriter {
    /** The maximum number of calls in the interned stacks and frames. */
    static final int MOST_CALLS = 1 << 18;

    private final TraceWriter writer;
    private final int sequence;
    private final TraceClock clock;
    private final Map<String, Integer> files = new HashMap<>();
    private final Map<Call, Integer> frames = new HashMap<>();
    private final Map<List<Call>, Integer> stacks = new HashMap<>();

    /** The interned data of the next packet. */
    private final ProtoWriter interned = new ProtoWriter();

    private final InternedStrings functions = new InternedStrings(interned, InternedData.FUNCTION_NAMES);
    private final InternedStrings pieces = new InternedStrings(interned, InternedData.MAPPING_PATHS);

    private boolean begun;

    /** The number of calls in the interned stacks and frames. */
    private int calls;

    PerfSampleWriter(TraceWriter writer, int sequence, TraceClock clock) {
        this.writer = writer;
        this.sequence = sequence;
        this.clock = clock;
    }

    /**
     * A call on a stack.
     *
     * @param function the function's name
     * @param file the path of its file, empty if unknown
     */
    public record Call(String function, String file) {}

    /**
     * Writes a sample of a running thread.
     *
     * @param ts the time in ns
     * @param cpu the CPU, -1 if unknown
     * @param pid its process
     * @param tid the thread
     * @param stack its calls, the outermost first; empty if unknown
     * @throws IOException if the stream fails
     */
    public void sample(long ts, int cpu, int pid, int tid, List<Call> stack) throws IOException {
        if (calls + stack.size() > MOST_CALLS) {
            forget();
        }
        int number = stack.isEmpty() ? 0 : stack(stack);
        ProtoWriter packet = writer.packet(sequence);
        packet.varint(TracePacket.TIMESTAMP, ts);
        if (!begun) {
            begun = true;
            packet.varint(
                    TracePacket.SEQUENCE_FLAGS,
                    TracePacket.SEQ_INCREMENTAL_STATE_CLEARED | TracePacket.SEQ_NEEDS_INCREMENTAL_STATE);
            int defaults = packet.begin(TracePacket.TRACE_PACKET_DEFAULTS);
            packet.varint(TracePacketDefaults.TIMESTAMP_CLOCK_ID, clock.id());
            packet.end(defaults);
        } else {
            packet.varint(TracePacket.SEQUENCE_FLAGS, TracePacket.SEQ_NEEDS_INCREMENTAL_STATE);
        }
        if (interned.size() > 0) {
            packet.message(TracePacket.INTERNED_DATA, interned);
            interned.clear();
        }
        int sample = packet.begin(TracePacket.PERF_SAMPLE);
        if (cpu >= 0) {
            packet.varint(PerfSample.CPU, cpu);
        }
        packet.varint(PerfSample.PID, pid);
        packet.varint(PerfSample.TID, tid);
        if (number > 0) {
            packet.varint(PerfSample.CALLSTACK_IID, number);
        }
        packet.end(sample);
        writer.write(packet);
    }

    /** Begins the sequence anew: readers forget what was interned as well. */
    private void forget() {
        begun = false;
        calls = 0;
        stacks.clear();
        frames.clear();
        files.clear();
        functions.clear();
        pieces.clear();
    }

    private int stack(List<Call> stack) {
        Integer known = stacks.get(stack);
        if (known != null) {
            return known;
        }
        int[] numbers = stack.stream().mapToInt(this::frame).toArray();
        int number = stacks.size() + 1;
        stacks.put(List.copyOf(stack), number);
        calls += stack.size();
        int entry = interned.begin(InternedData.CALLSTACKS);
        interned.varint(Callstack.IID, number);
        for (int frame : numbers) {
            interned.varint(Callstack.FRAME_IDS, frame);
        }
        interned.end(entry);
        return number;
    }

    private int frame(Call call) {
        Integer known = frames.get(call);
        if (known != null) {
            return known;
        }
        int function = functions.number(call.function);
        int file = file(call.file);
        int number = frames.size() + 1;
        frames.put(call, number);
        calls++;
        int entry = interned.begin(InternedData.FRAMES);
        interned.varint(Frame.IID, number);
        interned.varint(Frame.FUNCTION_NAME_ID, function);
        interned.varint(Frame.MAPPING_ID, file);
        interned.end(entry);
        return number;
    }

    /** Readers require a file for each frame; an unknown one is a file without a path. */
    private int file(String path) {
        Integer known = files.get(path);
        if (known != null) {
            return known;
        }
        String[] names = path.isEmpty()
                ? new String[0]
                : path.substring(path.startsWith("/") ? 1 : 0).split("/", -1);
        int[] parts = new int[names.length];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = pieces.number(names[i]);
        }
        int number = files.size() + 1;
        files.put(path, number);
        int entry = interned.begin(InternedData.MAPPINGS);
        interned.varint(Mapping.IID, number);
        for (int part : parts) {
            interned.varint(Mapping.PATH_STRING_IDS, part);
        }
        interned.end(entry);
        return number;
    }
}
