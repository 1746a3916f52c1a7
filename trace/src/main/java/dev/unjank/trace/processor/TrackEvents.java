package dev.unjank.trace.processor;

import static dev.unjank.trace.processor.ProcessorTable.NULL;

import dev.unjank.trace.processor.EventTracks.Descriptor;
import dev.unjank.trace.processor.ProcessRows.NameSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Track events: slices, instants and counter values of programs. */
final class TrackEvents {
    private static final int BEGIN = 1;
    private static final int END = 2;
    private static final int INSTANT = 3;
    private static final int COUNTER = 4;
    private static final int MICROSECOND = 1000;
    private static final int FLOW_IN = 1;
    private static final int FLOW_OUT = 2;
    private static final String[] CHROME_TYPES = {
        "Unspecified", "Browser", "Renderer", "Utility", "Zygote", "SandboxHelper", "Gpu", "PpapiPlugin", "PpapiBroker"
    };

    private final ProcessorContext context;
    private final EventTracks tracks;
    private final Map<Long, Integer> flowEnds = new HashMap<>();

    /** A track event with its sequence's state. */
    record Event(
            ProtoFields fields,
            PacketSequence.Generation generation,
            long counterValue,
            long threadTime,
            long instructions) {}

    /** A descriptor to be read in time order. */
    record Described(
            long uuid,
            @Nullable ProtoFields process,
            @Nullable ProtoFields thread,
            @Nullable ProtoFields chrome) {}

    TrackEvents(ProcessorContext context) {
        this.context = context;
        tracks = new EventTracks(context);
    }

    Described descriptor(ProtoFields fields, PacketSequence.Generation generation, boolean firstPacket) {
        Descriptor descriptor = new Descriptor();
        descriptor.uuid = fields.number(1);
        descriptor.parent = fields.number(5);
        descriptor.firstPacket = firstPacket;
        descriptor.name = fields.has(10)
                ? fields.text(10)
                : fields.has(2) ? fields.text(2) : fields.has(13) ? fields.text(13) : null;
        descriptor.counter = fields.message(8);
        descriptor.mergeBehavior = fields.number(15);
        descriptor.mergeKey = fields.has(16) ? fields.text(16) : null;
        descriptor.childOrdering = fields.number(11);
        descriptor.hasSiblingRank = fields.has(12);
        descriptor.siblingRank = fields.number(12);
        descriptor.description = fields.has(14) ? fields.text(14) : null;
        ProtoFields process = fields.message(3);
        ProtoFields thread = fields.message(4);
        if (thread != null) {
            descriptor.pid = thread.number(1);
            descriptor.tid = thread.number(2);
            generation.pid = descriptor.pid;
            generation.tid = descriptor.tid;
        } else if (process != null) {
            descriptor.pid = process.number(1);
        }
        tracks.add(descriptor);
        return new Described(descriptor.uuid, process, thread, fields.message(6));
    }

    void processDescriptor(ProtoFields process, PacketSequence.Generation generation) {
        generation.pid = process.number(1);
        name(process);
    }

    void threadDescriptor(ProtoFields thread, PacketSequence.Generation generation) {
        generation.pid = thread.number(1);
        generation.tid = thread.number(2);
        generation.time = thread.number(6) * MICROSECOND;
        generation.threadTime = thread.number(7) * MICROSECOND;
        if (thread.has(5)) {
            int utid = context.processes.thread(thread.number(2), thread.number(1));
            context.processes.nameThread(utid, context.intern(thread.text(5)), NameSource.TRACK_DESCRIPTOR);
        }
    }

    /** Reads a descriptor in time order: creates its track and names its thread and process. */
    void described(Described descriptor) {
        tracks.track(descriptor.uuid);
        ProtoFields process = descriptor.process;
        if (process != null) {
            name(process);
            if (descriptor.chrome != null) {
                chrome(context.processes.process(process.number(1)), descriptor.chrome);
            }
        }
        ProtoFields thread = descriptor.thread;
        if (thread != null && thread.has(5)) {
            int utid = context.processes.thread(thread.number(2), thread.number(1));
            context.processes.nameThread(utid, context.intern(thread.text(5)), NameSource.TRACK_DESCRIPTOR);
        }
    }

