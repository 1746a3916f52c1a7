package dev.unjank.trace.build;

import dev.unjank.trace.build.event.CounterEvent;
import dev.unjank.trace.build.event.IdRemapping;
import dev.unjank.trace.build.event.TrackSliceEvent;
import dev.unjank.trace.build.tracker.ArgCollector;
import dev.unjank.trace.build.tracker.CounterTrackTable;
import dev.unjank.trace.build.tracker.MessageQueueEventCollector;
import dev.unjank.trace.build.tracker.SliceTrackTable;
import dev.unjank.trace.model.Args;

/** Sink of events of programs, by track: a track contains slices or the values of a counter. */
public final class TrackEventSink {
    private final EventLogs logs;
    final SliceTrackTable tracks = new SliceTrackTable();
    final CounterTrackTable counterTracks = new CounterTrackTable();
    final MessageQueueEventCollector queueEvents = new MessageQueueEventCollector();
    final ArgCollector args = new ArgCollector();

    TrackEventSink(EventLogs logs) {
        this.logs = logs;
    }

    /**
     * Creates a track for slices.
     *
     * @param tid the thread that its slices belong to, -1 for none
     * @param pid the process of the thread or of the track, -1 if unknown
     * @return the track's number, for {@link #trackBegin} and the other methods
     */
    public int newTrack(int tid, int pid) {
        return tracks.add(tid, pid);
    }

    /**
     * Creates a track for the values of a counter.
     *
     * @param tid the thread that it belongs to, -1 for none
     * @param pid the process of the thread or of the counter, -1 if unknown
     * @param name the counter's name
     * @param unit its unit, -1 if unknown
     * @return the track's number, for {@link #trackCounter}
     */
    public int newCounterTrack(int tid, int pid, int name, int unit) {
        return counterTracks.add(tid, pid, name, unit);
    }

    /**
     * Begins a slice on a track, nested in the open slice.
     *
     * @param ts the time in ns
     * @param track from {@link #newTrack}
     * @param category its category, -1 for none
     * @param name its name
     */
    public void trackBegin(long ts, int track, int category, int name) {
        if (logs.accept(ts)) {
            TrackSliceEvent.addBegin(logs.current(), ts, track, category, name);
        }
    }

    /**
     * Ends the innermost open slice of a track.
     *
     * @param ts the time in ns
     * @param track from {@link #newTrack}
     */
    public void trackEnd(long ts, int track) {
        if (logs.accept(ts)) {
            TrackSliceEvent.addEnd(logs.current(), ts, track);
        }
    }

    /**
     * Adds a mark to a track.
     *
     * @param ts the time in ns
     * @param track from {@link #newTrack}
     * @param category its category, -1 for none
     * @param name its name
     */
    public void trackInstant(long ts, int track, int category, int name) {
        if (logs.accept(ts)) {
            TrackSliceEvent.addInstant(logs.current(), ts, track, category, name);
        }
    }

    /**
     * Adds a flow to the slice of the last call for this track and time: an arrow leads to it from the previous slice
     * of the flow.
     *
     * @param ts as in that call
     * @param track as in that call
     * @param flow the flow's id
     * @param ends whether the flow ends here
     */
    public void trackFlow(long ts, int track, long flow, boolean ends) {
        if (logs.accept(ts)) {
            TrackSliceEvent.addFlow(logs.current(), ts, track, flow, ends);
        }
    }

    /**
     * Adds a message of a message queue to the slice of the last call for this track and time.
     *
     * @param ts as in that call
     * @param track as in that call
     * @param sender the name of the sending thread, -1 if unknown
     * @param receiver the name of the receiving thread, -1 if unknown
     * @param code the message's code ({@code what})
     * @param delayMs its delay in ms, -1 if unknown
     */
    public void trackMessage(long ts, int track, int sender, int receiver, int code, long delayMs) {
        if (logs.accept(ts)) {
            int row = queueEvents.add(sender, receiver, code, delayMs);
            TrackSliceEvent.addMessage(logs.current(), ts, track, row);
        }
    }

    /**
     * Adds an arg, to be attached to a slice by {@link #trackArgs}.
     *
     * @param key its key
     * @param type the type of the value
     * @param value as in {@link Args.Columns#value}
     * @return the row; rows are numbered in the order of the calls
     */
    public int arg(int key, Args.Type type, long value) {
        return args.add(key, type, value);
    }

    /**
     * Attaches args to the slice of the last call for this track and time.
     *
     * @param ts as in that call
     * @param track as in that call
     * @param firstRow the first row, from {@link #arg}
     * @param count the number of rows
     */
    public void trackArgs(long ts, int track, int firstRow, int count) {
        if (logs.accept(ts)) {
            TrackSliceEvent.addArgs(logs.current(), ts, track, firstRow, count);
        }
    }

    /**
     * Adds a counter value.
     *
     * @param ts the time in ns
     * @param track from {@link #newCounterTrack}
     * @param value the new value
     */
    public void trackCounter(long ts, int track, long value) {
        if (logs.accept(ts)) {
            CounterEvent.addOfTrack(logs.current(), ts, track, value);
        }
    }

    /** Adds the tables of the sink of a part. */
    void append(TrackEventSink part, IdRemapping ids) {
        tracks.append(part.tracks);
        counterTracks.append(part.counterTracks, ids);
        queueEvents.append(part.queueEvents, ids);
        args.append(part.args, ids);
    }
}
