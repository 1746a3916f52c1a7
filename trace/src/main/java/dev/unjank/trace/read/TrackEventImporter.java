package dev.unjank.trace.read;

import dev.unjank.trace.TraceBuilder;
import dev.unjank.trace.proto.Fields.ProcessDescriptor;
import dev.unjank.trace.proto.Fields.ThreadDescriptor;
import dev.unjank.trace.proto.Fields.TrackDescriptor;
import dev.unjank.trace.proto.Fields.TrackEvent;
import dev.unjank.trace.proto.ProtoReader;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads track events, what programs with Perfetto's own library write: slices and marks on tracks. A track is a thread's, a
 * process's or nobody's, as its descriptor says. Counters, flows and arguments are passed over.
 */
final class TrackEventImporter {
    private final TraceBuilder builder;
    private final Skipped skipped;
    private final ProtoReader message = new ProtoReader();
    private final ProtoReader part = new ProtoReader();

    /** The builder's number of a track, by its uuid. */
    private final Map<Long, Integer> tracks = new HashMap<>();

    /** The process of a track, by its uuid, for tracks below it. */
    private final Map<Long, Integer> processes = new HashMap<>();

    TrackEventImporter(TraceBuilder builder, Skipped skipped) {
        this.builder = builder;
        this.skipped = skipped;
    }

    /** Takes the descriptor in a packet's current field. */
    void readDescriptor(ProtoReader packet, long ts) {
        long uuid = 0;
        long parent = 0;
        int pid = -1;
        int tid = -1;
        message.resetToField(packet);
        while (message.next()) {
            switch (message.field()) {
                case TrackDescriptor.UUID -> uuid = message.value();
                case TrackDescriptor.PARENT_UUID -> parent = message.value();
                case TrackDescriptor.PROCESS -> pid = process(ts);
                case TrackDescriptor.THREAD -> {
                    part.resetToField(message);
                    int name = -1;
                    while (part.next()) {
                        switch (part.field()) {
                            case ThreadDescriptor.PID -> pid = part.intValue();
                            case ThreadDescriptor.TID -> tid = part.intValue();
                            case ThreadDescriptor.THREAD_NAME -> name = text(part);
                            default -> {}
                        }
                    }
                    if (pid > 0 && tid > 0) {
                        builder.nameThread(ts, tid, pid, name);
                    }
                }
                default -> {}
            }
        }
        if (pid < 0) {
            pid = processes.getOrDefault(parent, -1);
        }
        processes.put(uuid, pid);
        if (!tracks.containsKey(uuid)) {
            tracks.put(uuid, builder.newTrack(tid, pid));
        }
    }

    private int process(long ts) {
        int pid = -1;
        int commandLine = -1;
        int name = -1;
        part.resetToField(message);
        while (part.next()) {
            switch (part.field()) {
                case ProcessDescriptor.PID -> pid = part.intValue();
                case ProcessDescriptor.CMDLINE -> commandLine = commandLine < 0 ? text(part) : commandLine;
                case ProcessDescriptor.PROCESS_NAME -> name = text(part);
                default -> {}
            }
        }
        if (pid > 0) {
            builder.process(ts, pid, 0, commandLine >= 0 ? commandLine : name);
        }
        return pid;
    }

    /** Takes the event in a packet's current field. */
    void readEvent(ProtoReader packet, long ts, Sequence sequence) {
        int type = 0;
        long uuid = sequence.defaultTrack();
        int name = -1;
        message.resetToField(packet);
        while (message.next()) {
            switch (message.field()) {
                case TrackEvent.TYPE -> type = message.intValue();
                case TrackEvent.TRACK_UUID -> uuid = message.value();
                case TrackEvent.NAME -> name = text(message);
                case TrackEvent.NAME_IID -> name = sequence.eventName(message.value());
                default -> {}
            }
        }
        if (name < 0) {
            name = builder.intern("");
        }
        switch (type) {
            case TrackEvent.SLICE_BEGIN -> builder.trackBegin(ts, track(uuid), name);
            case TrackEvent.SLICE_END -> builder.trackEnd(ts, track(uuid));
            case TrackEvent.INSTANT -> builder.trackInstant(ts, track(uuid), name);
            default -> skipped.packet(dev.unjank.trace.proto.Fields.TracePacket.TRACK_EVENT);
        }
    }

    private int track(long uuid) {
        Integer known = tracks.get(uuid);
        if (known != null) {
            return known;
        }
        int track = builder.newTrack(-1, -1);
        tracks.put(uuid, track);
        return track;
    }

    private int text(ProtoReader reader) {
        return builder.intern(reader.bytes(), reader.from(), reader.length());
    }
}
