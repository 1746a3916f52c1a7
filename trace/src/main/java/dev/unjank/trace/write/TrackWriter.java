package dev.unjank.trace.write;

import dev.unjank.trace.proto.PacketFields.TracePacket;
import dev.unjank.trace.proto.ProtoWriter;
import dev.unjank.trace.proto.TrackEventFields.CounterDescriptor;
import dev.unjank.trace.proto.TrackEventFields.ProcessDescriptor;
import dev.unjank.trace.proto.TrackEventFields.ThreadDescriptor;
import dev.unjank.trace.proto.TrackEventFields.TrackDescriptor;
import java.io.IOException;

/**
 * Writes the descriptions of the tracks of {@link TrackEventWriter}: of processes, of threads, of counters, and
 * custom ones.
 *
 * <p>A track's id is derived from what it describes, so that it is the same in all sequences, and in traces that are
 * concatenated.
 */
public final class TrackWriter {
    /** The units of counters. */
    public enum Unit {
        /** A number of things. */
        COUNT(CounterDescriptor.COUNT),
        /** Nanoseconds. */
        TIME_NS(CounterDescriptor.TIME_NS),
        /** Bytes. */
        SIZE_BYTES(CounterDescriptor.SIZE_BYTES);

        private final int number;

        Unit(int number) {
            this.number = number;
        }
    }

    /** The label of a process that runs a Java virtual machine. */
    public static final String JVM = ProcessDescriptor.LABEL_JVM;

    /** The label of the process of a recorder that writes all losses, but other processes' wakeups only in part. */
    public static final String WAKEUPS = ProcessDescriptor.LABEL_WAKEUPS;

    private final TrackEventSequence sequence;

    private final ProtoWriter packet;

    TrackWriter(TrackEventSequence sequence) {
        this.sequence = sequence;
        packet = sequence.packet;
    }

    // ---- ids

    /**
     * {@return the id of the track of a process}
     *
     * @param pid the process
     */
    public static long ofProcess(int pid) {
        return mixed(pid);
    }

    /**
     * {@return the id of the track of a thread}
     *
     * @param pid its process
     * @param tid the thread
     */
    public static long ofThread(int pid, int tid) {
        return mixed(ofProcess(pid) + tid);
    }

    /**
     * {@return the id of the track of a counter}
     *
     * @param parent the track of its thread or process
     * @param name its name; counters with the same name and parent are one
     */
    public static long ofCounter(long parent, String name) {
        long id = parent;
        for (int i = 0; i < name.length(); i++) {
            id = mixed(id + name.charAt(i) + 1);
        }
        return id;
    }

    /**
     * {@return the id of a named track of a process}
     *
     * @param parent the track of the process
     * @param name its name; tracks with the same name and parent are one
     */
    public static long named(long parent, String name) {
        return ofCounter(mixed(parent), name);
    }

