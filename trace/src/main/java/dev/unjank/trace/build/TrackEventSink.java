package dev.unjank.trace.build;

import dev.unjank.trace.build.event.EventKind;
import dev.unjank.trace.build.tracker.ArgCollector;
import dev.unjank.trace.build.tracker.CounterTrackTable;
import dev.unjank.trace.build.tracker.MessageQueueEventCollector;
import dev.unjank.trace.build.tracker.SliceTrackTable;
import dev.unjank.trace.collections.BlockPool;
import dev.unjank.trace.collections.IntPair;
import dev.unjank.trace.model.Args;

/** Sink of events of programs, by track: a track contains slices or the values of a counter. */
public abstract class TrackEventSink extends ProgramEventSink {
    final SliceTrackTable tracks = new SliceTrackTable();
    final CounterTrackTable counterTracks = new CounterTrackTable();
    final MessageQueueEventCollector queueEvents = new MessageQueueEventCollector();
    final ArgCollector args = new ArgCollector();

    TrackEventSink(BlockPool pool) {
        super(pool);
    }

    /**
     * Creates a track for slices.
     *
     * @param tid the thread that its slices belong to, -1 for none
     * @param pid the process of the thread or of the track, -1 if unknown
     * @return the track's number, for {@link #trackBegin} and the other methods
     */
    public final int newTrack(int tid, int pid) {
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
    public final int newCounterTrack(int tid, int pid, int name, int unit) {
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
    public final void trackBegin(long ts, int track, int category, int name) {
        addEvent(EventKind.TRACK_BEGIN | (long) name << 32, ts, track, category);
    }

    /**
     * Ends the innermost open slice of a track.
     *
     * @param ts the time in ns
     * @param track from {@link #newTrack}
     */
    public final void trackEnd(long ts, int track) {
        addEvent(EventKind.TRACK_END, ts, track, 0);
    }

    /**
     * Adds a mark to a track.
     *
     * @param ts the time in ns
     * @param track from {@link #newTrack}
     * @param category its category, -1 for none
     * @param name its name
     */
    public final void trackInstant(long ts, int track, int category, int name) {
        addEvent(EventKind.TRACK_INSTANT | (long) name << 32, ts, track, category);
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
    public final void trackFlow(long ts, int track, long flow, boolean ends) {
        if (accept(ts)) {
            currentLog.add(EventKind.TRACK_FLOW | (ends ? EventKind.FLOW_ENDS : 0), ts, IntPair.pack(track, 0), flow);
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
    public final void trackMessage(long ts, int track, int sender, int receiver, int code, long delayMs) {
        if (accept(ts)) {
            int row = queueEvents.add(sender, receiver, code, delayMs);
            currentLog.add(EventKind.TRACK_MESSAGE, ts, IntPair.pack(track, row));
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
    public final int arg(int key, Args.Type type, long value) {
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
    public final void trackArgs(long ts, int track, int firstRow, int count) {
        addEvent(EventKind.TRACK_ARGS | (long) count << 32, ts, track, firstRow);
    }

    /**
     * Adds a counter value.
     *
     * @param ts the time in ns
     * @param track from {@link #newCounterTrack}
     * @param value the new value
     */
    public final void trackCounter(long ts, int track, long value) {
        if (accept(ts)) {
            currentLog.add(EventKind.TRACK_COUNTER, ts, IntPair.pack(track, 0), value);
        }
    }
}
