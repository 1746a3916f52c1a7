package dev.unjank.trace.read.perfetto;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.proto.ProtoReader;
import dev.unjank.trace.proto.ThreadLife;
import dev.unjank.trace.proto.TrackEventFields.CounterDescriptor;
import dev.unjank.trace.proto.TrackEventFields.ProcessDescriptor;
import dev.unjank.trace.proto.TrackEventFields.ThreadDescriptor;
import dev.unjank.trace.proto.TrackEventFields.TrackDescriptor;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tracks of track events, by uuid: a track belongs to a thread, to a process or to neither, and contains slices
 * or the values of a counter. A child track without a process of its own belongs to its parent's process; such a child
 * counter track also belongs to its parent's thread.
 */
final class TrackDescriptors {
    private static final int MAX_DESCRIPTION = 100;

    private final TraceBuilder builder;
    private final ProtoReader message = new ProtoReader();
    private final ProtoReader part = new ProtoReader();
    /** The name of the track of events that have none. */
    private static final String DEFAULT_TRACK = "Default Track";

    private final Map<Long, Track> tracks = new HashMap<>();

    /** The track used last, usually that of the next event, too; null after a new descriptor. */
    private @Nullable Track recent;

    private long recentUuid;

    // The current descriptor.
    private int pid;
    private int tid;
    private int name;
    private boolean isCounter;
    private int kind;
    private int unit;
    private long unitMultiplier;
    private boolean isIncremental;
    private boolean isThread;
    private int threadName;
    private @Nullable ThreadLife life;

    TrackDescriptors(TraceBuilder builder) {
        this.builder = builder;
    }

    /**
     * A track; its thread is -1 for none, its process -1 if unknown. Its first name remains, unless it is never merged
     * with its siblings.
     */
    record Track(
            int number,
            int tid,
            int pid,
            boolean isCounter,
            long unitMultiplier,
            boolean isIncremental,
            boolean isNamed) {}

    /** The track of a uuid; without a descriptor it is a track of slices without a process. */
    Track track(long uuid) {
        Track track = recent;
        if (track == null || uuid != recentUuid) {
            track = find(uuid);
            recent = track;
            recentUuid = uuid;
        }
        return track;
    }

    private Track find(long uuid) {
        Track known = tracks.get(uuid);
        if (known != null) {
            return known;
        }
        Track track = new Track(
                builder.tracks().newTrack(-1, -1, uuid == 0 ? builder.intern(DEFAULT_TRACK) : -1),
                -1,
                -1,
                false,
                1,
                false,
                uuid == 0);
        tracks.put(uuid, track);
        return track;
    }

    /** Reads the descriptor in a packet's current field. */
    void read(ProtoReader packet, long ts, PacketSequence sequence) {
        long uuid = 0;
        long parent = 0;
        boolean ofProcess = false;
        boolean isAlone = false;
        pid = -1;
        tid = -1;
        name = -1;
        isCounter = false;
        life = null;
        isThread = false;
        message.resetToField(packet);
        while (message.next()) {
            switch (message.field()) {
                case TrackDescriptor.UUID -> uuid = message.value();
                case TrackDescriptor.PARENT_UUID -> parent = message.value();
                case TrackDescriptor.NAME, TrackDescriptor.STATIC_NAME -> name = text(message);
                case TrackDescriptor.PROCESS -> {
                    ofProcess = true;
                    process(ts);
                }
                case TrackDescriptor.THREAD -> thread();
                case TrackDescriptor.DESCRIPTION -> life = ThreadLife.parse(message.string(MAX_DESCRIPTION));
                case TrackDescriptor.COUNTER -> counter();
                case TrackDescriptor.SIBLING_MERGE_BEHAVIOR ->
                    isAlone = message.intValue() == TrackDescriptor.SIBLING_MERGE_BEHAVIOR_NONE;
                default -> {}
            }
        }
        if (tid >= 0) {
            sequence.threadTrack = uuid;
        }
        if (isThread && pid > 0 && tid > 0) {
            addThread(ts);
        }
        Track above = tracks.get(parent);
        if (pid < 0 && above != null) {
            pid = above.pid;
            tid = isCounter && tid < 0 ? above.tid : tid;
        }
        Track known = tracks.get(uuid);
        int number;
        if (known != null && known.isCounter == isCounter) {
            number = known.number;
            if (name >= 0 && !isCounter && (!known.isNamed || isAlone)) {
                builder.tracks().nameTrack(number, name);
            }
        } else if (isCounter) {
            number = builder.tracks().newCounterTrack(tid, pid, name < 0 ? kind : name, unit);
        } else {
            number = builder.tracks().newTrack(tid, pid, name < 0 && ofProcess ? builder.intern("") : name);
        }
        boolean isNamed = name >= 0 || (known != null && known.isNamed);
        tracks.put(uuid, new Track(number, tid, pid, isCounter, unitMultiplier, isIncremental, isNamed));
        recent = null;
    }

