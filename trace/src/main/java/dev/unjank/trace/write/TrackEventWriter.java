package dev.unjank.trace.write;

import dev.unjank.trace.proto.ProtoWriter;
import dev.unjank.trace.proto.TrackEventFields.AndroidMessageQueue;
import dev.unjank.trace.proto.TrackEventFields.DebugAnnotation;
import dev.unjank.trace.proto.TrackEventFields.TrackEvent;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What a program says of itself: slices, marks and counters on tracks of its own, as programs with Perfetto's own library
 * write them. One packet sequence: names, categories and values that are texts are written once and referred to by number from then on, and the
 * clock and the track that most events share are told once for all. Several sequences may write about the same tracks; they
 * share no numbers.
 *
 * <p>Events may come in any order of time, as a reader sorts them, but the events of one track that have the same time are
 * taken in the order in which they were written.
 *
 * <p>Memory is bounded, however many texts there are.
 *
 * {@snippet :
 * TrackEvents events = writer.trackEvents(TraceClock.MONOTONIC, Tracks.ofThread(pid, tid));
 * events.tracks().thread(ts, pid, tid, "worker");
 * events.begin(ts, Tracks.ofThread(pid, tid), "app", "work").flow(42).write();
 * events.end(ts + 1_000, Tracks.ofThread(pid, tid)).write();
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

    /**
     * What the tracks are: to be told before the first event on each.
     *
     * @return where that goes, in this sequence
     */
    public TrackWriter tracks() {
        return tracks;
    }

    /**
     * A slice begins within the one that its track is in.
     *
     * @param ts the time in ns
     * @param track its track
     * @param category the category, by which viewers filter; empty for none
     * @param name what it is
     * @return the event, to which details can be added; {@link Event#write} writes it
     */
    public Event begin(long ts, long track, String category, String name) {
        return named(ts, TrackEvent.SLICE_BEGIN, track, category, name);
    }

    /**
     * The innermost slice of a track ends.
     *
     * @param ts the time in ns
     * @param track the track
     * @return the event, to which details can be added; {@link Event#write} writes it
     */
    public Event end(long ts, long track) {
        return event.reset(ts, TrackEvent.SLICE_END, track);
    }

    /**
     * Something happens that takes no time.
     *
     * @param ts the time in ns
     * @param track its track
     * @param category the category, by which viewers filter; empty for none
     * @param name what it is
     * @return the event, to which details can be added; {@link Event#write} writes it
     */
    public Event instant(long ts, long track, String category, String name) {
        return named(ts, TrackEvent.INSTANT, track, category, name);
    }

    /**
     * A counter has a new value.
     *
     * @param ts the time in ns
     * @param track the counter's
     * @param value the new value
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

    /** An event that is being made. There is one such object for each {@link TrackEventWriter}, used again and again. */
    public final class Event {
        private long ts;

        private Event() {}

        private Event reset(long when, int type, long track) {
            sequence.openEvent();
            ts = when;
            body.clear();
            body.varint(TrackEvent.TYPE, type);
            if (track != sequence.defaultTrack()) {
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
            body.varint(DebugAnnotation.STRING_VALUE_IID, sequence.value(value));
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
         * Writes the event. Until then its {@link TrackEventWriter} takes nothing else.
         *
         * @throws IOException if the stream fails
         */
        public void write() throws IOException {
            sequence.closeEvent();
            sequence.write(ts, body);
        }
    }
}