    /** Names a process of Chrome by its type. */
    private void chrome(int upid, ProtoFields chrome) {
        ArgList args = context.args();
        int type = (int) chrome.number(1);
        if (type > 0 && type < CHROME_TYPES.length) {
            context.processes.nameProcessIfUnnamed(upid, context.intern(CHROME_TYPES[type]));
            args.string("chrome.process_type", CHROME_TYPES[type]);
        }
        if (chrome.has(4)) {
            args.string("chrome.host_app_package_name", chrome.text(4));
        }
        if (chrome.has(5)) {
            args.unsigned("chrome.crash_trace_id", chrome.number(5));
        }
        context.processes.addArgs(upid, args);
    }

    private void name(ProtoFields process) {
        int upid = context.processes.process(process.number(1));
        if (process.has(6) && !process.text(6).isEmpty()) {
            context.processes.nameProcessIfUnnamed(upid, context.intern(process.text(6)));
        }
        if (process.number(7) > 0) {
            context.processes.startIfUnknown(upid, process.number(7));
        }
        List<ProtoFields.Bytes> labels = process.all(8);
        if (!labels.isEmpty()) {
            ArgList args = context.args();
            for (int i = 0; i < labels.size(); i++) {
                args.add(
                        "chrome.process_label",
                        "chrome.process_label[" + i + "]",
                        ArgSets.Type.STRING,
                        context.intern(labels.get(i).text()));
            }
            context.processes.addArgs(upid, args);
        }
    }

    /** Resolves what depends on the order of packets: the time, and values that are differences. */
    void tokenize(ProtoFields packet, PacketSequence sequence, long ts, EventQueues queues, ClockRows clocks) {
        PacketSequence.Generation generation = sequence.generation;
        ProtoFields event = packet.message(11);
        if (event == null || ((packet.number(13) & 2) != 0 && !generation.valid)) {
            context.metadata.count("tokenizer_skipped_packets");
            return;
        }
        long time = ts;
        if (event.has(1)) {
            generation.time += event.number(1) * MICROSECOND;
            time = clocks.toTrace(3, sequence.id, generation.time);
        } else if (event.has(16)) {
            time = clocks.toTrace(3, sequence.id, event.number(16) * MICROSECOND);
        }
        long threadTime = NULL;
        if (event.has(2)) {
            generation.threadTime += event.number(2) * MICROSECOND;
            threadTime = generation.threadTime;
        } else if (event.has(17)) {
            threadTime = event.number(17) * MICROSECOND;
        }
        long instructions = NULL;
        long[] extra = counters(event, generation, 31);
        long[] values = event.numbers(12);
        List<Long> converted = new ArrayList<>();
        for (int i = 0; i < extra.length && i < values.length; i++) {
            Descriptor descriptor = tracks.descriptor(extra[i]);
            long value = descriptor == null ? values[i] : absolute(descriptor, values[i]);
            converted.add(value);
            ProtoFields counter = descriptor == null ? null : descriptor.counter;
            if (counter != null && counter.number(1) == 1) {
                threadTime = value;
            } else if (counter != null && counter.number(1) == 2) {
                instructions = value;
            }
        }
        long value = NULL;
        if (event.number(9) == COUNTER) {
            Descriptor descriptor = tracks.descriptor(uuid(event, generation));
            if (event.has(44)) {
                value = event.number(44);
            } else if (descriptor != null) {
                value = Double.doubleToRawLongBits(absolute(descriptor, event.number(30)));
            }
        }
        if (time != Long.MIN_VALUE) {
            queues.add(0, time, new Event(event, generation, value, threadTime, instructions), 0, 0);
        }
    }

    private static long absolute(Descriptor descriptor, long value) {
        ProtoFields counter = descriptor.counter;
        if (counter == null) {
            return value;
        }
        long multiplier = counter.has(4) ? counter.number(4) : 1;
        long scaled = value * multiplier;
        if (counter.number(5) != 0) {
            descriptor.counterSum += scaled;
            return (long) descriptor.counterSum;
        }
        return scaled;
    }

    private static long[] counters(ProtoFields event, PacketSequence.Generation generation, int field) {
        long[] own = event.numbers(field);
        ProtoFields defaults = generation.defaults == null ? null : generation.defaults.message(11);
        return own.length > 0 || defaults == null ? own : defaults.numbers(field);
    }