    private void process(long ts) {
        int commandLine = -1;
        int processName = -1;
        boolean isJvm = false;
        boolean hasOnlyWakeups = false;
        part.resetToField(message);
        while (part.next()) {
            switch (part.field()) {
                case ProcessDescriptor.PID -> pid = part.intValue();
                case ProcessDescriptor.CMDLINE -> commandLine = commandLine < 0 ? text(part) : commandLine;
                case ProcessDescriptor.PROCESS_NAME -> processName = text(part);
                case ProcessDescriptor.PROCESS_LABELS -> {
                    int label = text(part);
                    isJvm |= label == builder.intern(ProcessDescriptor.LABEL_JVM);
                    hasOnlyWakeups |= label == builder.intern(ProcessDescriptor.LABEL_WAKEUPS);
                }
                default -> {}
            }
        }
        if (pid > 0) {
            if (hasOnlyWakeups) {
                builder.kernel().wakeupsOnlyOf(pid);
            }
            int called = commandLine >= 0 ? commandLine : processName;
            if (isJvm) {
                builder.kernel().javaProcess(ts, pid, called);
            } else {
                builder.kernel().process(ts, pid, 0, called);
            }
        }
    }

    /** A conversion of unjank has the start and the end of a thread, of the packet's clock. */
    private void addThread(long ts) {
        ThreadLife its = life;
        if (its != null && its.starts()) {
            builder.kernel().threadStart(ts, tid, pid, threadName);
        } else {
            builder.kernel().nameThread(ts, tid, pid, threadName);
        }
        if (its != null && its.endAfterNs() >= 0 && its.endAfterNs() <= Long.MAX_VALUE - ts) {
            builder.kernel().threadEnd(ts + its.endAfterNs(), tid, pid);
        }
    }

    private void thread() {
        isThread = true;
        threadName = -1;
        part.resetToField(message);
        while (part.next()) {
            switch (part.field()) {
                case ThreadDescriptor.PID -> pid = part.intValue();
                case ThreadDescriptor.TID -> tid = part.intValue();
                case ThreadDescriptor.THREAD_NAME -> threadName = text(part);
                default -> {}
            }
        }
    }

    private void counter() {
        isCounter = true;
        unit = -1;
        kind = builder.intern("");
        unitMultiplier = 1;
        isIncremental = false;
        part.resetToField(message);
        while (part.next()) {
            switch (part.field()) {
                case CounterDescriptor.TYPE -> kind = kind(part.intValue());
                case CounterDescriptor.UNIT -> unit = unit < 0 ? unit(part.intValue()) : unit;
                case CounterDescriptor.UNIT_NAME -> unit = text(part);
                case CounterDescriptor.UNIT_MULTIPLIER -> unitMultiplier = part.value();
                case CounterDescriptor.IS_INCREMENTAL -> isIncremental = part.boolValue();
                default -> {}
            }
        }
    }

    /** The name of a counter without one. */
    private int kind(int number) {
        return builder.intern(
                switch (number) {
                    case CounterDescriptor.THREAD_TIME_NS -> "thread_time";
                    case CounterDescriptor.THREAD_INSTRUCTION_COUNT -> "thread_instruction_count";
                    default -> "";
                });
    }

    private int unit(int number) {
        return switch (number) {
            case CounterDescriptor.TIME_NS -> builder.intern("ns");
            case CounterDescriptor.COUNT -> builder.intern("count");
            case CounterDescriptor.SIZE_BYTES -> builder.intern("bytes");
            default -> -1;
        };
    }

    private int text(ProtoReader reader) {
        return builder.intern(reader.bytes(), reader.from(), reader.length());
    }
}