    /** The finalizer of SplitMix64 (Steele, Lea, Flood): every bit of the result depends on every bit of the number. */
    private static long mixed(long number) {
        long z = number + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    // ---- descriptions

    /**
     * Describes a process, once and before the first event on its track.
     *
     * @param ts the time in ns
     * @param pid its process id
     * @param name its name
     * @param labels {@link #JVM}, {@link #WAKEUPS}
     * @throws IOException if the stream fails
     */
    public void process(long ts, int pid, String name, String... labels) throws IOException {
        int descriptor = beginDescriptor(ts, ofProcess(pid));
        int process = packet.begin(TrackDescriptor.PROCESS);
        packet.varint(ProcessDescriptor.PID, pid);
        if (!name.isEmpty()) {
            packet.string(ProcessDescriptor.PROCESS_NAME, name);
        }
        for (String label : labels) {
            packet.string(ProcessDescriptor.PROCESS_LABELS, label);
        }
        packet.end(process);
        packet.end(descriptor);
        sequence.write();
    }

    /**
     * Describes a thread, once and before the first event on its track.
     *
     * @param ts the time in ns
     * @param pid its process, 0 if unknown
     * @param tid its thread id
     * @param name its name
     * @throws IOException if the stream fails
     */
    public void thread(long ts, int pid, int tid, String name) throws IOException {
        thread(ts, ofThread(pid, tid), pid, tid, name, "");
    }

    /**
     * Describes a thread as {@link #thread(long, int, int, String)} does, with its track and a description.
     *
     * @param ts the time in ns
     * @param track the id of its track
     * @param pid its process, 0 if unknown
     * @param tid its TID
     * @param name its name
     * @param description its description, for users; empty for none
     * @throws IOException if the stream fails
     */
    public void thread(long ts, long track, int pid, int tid, String name, String description) throws IOException {
        int descriptor = beginDescriptor(ts, track);
        int thread = beginThread(pid);
        packet.varint(ThreadDescriptor.TID, tid);
        packet.string(ThreadDescriptor.THREAD_NAME, name);
        packet.end(thread);
        if (!description.isEmpty()) {
            packet.string(TrackDescriptor.DESCRIPTION, description);
        }
        packet.end(descriptor);
        sequence.write();
    }

    private int beginThread(int pid) {
        if (pid > 0) {
            packet.varint(TrackDescriptor.PARENT_UUID, ofProcess(pid));
        }
        int thread = packet.begin(TrackDescriptor.THREAD);
        if (pid > 0) {
            packet.varint(ThreadDescriptor.PID, pid);
        }
        return thread;
    }

    /**
     * Describes an additional track of a thread, for slices that overlap those on its own track.
     *
     * @param ts the time in ns
     * @param track the track's id, from {@link #ofCounter} with any name
     * @param pid its process, 0 if unknown
     * @param tid the thread
     * @throws IOException if the stream fails
     */
    public void threadLane(long ts, long track, int pid, int tid) throws IOException {
        int descriptor = beginDescriptor(ts, track);
        int thread = beginThread(pid);
        packet.varint(ThreadDescriptor.TID, tid);
        packet.end(thread);
        packet.end(descriptor);
        sequence.write();
    }

    /**
     * Describes a track for slices of a process that belong to none of its threads.
     *
     * @param ts the time in ns
     * @param track the track's id, from {@link #ofCounter} with any name
     * @param parent the track of the process
     * @param name the track's name
     * @throws IOException if the stream fails
     */
    public void track(long ts, long track, long parent, String name) throws IOException {
        int descriptor = beginDescriptor(ts, track);
        packet.varint(TrackDescriptor.PARENT_UUID, parent);
        packet.string(TrackDescriptor.NAME, name);
        packet.end(descriptor);
        sequence.write();
    }

    /**
     * Describes a named track of a process, once, after the process and before the first event on it.
     *
     * @param ts the time in ns
     * @param parent the track of the process
     * @param name its name
     * @throws IOException if the stream fails
     */
    public void track(long ts, long parent, String name) throws IOException {
        track(ts, named(parent, name), parent, name);
    }

    /**
     * Describes a counter, once, after its parent and before its first value.
     *
     * @param ts the time in ns
     * @param parent the track of its thread or process
     * @param name its name
     * @param unit its unit
     * @throws IOException if the stream fails
     */
    public void counter(long ts, long parent, String name, Unit unit) throws IOException {
        int descriptor = beginCounter(ts, parent, name);
        int counter = packet.begin(TrackDescriptor.COUNTER);
        packet.varint(CounterDescriptor.UNIT, unit.number);
        packet.end(counter);
        packet.end(descriptor);
        sequence.write();
    }

    /**
     * Describes a counter with another unit than a {@link Unit}.
     *
     * @param ts the time in ns
     * @param parent the track of its thread or process, 0 if it belongs to none
     * @param name its name
     * @param unit its unit, empty if unknown
     * @throws IOException if the stream fails
     */
    public void counter(long ts, long parent, String name, String unit) throws IOException {
        int descriptor = beginCounter(ts, parent, name);
        int counter = packet.begin(TrackDescriptor.COUNTER);
        if (!unit.isEmpty()) {
            packet.string(CounterDescriptor.UNIT_NAME, unit);
        }
        packet.end(counter);
        packet.end(descriptor);
        sequence.write();
    }

    private int beginCounter(long ts, long parent, String name) {
        int descriptor = beginDescriptor(ts, ofCounter(parent, name));
        if (parent != 0) {
            packet.varint(TrackDescriptor.PARENT_UUID, parent);
        }
        packet.string(TrackDescriptor.NAME, name);
        return descriptor;
    }

    private int beginDescriptor(long ts, long track) {
        sequence.begin(ts);
        int descriptor = packet.begin(TracePacket.TRACK_DESCRIPTOR);
        packet.varint(TrackDescriptor.UUID, track);
        return descriptor;
    }
}
