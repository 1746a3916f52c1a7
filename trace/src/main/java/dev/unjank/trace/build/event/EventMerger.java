package dev.unjank.trace.build.event;

import dev.unjank.trace.collections.BlockPool;

/**
 * Walks sorted logs as one, in order of time. At equal times a log that has the turn keeps it, unless it would go on from
 * compact scheduler events to others or back; otherwise the first log goes first. That is the order in which Perfetto's trace
 * processor takes them, which holds compact events apart; it decides what that tells of a thread that one CPU put to sleep and
 * another woke at once. It is why events that the model has no place for are in the logs: they take the turn, too. Blocks are
 * given back as they have been read.
 *
 * <p>Logs are few (one for each CPU and one more) and events come in bursts from one of them; when a burst ends, its log moves
 * back in the row of those that wait, most often by a place or two.
 */
public final class EventMerger {
    private final EventLog[] logs;

    // Per log: the block that it is at, how long that is, where the next event is in it, and which one is next.
    private final long[][] blocks;
    private final IdRemapping[] renumberings;
    private final int[] ends;
    private final int[] offsets;
    private final int[] nexts;

    // The logs that have events left: their number and their next event's time, in order of times and numbers. The
    // first one has the turn; its time is that of its turn's beginning.
    private final int[] waiting;
    private final long[] times;
    private int waitingCount;

    /** Until when the first one keeps its turn; the end of time before the first turn. */
    private long turnEnds = Long.MIN_VALUE;

    /** The block and place of the current event, for the caller to read, and what the ids of texts in it become. */
    public long[] words = {EventKind.NO_WORDS};

    public int at;
    public IdRemapping names = IdRemapping.NONE;

    /** Where the current event's block ends. */
    private int end;

    /** The number of the current event's log. */
    public int log;

    public EventMerger(EventLog[] logs) {
        this.logs = logs;
        blocks = new long[logs.length][];
        renumberings = new IdRemapping[logs.length];
        ends = new int[logs.length];
        offsets = new int[logs.length];
        nexts = new int[logs.length];
        waiting = new int[logs.length];
        times = new long[logs.length];
        for (int i = 0; i < logs.length; i++) {
            if (logs[i].size() > 0) {
                blocks[i] = new long[BlockPool.LONGS];
                readBlock(i);
                System.arraycopy(waiting, 0, waiting, 1, waitingCount);
                System.arraycopy(times, 0, times, 1, waitingCount);
                waitingCount++;
                moveBack(i, blocks[i][1]);
            }
        }
    }

    /** Reads a log's next block into its array. */
    private void readBlock(int ofLog) {
        int block = nexts[ofLog]++;
        ends[ofLog] = logs[ofLog].read(block, blocks[ofLog]);
        renumberings[ofLog] = logs[ofLog].remaining(block);
    }

    /** Moves to the next event; false at the end. */
    public boolean next() {
        int next = at + EventKind.words(words[at]);
        if (next < end && words[next + 1] < turnEnds) {
            at = next;
            return true;
        }
        return turnEnds == Long.MIN_VALUE ? nextTurn() : goOn(next);
    }

    /** Moves on where the block ends or the turn may. */
    private boolean goOn(int next) {
        boolean wasCompact = EventKind.isCompact(words, at);
        at = next;
        if (at == end && !nextBlock()) {
            return nextTurn();
        }
        long time = words[at + 1];
        if (time < turnEnds || (time == turnEnds && wasCompact == EventKind.isCompact(words, at))) {
            return true;
        }
        offsets[log] = at;
        moveBack(log, time);
        return nextTurn();
    }

    /** Takes up the next block of the log that has the turn; false at the log's end: it then waits no longer. */
    private boolean nextBlock() {
        if (nexts[log] == logs[log].blocks()) {
            waitingCount--;
            System.arraycopy(waiting, 1, waiting, 0, waitingCount);
            System.arraycopy(times, 1, times, 0, waitingCount);
            return false;
        }
        readBlock(log);
        end = ends[log];
        names = renumberings[log];
        at = 0;
        return true;
    }

    /** Puts a log that was first, or is new, where its next event's time belongs. */
    private void moveBack(int ofLog, long time) {
        int place = 0;
        for (int next = 1; next < waitingCount; next++) {
            if (times[next] > time || (times[next] == time && waiting[next] > ofLog)) {
                break;
            }
            times[place] = times[next];
            waiting[place] = waiting[next];
            place = next;
        }
        times[place] = time;
        waiting[place] = ofLog;
    }

    private boolean nextTurn() {
        if (waitingCount == 0) {
            return false;
        }
        turnEnds = waitingCount == 1 ? Long.MAX_VALUE : times[1];
        log = waiting[0];
        words = blocks[log];
        names = renumberings[log];
        end = ends[log];
        at = offsets[log];
        return true;
    }
}
