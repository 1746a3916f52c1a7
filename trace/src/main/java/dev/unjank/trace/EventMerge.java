package dev.unjank.trace;

/**
 * Walks sorted logs as one, in order of time. At equal times a log that has the turn keeps it, unless it would go on from
 * compact scheduler events to others or back; otherwise the first log goes first. That is the order in which Perfetto's trace
 * processor takes them, which holds compact events apart; it decides what became of a thread that one CPU put to sleep and
 * another woke at once. Blocks are given back as they have been read.
 *
 * <p>Logs are few (one for each CPU and one more) and events come in bursts from one of them, so that all logs are looked at
 * only when a burst ends.
 */
final class EventMerge {
    private final EventLog[] logs;

    // Per log: the block that it is at, how long that is, where the next event is in it, and which one is next.
    private final long[][] blocks;
    private final Renumbering[] renumberings;
    private final int[] ends;
    private final int[] offsets;
    private final int[] nexts;

    // The logs that have events left, in order: their number and their next event's time.
    private final int[] waiting;
    private final long[] times;
    private int waitingCount;

    /** Which of the waiting logs has the turn, and until when it keeps it. */
    private int turn = -1;

    private long turnEnds;

    /** The block and place of the current event, for the caller to read, and what the ids of texts in it become. */
    long[] words = {EventKind.NO_WORDS};

    int at;
    Renumbering names = Renumbering.NONE;

    /** Where the current event's block ends. */
    private int end;

    /** The number of the current event's log. */
    int log;

    EventMerge(EventLog[] logs) {
        this.logs = logs;
        blocks = new long[logs.length][];
        renumberings = new Renumbering[logs.length];
        ends = new int[logs.length];
        offsets = new int[logs.length];
        nexts = new int[logs.length];
        waiting = new int[logs.length];
        times = new long[logs.length];
        for (int i = 0; i < logs.length; i++) {
            if (logs[i].size() > 0) {
                blocks[i] = new long[BlockPool.LONGS];
                readBlock(i);
                waiting[waitingCount] = i;
                times[waitingCount++] = blocks[i][1];
            }
        }
    }

    /** Reads a log's next block into its array. */
    private void readBlock(int ofLog) {
        int block = nexts[ofLog]++;
        ends[ofLog] = logs[ofLog].read(block, blocks[ofLog]);
        renumberings[ofLog] = logs[ofLog].left(block);
    }

    /** Moves to the next event; false at the end. */
    boolean next() {
        int next = at + EventKind.words(words[at]);
        if (next < end && words[next + 1] < turnEnds) {
            at = next;
            return true;
        }
        return turn < 0 ? nextTurn() : goOn(next);
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
        times[turn] = time;
        return nextTurn();
    }

    /** Takes up the next block of the log that has the turn; false at the log's end: it then waits no longer. */
    private boolean nextBlock() {
        if (nexts[log] == logs[log].blocks()) {
            waitingCount--;
            System.arraycopy(waiting, turn + 1, waiting, turn, waitingCount - turn);
            System.arraycopy(times, turn + 1, times, turn, waitingCount - turn);
            return false;
        }
        readBlock(log);
        end = ends[log];
        names = renumberings[log];
        at = 0;
        return true;
    }

    private boolean nextTurn() {
        if (waitingCount == 0) {
            return false;
        }
        int first = 0;
        long earliest = times[0];
        long second = Long.MAX_VALUE;
        for (int i = 1; i < waitingCount; i++) {
            long time = times[i];
            if (time < earliest) {
                second = earliest;
                earliest = time;
                first = i;
            } else if (time < second) {
                second = time;
            }
        }
        turn = first;
        turnEnds = second;
        log = waiting[first];
        words = blocks[log];
        names = renumberings[log];
        end = ends[log];
        at = offsets[log];
        return true;
    }
}
