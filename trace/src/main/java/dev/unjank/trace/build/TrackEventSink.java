package dev.unjank.trace.build;

import dev.unjank.trace.build.event.EventKind;
import dev.unjank.trace.build.tracker.ArgCollector;
import dev.unjank.trace.build.tracker.CounterTrackTable;
import dev.unjank.trace.build.tracker.MessageQueueEventCollector;
import dev.unjank.trace.build.tracker.SliceTrackTable;
import dev.unjank.trace.collections.BlockPool;
import dev.unjank.trace.collections.IntPair;
import dev.unjank.trace.model.Args;

/** What programs tell by track: a line of slices or of a counter's values that they made and called a number. */
public abstract class TrackEventSink extends ProgramEventSink {
    final SliceTrackTable tracks = new SliceTrackTable();
    final CounterTrackTable counterTracks = new CounterTrackTable();
    final MessageQueueEventCollector queueEvents = new MessageQueueEventCollector();
    final ArgCollector args = new ArgCollector();

    TrackEventSink(BlockPool pool) {
        super(pool);
    }

    /**
     * Makes a track for slices that are told of by track and not by thread.
     *
     * @param tid the thread whose slices they are, -1 if they belong to none
     * @param pid its process, or the one they belong to; -1 if unknown
     * @return the track's number, for {@link #trackBegin} and its siblings
     */
    public final int newTrack(int tid, int pid) {
        return tracks.add(tid, pid);
    }

    /**
     * Makes a track for the values of a counter.
     *
     * @param tid the thread that it belongs to, -1 if to none
     * @param pid its process, or the one it belongs to; -1 if unknown
     * @param name of the counter
     * @param unit what it counts, -1 if unknown
     * @return the track's number, for {@link #trackCounter}
     */
    public final int newCounterTrack(int tid, int pid, int name, int unit) {
        return counterTracks.add(tid, pid, name, unit);
    }

    /**
     * A slice of a track begins within the one it is in.
     *
     * @param ts the time in ns
     * @param track from {@link #newTrack}
     * @param category of the slice, -1 if it has none
     * @param name of the slice
     */
    public final void trackBegin(long ts, int track, int category, int name) {
        addEvent(EventKind.TRACK_BEGIN | (long) name << 32, ts, track, category);
    }

    /**
     * The innermost slice of a track ends.
     *
     * @param ts the time in ns
     * @param track from {@link #newTrack}
     */
    public final void trackEnd(long ts, int track) {
        addEvent(EventKind.TRACK_END, ts, track, 0);
    }

    /**
     * A mark on a track.
     *
     * @param ts the time in ns
     * @param track from {@link #newTrack}
     * @param category of the mark, -1 if it has none
     * @param name of the mark
     */
    public final void trackInstant(long ts, int track, int category, int name) {
        addEvent(EventKind.TRACK_INSTANT | (long) name << 32, ts, track, category);
    }

    /**
     * A flow passes through the slice that the last call for this track and time began, marked or ended: an arrow leads to
     * it from the slice that the flow passed through before.
     *
     * @param ts as in that call
     * @param track as in that call
     * @param flow tells flows apart
     * @param ends whether the flow ends here
     */
    public final void trackFlow(long ts, int track, long flow, boolean ends) {
        if (accept(ts)) {
            currentLog.add(EventKind.TRACK_FLOW | (ends ? EventKind.FLOW_ENDS : 0), ts, IntPair.pack(track, 0), flow);
        }
    }

    /**
     * The slice that the last call for this track and time began, marked or ended is about a message of a message queue.
     *
     * @param ts as in that call
     * @param track as in that call
     * @param sender the name of the thread that sends it, -1 if unknown
     * @param receiver the name of the thread that it is for, -1 if unknown
     * @param code what its user calls it by
     * @param delayMs how long it is meant to wait, -1 if unknown
     */
    public final void trackMessage(long ts, int track, int sender, int receiver, int code, long delayMs) {
        if (accept(ts)) {
            int row = queueEvents.add(sender, receiver, code, delayMs);
            currentLog.add(EventKind.TRACK_MESSAGE, ts, IntPair.pack(track, row));
        }
    }

    /**
     * Notes something that is told of a slice, for {@link #trackArgs}.
     *
     * @param key what is told
     * @param type what the value is
     * @param value as {@link Args.Columns#value} has it
     * @return the row; rows are numbered in the order of the calls
     */
    public final int arg(int key, Args.Type type, long value) {
        return args.add(key, type, value);
    }

    /**
     * The slice that the last call for this track and time began, marked or ended is told of by some rows.
     *
     * @param ts as in that call
     * @param track as in that call
     * @param firstRow the first row, from {@link #arg}
     * @param count how many rows
     */
    public final void trackArgs(long ts, int track, int firstRow, int count) {
        addEvent(EventKind.TRACK_ARGS | (long) count << 32, ts, track, firstRow);
    }

    /**
     * A counter has a new value.
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
