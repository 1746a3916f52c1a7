package dev.unjank.trace.build;

import dev.unjank.trace.build.event.CounterEvent;
import dev.unjank.trace.build.event.IdRemapping;
import dev.unjank.trace.build.event.TrackSliceEvent;
import dev.unjank.trace.build.tracker.ArgCollector;
import dev.unjank.trace.build.tracker.CounterTrackTable;
import dev.unjank.trace.build.tracker.MessageQueueEventCollector;
import dev.unjank.trace.build.tracker.SliceTrackTable;
import dev.unjank.trace.model.Args;

/**
 * Sink of events of programs, by track: a track contains slices or the values of a counter. Times are in ns, strings
 * are ids from {@link TraceBuilder#intern}, -1 for none.
 */
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
     * Creates a track for slices and returns its number. The tid is -1 for a track of no thread, the pid -1 if unknown.
     */
    public int newTrack(int tid, int pid) {
        return newTrack(tid, pid, -1);
    }

    /** As {@link #newTrack(int, int)}, with a name; -1 for that of its first event. */
    public int newTrack(int tid, int pid, int name) {
        return tracks.add(tid, pid, name);
    }

    /** Changes the name of a track for slices. */
    public void nameTrack(int track, int name) {
        tracks.rename(track, name);
    }

    /**
     * Creates a track for the values of a counter and returns its number, for {@link #trackCounter}. The tid is -1 for
     * a counter of no thread, the pid -1 if unknown.
     */
    public int newCounterTrack(int tid, int pid, int name, int unit) {
        return counterTracks.add(tid, pid, name, unit);
    }

    /** Begins a slice on a track, nested in the open slice. */
    public void trackBegin(long ts, int track, int category, int name) {
        TrackSliceEvent.addBegin(logs.at(ts), ts, track, category, name);
    }

    /** Ends the innermost open slice of a track. */
    public void trackEnd(long ts, int track) {
        TrackSliceEvent.addEnd(logs.at(ts), ts, track);
    }

    /** Adds a mark to a track. */
    public void trackInstant(long ts, int track, int category, int name) {
        TrackSliceEvent.addInstant(logs.at(ts), ts, track, category, name);
    }

    /**
     * Adds a flow to the slice of the last call for this track and time: an arrow leads to it from the previous slice
     * of the flow.
     */
    public void trackFlow(long ts, int track, long flow, boolean ends) {
        TrackSliceEvent.addFlow(logs.at(ts), ts, track, flow, ends);
    }

    /**
     * Adds a message of a message queue to the slice of the last call for this track and time. The code is Android's
     * {@code what}; the delay is -1 if unknown.
     */
    public void trackMessage(long ts, int track, int sender, int receiver, int code, long delayMs) {
        if (logs.accept(ts)) {
            int row = queueEvents.add(sender, receiver, code, delayMs);
            TrackSliceEvent.addMessage(logs.current(), ts, track, row);
        }
    }

    /**
     * Adds an arg, to be attached to a slice by {@link #trackArgs}, and returns its row; rows are numbered in the order
     * of the calls. The value is that of {@link Args.Columns#value}.
     */
    public int arg(int key, Args.Type type, long value) {
        return args.add(key, type, value);
    }

    /** Attaches args to the slice of the last call for this track and time. */
    public void trackArgs(long ts, int track, int firstRow, int count) {
        TrackSliceEvent.addArgs(logs.at(ts), ts, track, firstRow, count);
    }

    public void trackCounter(long ts, int track, long value) {
        CounterEvent.addOfTrack(logs.at(ts), ts, track, value);
    }

    /** Adds the tables of the sink of a part. */
    void append(TrackEventSink part, IdRemapping ids) {
        tracks.append(part.tracks, ids);
        counterTracks.append(part.counterTracks, ids);
        queueEvents.append(part.queueEvents, ids);
        args.append(part.args, ids);
    }
}