    private static long uuid(ProtoFields event, PacketSequence.Generation generation) {
        if (event.has(11)) {
            return event.number(11);
        }
        ProtoFields defaults = generation.defaults == null ? null : generation.defaults.message(11);
        return defaults == null ? 0 : defaults.number(11);
    }

    private static boolean hasUuid(ProtoFields event, PacketSequence.Generation generation) {
        ProtoFields defaults = generation.defaults == null ? null : generation.defaults.message(11);
        return event.has(11) || (defaults != null && defaults.has(11));
    }

    void event(long ts, Event event) {
        ProtoFields fields = event.fields;
        int category = category(fields, event.generation);
        int name = name(fields, event.generation);
        ProtoFields legacy = fields.message(6);
        long type = fields.number(9);
        if (type == COUNTER) {
            if (event.counterValue != NULL) {
                int track = tracks.track(uuid(fields, event.generation));
                context.counters.add(context.counters.rows(), ts, track, event.counterValue, NULL);
            }
            return;
        }
        if (type == 0 && legacy != null) {
            legacyEvent(ts, event, legacy, category, name);
            return;
        }
        int track = track(fields, event.generation);
        slice(ts, event, (int) type, track, category, name, null);
    }

    private int track(ProtoFields fields, PacketSequence.Generation generation) {
        if (hasUuid(fields, generation)) {
            return tracks.track(uuid(fields, generation));
        } else if (generation.tid >= 0) {
            return context.threadTrack(context.processes.thread(generation.tid, generation.pid));
        }
        return tracks.track(0);
    }

    private void slice(long ts, Event event, int type, int track, int category, int name, @Nullable String phase) {
        SliceRows.ArgsOf args = list -> arguments(event, list, track, phase);
        int slice = -1;
        switch (type) {
            case BEGIN -> {
                slice = context.slices.begin(ts, track, category, name, args);
                if (slice >= 0) {
                    context.slices.threadTime(slice, event.threadTime, event.instructions);
                }
            }
            case END -> {
                slice = context.slices.end(ts, track, category, name, args);
                if (slice >= 0) {
                    context.slices.threadTimeEnd(slice, event.threadTime, event.instructions);
                }
            }
            case INSTANT -> {
                slice = context.slices.complete(ts, track, category, name, 0, args);
                if (slice >= 0) {
                    context.slices.threadTime(slice, event.threadTime, event.instructions);
                    context.slices.threadDuration(
                            slice, event.threadTime == NULL ? NULL : 0, event.instructions == NULL ? NULL : 0);
                }
            }
            default -> {}
        }
        if (slice >= 0) {
            flows(event, slice);
        }
    }

    private void legacyEvent(long ts, Event event, ProtoFields legacy, int category, int name) {
        PacketSequence.Generation generation = event.generation;
        char phase = (char) legacy.number(2);
        int track = track(event.fields, generation);
        switch (phase) {
            case 'B' -> slice(ts, event, BEGIN, track, category, name, null);
            case 'E' -> slice(ts, event, END, track, category, name, null);
            case 'X' -> {
                long dur = legacy.number(3) * MICROSECOND;
                int slice = context.slices.complete(
                        ts, track, category, name, dur, args -> arguments(event, args, track, null));
                if (slice >= 0) {
                    context.slices.threadTime(slice, event.threadTime, event.instructions);
                    if (legacy.has(4)) {
                        context.slices.threadDuration(slice, legacy.number(4) * MICROSECOND, NULL);
                    }
                    flows(event, slice);
                }
            }
            case 'I', 'i', 'R' -> slice(ts, event, INSTANT, track, category, name, phase == 'R' ? "R" : null);
            case 'b', 'e', 'n', 'S', 'T', 'p', 'F' -> async(ts, event, legacy, phase, category, name);
            default -> {}
        }
    }

