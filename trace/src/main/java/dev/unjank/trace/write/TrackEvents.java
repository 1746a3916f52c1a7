package dev.unjank.trace.write;

import dev.unjank.trace.proto.Fields.InternedData;
import dev.unjank.trace.proto.Fields.InternedString;
import dev.unjank.trace.proto.Fields.TracePacket;
import dev.unjank.trace.proto.Fields.TracePacketDefaults;
import dev.unjank.trace.proto.ProtoWriter;
import dev.unjank.trace.proto.TrackEventFields.AndroidMessageQueue;
import dev.unjank.trace.proto.TrackEventFields.CounterDescriptor;
import dev.unjank.trace.proto.TrackEventFields.DebugAnnotation;
import dev.unjank.trace.proto.TrackEventFields.ProcessDescriptor;
import dev.unjank.trace.proto.TrackEventFields.ThreadDescriptor;
import dev.unjank.trace.proto.TrackEventFields.TrackDescriptor;
import dev.unjank.trace.proto.TrackEventFields.TrackEvent;
import dev.unjank.trace.proto.TrackEventFields.TrackEventDefaults;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a program says of itself: slices, marks and counters on tracks of its own, as programs with Perfetto's own library
 * write them. One packet sequence: names and categories are written once and referred to by number from then on, and the
 * clock and the track that most events share are told once for all. Several sequences may write about the same tracks; they
 * share no numbers.
 *
 * <p>Events may come in any order of time, as a reader sorts them, but the events of one track that have the same time are
 * taken in the order in which they were written.
 *
 * <p>A track's id follows from what it is, so that two sequences, or two traces put one behind the other, mean the same track by
 * the same description.
 *
 * <p>Memory is bounded: after {@value #MAX_INTERNED} different names or categories the numbering starts afresh.
 *
 * {@snippet :
 * TrackEvents events = writer.trackEvents(TraceClock.MONOTONIC, TrackEvents.threadTrack(pid, tid));
 * events.describeThread(ts, pid, tid, "worker");
 * events.begin(ts, TrackEvents.threadTrack(pid, tid), "app", "work").flow(42).write();
 * events.end(ts + 1_000, TrackEvents.threadTrack(pid, tid)).write();
 * }
 */
public final class TrackEvents {
    /** What a counter counts. */
    public enum Unit {
        /** Things. */
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

    static final int MAX_INTERNED = 4096;

    private final TraceWriter writer;
    private final int sequence;
    private final TraceClock clock;
    private final long defaultTrack;

    private final Map<String, Integer> names = new HashMap<>();
    private final Map<String, Integer> categories = new HashMap<>();

    /** Texts that the packet being made has to tell. */
    private final ProtoWriter interned = new ProtoWriter();

    private final ProtoWriter packet = new ProtoWriter();
    private final ProtoWriter body = new ProtoWriter();
    private final Event event = new Event();
    private boolean begun;
    private boolean packetsLost;

    TrackEvents(TraceWriter writer, int sequence, TraceClock clock, long defaultTrack) {
        this.writer = writer;
        this.sequence = sequence;
        this.clock = clock;
        this.defaultTrack = defaultTrack;
    }

    // ---- tracks

    /**
     * The track of a process.
     *
     * @param pid the process
     * @return the track's id
     */
    public static long processTrack(int pid) {
        return mixed(pid);
    }

    /**
     * The track of a thread.
     *
     * @param pid its process
     * @param tid the thread
     * @return the track's id
     */
    public static long threadTrack(int pid, int tid) {
        return mixed(processTrack(pid) + tid);
    }

    /**
     * The track of a counter.
     *
     * @param parent the track of the thread or process that it belongs to
     * @param name its name; counters of the same name and parent are one
     * @return the track's id
     */
    public static long counterTrack(long parent, String name) {
        long id = parent;
        for (int i = 0; i < name.length(); i++) {
            id = mixed(id + name.charAt(i) + 1);
        }
        return id;
    }

    /**
     * The track of what belongs to a process as a whole.
     *
     * @param parent the track of the process
     * @param name its name; tracks of the same name and parent are one
     * @return the track's id
     */
    public static long namedTrack(long parent, String name) {
        return counterTrack(mixed(parent), name);
    }

    /** The finalizer of SplitMix64 (Steele, Lea, Flood): every bit of the result depends on every bit of the number. */
    private static long mixed(long number) {
        long z = number + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** The label of a process that runs a Java virtual machine. */
    public static final String JVM = ProcessDescriptor.LABEL_JVM;

    /**
     * Says what a process is called. Once for each process, before the first event on its track.
     *
     * @param ts when
     * @param pid its process id
     * @param name its name
     * @param labels what kind of process it is, such as {@link #JVM}
     * @throws IOException if the stream fails
     */
    public void describeProcess(long ts, int pid, String name, String... labels) throws IOException {
        int descriptor = beginDescriptor(ts, processTrack(pid));
        int process = packet.begin(TrackDescriptor.PROCESS);
        packet.varint(ProcessDescriptor.PID, pid);
        packet.string(ProcessDescriptor.PROCESS_NAME, name);
        for (String label : labels) {
            packet.string(ProcessDescriptor.PROCESS_LABELS, label);
        }
        packet.end(process);
        packet.end(descriptor);
        writer.write(packet);
    }

    /**
     * Says what a thread is called. Once for each thread, before the first event on its track.
     *
     * @param ts when
     * @param pid its process, 0 if that is not known
     * @param tid its thread id
     * @param name its name
     * @throws IOException if the stream fails
     */
    public void describeThread(long ts, int pid, int tid, String name) throws IOException {
        int descriptor = beginDescriptor(ts, threadTrack(pid, tid));
        int thread = beginThread(pid);
        packet.varint(ThreadDescriptor.TID, tid);
        packet.string(ThreadDescriptor.THREAD_NAME, name);
        packet.end(thread);
        packet.end(descriptor);
        writer.write(packet);
    }

    private int beginThread(int pid) {
        if (pid > 0) {
            packet.varint(TrackDescriptor.PARENT_UUID, processTrack(pid));
        }
        int thread = packet.begin(TrackDescriptor.THREAD);
        if (pid > 0) {
            packet.varint(ThreadDescriptor.PID, pid);
        }
        return thread;
    }

    /**
     * Says that a track belongs to a thread beside its own one, for slices that lie across those there.
     *
     * @param ts when
     * @param track the track's id, from {@link #counterTrack} with any name
     * @param pid its process, 0 if that is not known
     * @param tid the thread
     * @throws IOException if the stream fails
     */
    public void describeThreadsTrack(long ts, long track, int pid, int tid) throws IOException {
        int descriptor = beginDescriptor(ts, track);
        int thread = beginThread(pid);
        packet.varint(ThreadDescriptor.TID, tid);
        packet.end(thread);
        packet.end(descriptor);
        writer.write(packet);
    }

    /**
     * Says that a track is for slices of a process that belong to none of its threads.
     *
     * @param ts when
     * @param track the track's id, from {@link #counterTrack} with any name
     * @param parent the track of the process
     * @param name what the track is called
     * @throws IOException if the stream fails
     */
    public void describeTrack(long ts, long track, long parent, String name) throws IOException {
        int descriptor = beginDescriptor(ts, track);
        packet.varint(TrackDescriptor.PARENT_UUID, parent);
        packet.string(TrackDescriptor.NAME, name);
        packet.end(descriptor);
        writer.write(packet);
    }

    /**
     * Says what lies on a track of a process. Once for each track, after the process and before the first event on it.
     *
     * @param ts when
     * @param parent the track of the process
     * @param name its name
     * @throws IOException if the stream fails
     */
    public void describeTrack(long ts, long parent, String name) throws IOException {
        int descriptor = beginDescriptor(ts, namedTrack(parent, name));
        packet.varint(TrackDescriptor.PARENT_UUID, parent);
        packet.string(TrackDescriptor.NAME, name);
        packet.end(descriptor);
        writer.write(packet);
    }

    /**
     * Says what a counter counts. Once for each counter, after its parent and before its first value.
     *
     * @param ts when
     * @param parent the track of the thread or process that it belongs to
     * @param name its name
     * @param unit what it counts
     * @throws IOException if the stream fails
     */
    public void describeCounter(long ts, long parent, String name, Unit unit) throws IOException {
        int descriptor = beginCounter(ts, parent, name);
        int counter = packet.begin(TrackDescriptor.COUNTER);
        packet.varint(CounterDescriptor.UNIT, unit.number);
        packet.end(counter);
        packet.end(descriptor);
        writer.write(packet);
    }

    /**
     * Says what a counter counts that counts something else than a {@link Unit}.
     *
     * @param ts when
     * @param parent the track of the thread or process that it belongs to, 0 if it belongs to none
     * @param name its name
     * @param unit what it counts, empty if that is not known
     * @throws IOException if the stream fails
     */
    public void describeCounter(long ts, long parent, String name, String unit) throws IOException {
        int descriptor = beginCounter(ts, parent, name);
        int counter = packet.begin(TrackDescriptor.COUNTER);
        if (!unit.isEmpty()) {
            packet.string(CounterDescriptor.UNIT_NAME, unit);
        }
        packet.end(counter);
        packet.end(descriptor);
        writer.write(packet);
    }

    private int beginCounter(long ts, long parent, String name) throws IOException {
        int descriptor = beginDescriptor(ts, counterTrack(parent, name));
        if (parent != 0) {
            packet.varint(TrackDescriptor.PARENT_UUID, parent);
        }
        packet.string(TrackDescriptor.NAME, name);
        return descriptor;
    }

    private int beginDescriptor(long ts, long track) throws IOException {
        requireWritten();
        beginPacket(ts);
        int descriptor = packet.begin(TracePacket.TRACK_DESCRIPTOR);
        packet.varint(TrackDescriptor.UUID, track);
        return descriptor;
    }

    // ---- events

    /**
     * A slice begins within the one that its track is in.
     *
     * @param ts when
     * @param track its track
     * @param category what kind of thing it is, by which viewers choose; empty for none
     * @param name what it is
     * @return what else there is to say of it; nothing is written before {@link Event#write}
     */
    public Event begin(long ts, long track, String category, String name) {
        return named(ts, TrackEvent.SLICE_BEGIN, track, category, name);
    }

    /**
     * The innermost slice of a track ends.
     *
     * @param ts when
     * @param track the track
     * @return what else there is to say of it; nothing is written before {@link Event#write}
     */
    public Event end(long ts, long track) {
        return event.reset(ts, TrackEvent.SLICE_END, track);
    }

    /**
     * Something happens that takes no time.
     *
     * @param ts when
     * @param track its track
     * @param category what kind of thing it is, by which viewers choose; empty for none
     * @param name what it is
     * @return what else there is to say of it; nothing is written before {@link Event#write}
     */
    public Event instant(long ts, long track, String category, String name) {
        return named(ts, TrackEvent.INSTANT, track, category, name);
    }

    /**
     * A counter has a new value.
     *
     * @param ts when
     * @param track the counter's
     * @param value its value from now on
     * @throws IOException if the stream fails
     */
    public void counter(long ts, long track, long value) throws IOException {
        event.reset(ts, TrackEvent.COUNTER, track);
        body.varint(TrackEvent.COUNTER_VALUE, value);
        event.write();
    }

    /**
     * Says that events were lost before the next one. A reader then knows of the gap, and that slices may lack their beginning or
     * their end.
     */
    public void eventsLost() {
        requireWritten();
        packetsLost = true;
        startAfresh();
    }

    private Event named(long ts, int type, long track, String category, String name) {
        event.reset(ts, type, track);
        if (isFull(names, name) || isFull(categories, category)) {
            startAfresh();
        }
        if (!category.isEmpty()) {
            body.varint(TrackEvent.CATEGORY_IIDS, intern(categories, InternedData.EVENT_CATEGORIES, category));
        }
        body.varint(TrackEvent.NAME_IID, intern(names, InternedData.EVENT_NAMES, name));
        return event;
    }

    private static boolean isFull(Map<String, Integer> numbers, String text) {
        return numbers.size() == MAX_INTERNED && !numbers.containsKey(text);
    }

    private int intern(Map<String, Integer> numbers, int field, String text) {
        Integer known = numbers.get(text);
        if (known != null) {
            return known;
        }
        int number = numbers.size() + 1;
        numbers.put(text, number);
        int entry = interned.begin(field);
        interned.varint(InternedString.IID, number);
        interned.string(InternedString.STR, text);
        interned.end(entry);
        return number;
    }

    private void startAfresh() {
        begun = false;
        names.clear();
        categories.clear();
    }

    private void requireWritten() {
        if (event.isOpen) {
            throw new IllegalStateException("an event was begun and not written");
        }
    }

    /** Starts a packet; a first one, or one behind a gap, begins the sequence's state afresh. */
    private void beginPacket(long ts) {
        packet.clear();
        packet.varint(TracePacket.TRUSTED_PACKET_SEQUENCE_ID, sequence);
        packet.varint(TracePacket.TIMESTAMP, ts);
        if (packetsLost) {
            packet.bool(TracePacket.PREVIOUS_PACKET_DROPPED, true);
            packetsLost = false;
        }
        if (begun) {
            packet.varint(TracePacket.SEQUENCE_FLAGS, TracePacket.SEQ_NEEDS_INCREMENTAL_STATE);
            return;
        }
        begun = true;
        packet.varint(
                TracePacket.SEQUENCE_FLAGS,
                TracePacket.SEQ_INCREMENTAL_STATE_CLEARED | TracePacket.SEQ_NEEDS_INCREMENTAL_STATE);
        int defaults = packet.begin(TracePacket.TRACE_PACKET_DEFAULTS);
        packet.varint(TracePacketDefaults.TIMESTAMP_CLOCK_ID, clock.id());
        int ofEvents = packet.begin(TracePacketDefaults.TRACK_EVENT_DEFAULTS);
        packet.varint(TrackEventDefaults.TRACK_UUID, defaultTrack);
        packet.end(ofEvents);
        packet.end(defaults);
    }

    /** An event that is being made. There is one such object for each {@link TrackEvents}, used again and again. */
    public final class Event {
        private long ts;
        private boolean isOpen;

        private Event() {}

        private Event reset(long when, int type, long track) {
            requireWritten();
            isOpen = true;
            ts = when;
            body.clear();
            body.varint(TrackEvent.TYPE, type);
            if (track != defaultTrack) {
                body.varint(TrackEvent.TRACK_UUID, track);
            }
            return this;
        }

        /**
         * An arrow leads from here to the next event with the same flow, and one comes here from the one before.
         *
         * @param id the flow
         * @return this event
         */
        public Event flow(long id) {
            body.fixed64(TrackEvent.FLOW_IDS, id);
            return this;
        }

        /**
         * An arrow comes here from the last event with the same flow, which ends here.
         *
         * @param id the flow
         * @return this event
         */
        public Event terminatingFlow(long id) {
            body.fixed64(TrackEvent.TERMINATING_FLOW_IDS, id);
            return this;
        }

        /**
         * The event is about a message from one thread to another: Perfetto's extension AndroidMessageQueue.
         *
         * @param sender the name of the thread that sends it, null if not known
         * @param receiver the name of the thread whose queue it is for
         * @param code what its user calls it by: Android's {@code what}
         * @param delayMs how long it is meant to wait, in milliseconds; negative if not known
         * @return this event
         */
        public Event messageQueue(@Nullable String sender, String receiver, int code, long delayMs) {
            int message = body.begin(TrackEvent.MESSAGE_QUEUE);
            if (sender != null) {
                body.string(AndroidMessageQueue.SENDING_THREAD_NAME, sender);
            }
            body.string(AndroidMessageQueue.RECEIVING_THREAD_NAME, receiver);
            body.varint(AndroidMessageQueue.MESSAGE_CODE, code);
            if (delayMs >= 0) {
                body.varint(AndroidMessageQueue.MESSAGE_DELAY_MS, delayMs);
            }
            body.end(message);
            return this;
        }

        /**
         * Tells something else of the event. A reader calls it {@code debug.} and the key.
         *
         * @param key what is told; dots and brackets in it are not taken apart
         * @param value its value
         * @return this event
         */
        public Event arg(String key, String value) {
            int annotation = beginArg(key);
            body.string(DebugAnnotation.STRING_VALUE, value);
            body.end(annotation);
            return this;
        }

        /**
         * Tells a number of the event. A reader calls it {@code debug.} and the key.
         *
         * @param key what is told
         * @param value its value
         * @return this event
         */
        public Event arg(String key, long value) {
            int annotation = beginArg(key);
            body.varint(DebugAnnotation.INT_VALUE, value);
            body.end(annotation);
            return this;
        }

        private int beginArg(String key) {
            int annotation = body.begin(TrackEvent.DEBUG_ANNOTATIONS);
            body.string(DebugAnnotation.NAME, key);
            return annotation;
        }

        /**
         * Writes the event. Until then its {@link TrackEvents} takes nothing else.
         *
         * @throws IOException if the stream fails
         */
        public void write() throws IOException {
            if (!isOpen) {
                throw new IllegalStateException("this event has been written");
            }
            isOpen = false;
            beginPacket(ts);
            if (interned.size() > 0) {
                packet.message(TracePacket.INTERNED_DATA, interned);
                interned.clear();
            }
            packet.message(TracePacket.TRACK_EVENT, body);
            writer.write(packet);
        }
    }
}
