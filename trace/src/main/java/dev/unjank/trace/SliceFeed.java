package dev.unjank.trace;

import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Between the walk over all events and the {@link SliceTracker}: numbers the tracks and hands on what happens on them, in
 * batches. Slices depend on nothing but these, so that in a large trace the tracker has a thread of its own, which keeps some
 * batches behind; in a small one it works in the caller's.
 */
final class SliceFeed {
    /** Longs in a batch, two for each operation. */
    private static final int BATCH = 1 << 14;

    /** From so many batches on, a thread pays. */
    private static final int BATCHES_BEFORE_THREAD = 12;

    private final SliceTracker tracker;
    private long[] batch = new long[BATCH];
    private int used;
    private int batches;
    private @Nullable Follower follower;

    private int tracks;
    private int[] trackOfThread = new int[0];
    private final PairMap asyncTracks = new PairMap();

    SliceFeed(BlockPool pool) {
        tracker = new SliceTracker(pool);
    }

    /** The track of a thread's own slices. */
    int threadTrack(int utid) {
        if (utid >= trackOfThread.length) {
            int from = trackOfThread.length;
            trackOfThread = Arrays.copyOf(trackOfThread, Math.max(utid + 1, Math.max(64, from * 2)));
            Arrays.fill(trackOfThread, from, trackOfThread.length, PairMap.NONE);
        }
        int track = trackOfThread[utid];
        if (track < 0) {
            track = newTrack(utid);
            trackOfThread[utid] = track;
        }
        return track;
    }

    /** A track of a process's asynchronous work: one per name and cookie. */
    int asyncTrack(int upid, int name, long cookie) {
        long key = EventKind.pair(upid, name);
        int track = asyncTracks.get(key, cookie);
        if (track < 0) {
            track = newTrack(~upid);
            asyncTracks.put(key, cookie, track);
        }
        return track;
    }

    /** A track whose slices belong to a utid, to ~upid or to {@link Slices#NOBODY}. */
    int newTrack(int owner) {
        int track = tracks++;
        add(0, SliceTracker.NEW_TRACK, track, owner);
        return track;
    }

    /** A slice begins within whatever is open. */
    void begin(long ts, int track, int name) {
        add(ts, SliceTracker.BEGIN, track, name);
    }

    /** A slice begins, unless one is open. */
    void beginAlone(long ts, int track, int name) {
        add(ts, SliceTracker.BEGIN_ALONE, track, name);
    }

    /** The innermost open slice ends, if there is one. */
    void end(long ts, int track) {
        add(ts, SliceTracker.END, track, 0);
    }

    /** A mark without duration within whatever is open. */
    void instant(long ts, int track, int name) {
        add(ts, SliceTracker.INSTANT, track, name);
    }

    /** The category of the slice that the last call on its track was about. */
    void category(int track, int category) {
        add(0, SliceTracker.CATEGORY, track, category);
    }

    /** A flow through the slice that the last call on its track was about; one that ends there, or goes on. */
    void flow(int track, long flow, boolean ends) {
        add(flow, SliceTracker.FLOW, track, ends ? SliceNotes.FLOW_ENDS : 0);
    }

    /** The row of queue events that tells of the slice that the last call on its track was about. */
    void message(int track, int row) {
        add(0, SliceTracker.MESSAGE, track, row);
    }

    /** The rows of args that tell of the slice that the last call on its track was about. */
    void args(int track, int firstRow, int count) {
        add(count, SliceTracker.ARGS, track, firstRow);
    }

    private void add(long ts, int operation, int track, int nameOrOwner) {
        if (used == BATCH) {
            handOn();
        }
        batch[used] = ts;
        batch[used + 1] = SliceTracker.pack(operation, track, nameOrOwner);
        used += 2;
    }

    private void handOn() {
        if (++batches == BATCHES_BEFORE_THREAD) {
            follower = new Follower(tracker);
            follower.start();
        }
        if (follower == null) {
            tracker.apply(batch, used);
        } else {
            follower.put(batch);
            batch = follower.usedBatch();
        }
        used = 0;
    }

    /** Begins to make the table; {@link #await} gives it. */
    void finish(Strings strings, int threads, long traceEnd) {
        tracker.finishWith(strings, threads, traceEnd);
        if (follower == null) {
            tracker.apply(batch, used);
            tracker.finish();
        } else {
            if (used > 0) {
                follower.put(Arrays.copyOf(batch, used));
            }
            follower.put(Follower.LAST);
        }
    }

    /** The tracker, done. */
    SliceTracker await() {
        if (follower != null) {
            follower.await();
        }
        return tracker;
    }

    /** The tracker's own thread. */
    private static final class Follower extends Thread {
        /** An empty batch is the last. */
        static final long[] LAST = {};

        /** Enough that neither waits for the other's hiccups, and little memory. */
        private static final int MAX_BEHIND = 16;

        private final SliceTracker tracker;
        private final BlockingQueue<long[]> batches = new ArrayBlockingQueue<>(MAX_BEHIND);

        /** Batches that have been applied and may be filled again. */
        private final BlockingQueue<long[]> used = new ArrayBlockingQueue<>(MAX_BEHIND);

        private volatile @Nullable Throwable failure;

        Follower(SliceTracker tracker) {
            super("trace-slices");
            setDaemon(true);
            this.tracker = tracker;
        }

        void put(long[] batch) {
            boolean interrupted = false;
            while (true) {
                try {
                    batches.put(batch);
                    break;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        /** A batch to fill. */
        long[] usedBatch() {
            long[] batch = used.poll();
            return batch == null ? new long[BATCH] : batch;
        }

        @Override
        public void run() {
            while (true) {
                try {
                    long[] batch = batches.take();
                    if (batch.length == 0) {
                        if (failure == null) {
                            tracker.finish();
                        }
                        return;
                    }
                    if (failure == null) {
                        tracker.apply(batch, batch.length);
                        used.offer(batch);
                    }
                } catch (InterruptedException e) {
                    // Nobody else knows this thread.
                } catch (Throwable e) {
                    failure = e; // for await(); what still comes is thrown away
                }
            }
        }

        void await() {
            boolean interrupted = false;
            while (isAlive()) {
                try {
                    join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            if (failure instanceof Error error) {
                throw error;
            } else if (failure != null) {
                throw new IllegalStateException(failure);
            }
        }
    }
}
