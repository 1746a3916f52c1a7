package dev.unjank.query.tables;

import dev.unjank.trace.model.Counters;
import dev.unjank.trace.model.Frames;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Perfetto's tracks, which the model does not have. Each thread with slices has one; asynchronous slices share one per
 * process and name; each process with frames has one for expected and one for actual frames; each counter has one. The
 * index in {@link #tracks} is the track's id.
 */
final class TrackIds {
    /** The kind of a track. */
    enum Kind {
        THREAD("thread_execution"),
        PROCESS("atrace_async_slice"),
        GLOBAL("global_track_event"),
        EXPECTED_FRAMES("android_expected_frame_timeline"),
        ACTUAL_FRAMES("android_actual_frame_timeline"),
        COUNTER("counter");

        /** The value of Perfetto's column {@code type}. */
        final String type;

        Kind(String type) {
            this.type = type;
        }
    }

    /**
     * A track; {@code utid} and {@code upid} are -1 if not applicable, {@code nameId} is -1 if its name is not a string
     * of the trace.
     */
    record Track(Kind kind, int utid, int upid, int nameId, int counter) {}

    final List<Track> tracks = new ArrayList<>();

    private final int[] ofThread;

    /** The track of each asynchronous slice, in order. */
    private final int[] ofAsync;

    private final Map<Integer, Integer> expectedFrames = new HashMap<>();
    private final Map<Integer, Integer> actualFrames = new HashMap<>();
    private final int firstCounter;

    TrackIds(Trace trace) {
        this.ofThread = threads(trace);
        this.ofAsync = async(trace.slices());
        frames(trace.frames());
        this.firstCounter = tracks.size();
        Counters counters = trace.counters();
        for (int counter = 0; counter < counters.tracks(); counter++) {
            tracks.add(new Track(Kind.COUNTER, counters.utid(counter), counters.upid(counter), -1, counter));
        }
    }

    /** The track of a thread that has slices. */
    int ofThread(int utid) {
        return ofThread[utid];
    }

    /** The track of an asynchronous slice by its index among them. */
    int ofAsync(int index) {
        return ofAsync[index];
    }

    int ofExpectedFrames(int upid) {
        return expectedFrames.getOrDefault(upid, -1);
    }

    int ofActualFrames(int upid) {
        return actualFrames.getOrDefault(upid, -1);
    }

    int ofCounter(int counter) {
        return firstCounter + counter;
    }

    private int[] threads(Trace trace) {
        int[] ids = new int[trace.threads().size()];
        for (int utid = 0; utid < ids.length; utid++) {
            ids[utid] = -1;
            if (trace.slices().first(utid) < trace.slices().end(utid)) {
                ids[utid] = add(new Track(Kind.THREAD, utid, -1, -1, -1));
            }
        }
        return ids;
    }

    private int[] async(Slices slices) {
        int first = slices.firstAsync();
        int[] ids = new int[slices.size() - first];
        Map<Long, Integer> byOwnerAndName = new HashMap<>();
        for (int i = 0; i < ids.length; i++) {
            int upid = slices.upid(first + i);
            int named = slices.trackNameId(first + i);
            int name = named < 0 ? slices.nameId(first + i) : named;
            long key = ((long) upid << 32) | (name & 0xffff_ffffL);
            Integer id = byOwnerAndName.get(key);
            if (id == null) {
                id = add(new Track(upid < 0 ? Kind.GLOBAL : Kind.PROCESS, -1, upid, name, -1));
                byOwnerAndName.put(key, id);
            }
            ids[i] = id;
        }
        return ids;
    }

    private void frames(Frames frames) {
        for (int row = 0; row < frames.size(); row++) {
            frames(frames.upid(row));
        }
        frames.missed().forEach(missed -> frames(missed.upid()));
    }

    private void frames(int upid) {
        if (!actualFrames.containsKey(upid)) {
            expectedFrames.put(upid, add(new Track(Kind.EXPECTED_FRAMES, -1, upid, -1, -1)));
            actualFrames.put(upid, add(new Track(Kind.ACTUAL_FRAMES, -1, upid, -1, -1)));
        }
    }

    private int add(Track track) {
        tracks.add(track);
        return tracks.size() - 1;
    }
}
