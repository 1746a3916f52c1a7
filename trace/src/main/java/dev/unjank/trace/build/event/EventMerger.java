package dev.unjank.trace.build.event;

import dev.unjank.trace.collections.BlockPool;

/**
 * Merges sorted logs in time order. At equal times the current log continues, unless it would switch between compact
 * scheduler events and others; otherwise the log with the lowest number is next. This is the order of Perfetto's
 * trace processor, which keeps compact events apart; it decides the state of a thread that one CPU put to sleep and
 * another woke at the same time. This is why the logs contain events that the model does not. Blocks are released
 * after they have been read.
 *
 * <p>Logs are few (one per CPU and one more) and events come in bursts from one of them; at the end of a burst its
 * log usually moves back in the queue by a place or two.
 */
public final class EventMerger {
    private final EventLog[] logs;

    // Per log: the current block, its length, the index of the next event, and the number of the next block.
    private final long[][] blocks;
    private final IdRemapping[] renumberings;
    private final int[] ends;
    private final int[] offsets;
    private final int[] nexts;

    // The logs that have events left, ordered by time and number: their number and the time of their next event. The
    // first one is current; its time is that of the beginning of its turn.
    private final int[] waiting;
    private final long[] times;
    private int waitingCount;

    /** The time until which the first log stays current; minimal before the first turn. */
    private long turnEnds = Long.MIN_VALUE;

    /** The block and index of the current event, for the caller to read, and the remapping of its string ids. */
    public long[] words = {EventKind.NO_WORDS};

    public int at;
    public IdRemapping names = IdRemapping.NONE;

    /** The end of the current event's block. */
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
                moveBack(i, EventKind.time(blocks[i], 0));
            }
        }
    }

    /** Reads a log's next block into its array. */
    private void readBlock(int ofLog) {
        int block = nexts[ofLog]++;
        ends[ofLog] = logs[ofLog].read(block, blocks[ofLog]);
        renumberings[ofLog] = logs[ofLog].remaining(block);
    }

    /** Moves to the next event; returns false at the end. */
    public boolean next() {
        int next = at + EventKind.words(words[at]);
        if (next < end && EventKind.time(words, next) < turnEnds) {
            at = next;
            return true;
        }
        return turnEnds == Long.MIN_VALUE ? nextTurn() : goOn(next);
    }

    /** Continues at the end of a block or of a turn. */
    private boolean goOn(int next) {
        boolean wasCompact = EventKind.isCompact(words, at);
        at = next;
        if (at == end && !nextBlock()) {
            return nextTurn();
        }
        long time = EventKind.time(words, at);
        if (time < turnEnds || (time == turnEnds && wasCompact == EventKind.isCompact(words, at))) {
            return true;
        }
        offsets[log] = at;
        moveBack(log, time);
        return nextTurn();
    }

    /** Reads the next block of the current log; returns false at the end of the log, and removes it from the queue. */
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

    /** Moves the first log, or a new one, to its position in the queue. */
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
