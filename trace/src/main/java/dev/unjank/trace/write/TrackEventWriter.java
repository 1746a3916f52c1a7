package dev.unjank.trace.write;

import dev.unjank.trace.proto.ProtoWriter;
import dev.unjank.trace.proto.TrackEventFields.AndroidMessageQueue;
import dev.unjank.trace.proto.TrackEventFields.DebugAnnotation;
import dev.unjank.trace.proto.TrackEventFields.TrackEvent;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Writes a program's track events: slices, marks and counters on tracks, like Perfetto's library. They form one packet
 * sequence: names, categories and string values are interned, and the clock and the default track are written once.
 * Several sequences may write to the same tracks; they share no interned data.
 *
 * <p>Events may come in any order of time, since readers sort them; events of one track with equal times keep their
 * order.
 *
 * <p>Memory is bounded, regardless of the number of strings.
 *
 * {@snippet :
 * TrackEventWriter events = writer.trackEvents(TraceClock.MONOTONIC, TrackWriter.ofThread(pid, tid));
 * events.tracks().thread(ts, pid, tid, "worker");
 * events.begin(ts, TrackWriter.ofThread(pid, tid), "app", "work").flow(42).write();
 * events.end(ts + 1_000, TrackWriter.ofThread(pid, tid)).write();
 * }
 */
public final class TrackEventWriter {
    private final TrackEventSequence sequence;
    private final TrackWriter tracks;
    private final ProtoWriter body = new ProtoWriter();
    private final Event event = new Event();

    TrackEventWriter(TraceWriter writer, int number, TraceClock clock, long defaultTrack) {
        sequence = new TrackEventSequence(writer, number, clock, defaultTrack);
        tracks = new TrackWriter(sequence);
    }

    /** {@return the writer of descriptions of tracks; a track must be described before its first event} */
    public TrackWriter tracks() {
        return tracks;
    }

    /**
     * Begins a slice on a track, nested in the open slice.
     *
     * @param ts the time in ns
     * @param track the track
     * @param category the category, by which viewers filter; empty for none
     * @param name the slice's name
     * @return the event, to which details can be added; {@link Event#write} writes it
     */
    public Event begin(long ts, long track, String category, String name) {
        return named(ts, TrackEvent.SLICE_BEGIN, track, category, name);
    }

    /**
     * Ends the innermost open slice of a track.
     *
     * @param ts the time in ns
     * @param track the track
     * @return the event, to which details can be added; {@link Event#write} writes it
     */
    public Event end(long ts, long track) {
        return event.reset(ts, TrackEvent.SLICE_END, track);
    }

    /**
     * A mark on a track.
     *
     * @param ts the time in ns
     * @param track the track
     * @param category the category, by which viewers filter; empty for none
     * @param name the mark's name
     * @return the event, to which details can be added; {@link Event#write} writes it
     */
    public Event instant(long ts, long track, String category, String name) {
        return named(ts, TrackEvent.INSTANT, track, category, name);
    }

    /**
     * Writes a counter value.
     *
     * @param ts the time in ns
     * @param track the counter's track
     * @param value the new value
     * @throws IOException if the stream fails
     */
    public void counter(long ts, long track, long value) throws IOException {
        event.reset(ts, TrackEvent.COUNTER, track);
        body.varint(TrackEvent.COUNTER_VALUE, value);
        event.write();
    }

    /** Marks a loss of events before the next one: slices may lack their begin or their end. */
    public void dataLoss() {
        sequence.lost();
    }

    private Event named(long ts, int type, long track, String category, String name) {
        event.reset(ts, type, track);
        sequence.prepare(name, category);
        if (!category.isEmpty()) {
            body.varint(TrackEvent.CATEGORY_IIDS, sequence.category(category));
        }
        body.varint(TrackEvent.NAME_IID, sequence.name(name));
        return event;
    }

    /** An event in progress. There is one object per {@link TrackEventWriter}, which is reused. */
    public final class Event {
        private long ts;

        private Event() {}

        private Event reset(long when, int type, long track) {
            sequence.openEvent();
            ts = when;
            body.clear();
            body.varint(TrackEvent.TYPE, type);
            if (track != sequence.defaultTrack) {
                body.varint(TrackEvent.TRACK_UUID, track);
            }
            return this;
        }

        /**
         * Adds a flow, from the previous event with its id to the next one.
         *
         * @param id the flow's id
         * @return this event
         */
        public Event flow(long id) {
            body.fixed64(TrackEvent.FLOW_IDS, id);
            return this;
        }

        /**
         * Ends a flow that leads here from the previous event with its id.
         *
         * @param id the flow's id
         * @return this event
         */
        public Event terminatingFlow(long id) {
            body.fixed64(TrackEvent.TERMINATING_FLOW_IDS, id);
            return this;
        }

        /**
         * Adds the message that the event is about: Perfetto's extension AndroidMessageQueue.
         *
         * @param sender the name of the sending thread, null if unknown
         * @param receiver the name of the receiving thread
         * @param code the message's code: Android's {@code what}
         * @param delayMs its delay in milliseconds; negative if unknown
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
         * Adds an arg with a string. Readers show it as {@code debug.} and the key.
         *
         * @param key the key; dots and brackets have no meaning
         * @param value its value
         * @return this event
         */
        public Event arg(String key, String value) {
            int annotation = beginArg(key);
            body.varint(DebugAnnotation.STRING_VALUE_IID, sequence.value(value));
            body.end(annotation);
            return this;
        }

        /**
         * Adds an arg with an integer. Readers show it as {@code debug.} and the key.
         *
         * @param key the key
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
         * Writes the event. Until then its {@link TrackEventWriter} accepts no other event.
         *
         * @throws IOException if the stream fails
         */
        public void write() throws IOException {
            sequence.closeEvent();
            sequence.write(ts, body);
        }
    }
}