    private void async(long ts, Event event, ProtoFields legacy, char phase, int category, int name) {
        PacketSequence.Generation generation = event.generation;
        boolean local = legacy.has(10);
        long id = local ? legacy.number(10) : legacy.has(11) ? legacy.number(11) : legacy.number(6);
        String categoryName = category < 0 ? "" : context.strings.decode(category);
        String scope = legacy.has(7) ? legacy.text(7) : categoryName;
        long pid = generation.pid;
        int upid = pid < 0 ? -1 : context.processes.process(pid);
        ArgList dimensions = context.args();
        if (local && upid >= 0) {
            dimensions.integer("upid", upid);
        }
        String nameText = name < 0 ? "" : context.strings.decode(name);
        dimensions.string("scope", scope).string("name", nameText);
        ArgList source = context.args().string("source", "chrome").bool("trace_id_is_process_scoped", local);
        if (upid >= 0) {
            source.unsigned("upid", upid);
        }
        source.string("source_scope", scope);
        AsyncTracks.TrackSet set = context.asyncTracks.set(
                local ? "legacy_async_process_slice" : "legacy_async_global_slice", dimensions, name, source, NULL);
        SliceRows.ArgsOf args = list -> {
            list.integer("legacy_trace_source_id", id);
            arguments(event, list, -1, phase == 'b' || phase == 'e' ? null : String.valueOf(phase));
        };
        switch (phase) {
            case 'b', 'S' -> {
                int track = context.asyncTracks.begin(set, id, true, context.strings);
                context.slices.begin(ts, track, category, name, args);
            }
            case 'e', 'F' -> {
                int track = context.asyncTracks.end(set, id, context.strings);
                context.slices.end(ts, track, category, name, list -> arguments(event, list, -1, null));
            }
            case 'n' -> {
                int track = context.asyncTracks.begin(set, id, true, context.strings);
                context.asyncTracks.end(set, id, context.strings);
                context.slices.complete(ts, track, category, name, 0, args);
            }
            default -> {
                int track = context.asyncTracks.begin(set, id, true, context.strings);
                context.asyncTracks.end(set, id, context.strings);
                context.slices.complete(ts, track, category, name, 0, args);
            }
        }
    }

    private int category(ProtoFields event, PacketSequence.Generation generation) {
        List<String> names = new ArrayList<>();
        for (long iid : event.numbers(3)) {
            String name = generation.text(1, iid);
            if (name != null) {
                names.add(name);
            }
        }
        event.all(22).forEach(name -> names.add(name.text()));
        return names.isEmpty() ? -1 : context.intern(String.join(",", names));
    }

    private int name(ProtoFields event, PacketSequence.Generation generation) {
        ProtoFields legacy = event.message(6);
        long iid = event.has(10) ? event.number(10) : legacy == null ? 0 : legacy.number(1);
        if (iid != 0) {
            String name = generation.text(2, iid);
            return name == null ? -1 : context.intern(name);
        }
        return event.has(23) ? context.intern(event.text(23)) : -1;
    }

    private void arguments(Event event, ArgList args, int track, @Nullable String phase) {
        DebugAnnotations annotations = new DebugAnnotations(context, event.generation, args);
        for (ProtoFields.Bytes part : event.fields.all(4)) {
            annotations.read(part.fields());
        }
        new TypedArgs(context, event.generation, args).read(event.fields);
        if (event.generation.tid >= 0
                && (track < 0 || context.tracks.table.get(track, context.tracks.table.column("utid")) == NULL)
                && event.fields.has(6)) {
            args.unsigned(
                    "legacy_event.passthrough_utid",
                    context.processes.thread(event.generation.tid, event.generation.pid));
        }
        if (phase != null) {
            args.string("legacy_event.phase", phase);
        }
    }

    private void flows(Event event, int slice) {
        List<Long> ids = new ArrayList<>();
        addAll(ids, event.fields.numbers(47));
        addAll(ids, event.fields.numbers(36));
        for (long id : ids) {
            Integer last = flowEnds.put(id, slice);
            if (last != null) {
                context.flow(last, slice, id);
            }
        }
        ProtoFields legacy = event.fields.message(6);
        if (legacy != null && legacy.has(8)) {
            long direction = legacy.number(13);
            Integer last = flowEnds.get(legacy.number(8));
            if ((direction & FLOW_IN) != 0 && last != null) {
                context.flow(last, slice, legacy.number(8));
            }
            if ((direction & FLOW_OUT) != 0) {
                flowEnds.put(legacy.number(8), slice);
            }
        }
        List<Long> ending = new ArrayList<>();
        addAll(ending, event.fields.numbers(48));
        addAll(ending, event.fields.numbers(42));
        for (long id : ending) {
            Integer last = flowEnds.remove(id);
            if (last != null) {
                context.flow(last, slice, id);
            }
        }
    }

    private static void addAll(List<Long> target, long[] ids) {
        for (long id : ids) {
            target.add(id);
        }
    }
}
