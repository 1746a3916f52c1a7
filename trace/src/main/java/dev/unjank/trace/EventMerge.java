package dev.unjank.trace;

/**
 * Walks sorted logs as one, in order of time. At equal times a log that has the turn keeps it, unless it would go on from
 * compact scheduler events to others or back; otherwise the first log goes first. That is the order in which Perfetto's trace
 * processor takes them, which holds compact events apart; it decides what became of a thread that one CPU put to sleep and
 * another woke at once. Chunks are dropped from their logs as they have been read.
 *
 * <p>Logs are few (one for each CPU and one more) and events come in bursts from one of them, so that all logs are looked at
 * only when a burst ends.
 */
final class EventMerge {
    private final EventLog[] logs;

    // Per log: its chunk, which one that is and where the next event is in it.
    private final long[][] chunks;
    private final int[] chunkIndexes;
    private final int[] offsets;

    // The logs that have events left, in order: their number and their next event's time.
    private final int[] waiting;
    private final long[] times;
    private int waitingCount;

    /** Which of the waiting logs has the turn, and until when it keeps it. */
    private int turn = -1;

    private long turnEnds;

    /** The chunk and place of the current event, for the caller to read. */
    long[] words = {};

    int at;

    /** The number of the current event's log. */
    int log;

    EventMerge(EventLog[] logs) {
        this.logs = logs;
        chunks = new long[logs.length][];
        chunkIndexes = new int[logs.length];
        offsets = new int[logs.length];
        waiting = new int[logs.length];
        times = new long[logs.length];
        for (int i = 0; i < logs.length; i++) {
            if (logs[i].size() > 0) {
                chunks[i] = logs[i].chunk(0);
                waiting[waitingCount] = i;
                times[waitingCount++] = chunks[i][1];
            }
        }
    }

    /** Moves to the next event; false at the end. */
    boolean next() {
        if (turn >= 0) {
            long[] lastWords = words;
            int last = at;
            if (advance()) {
                long time = words[at + 1];
                if (time < turnEnds
                        || (time == turnEnds
                                && EventKind.isCompact(lastWords, last) == EventKind.isCompact(words, at))) {
                    return true;
                }
                offsets[log] = at;
                times[turn] = time;
            }
        }
        return nextTurn();
    }

    /** Steps over the current event; false at the end of its log, which then waits no longer. */
    private boolean advance() {
        at += EventKind.words(words[at]);
        if (at < words.length && words[at] != 0) {
            return true;
        }
        int index = chunkIndexes[log];
        logs[log].drop(index);
        index++;
        if (index == logs[log].chunkCount()) {
            waitingCount--;
            System.arraycopy(waiting, turn + 1, waiting, turn, waitingCount - turn);
            System.arraycopy(times, turn + 1, times, turn, waitingCount - turn);
            return false;
        }
        chunkIndexes[log] = index;
        words = logs[log].chunk(index);
        chunks[log] = words;
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
        words = chunks[log];
        at = offsets[log];
        return true;
    }
}
