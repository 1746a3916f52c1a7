package dev.unjank.trace;

import java.util.Arrays;

/**
 * Events of one source in the order in which they were added, as records of a few longs: a header whose low byte is the
 * {@link EventKind}, the time, and up to three words that the kind gives a meaning. Records never straddle chunks; a header
 * of 0 ends a chunk early.
 *
 * <p>Most sources are in order of time already (the events of one CPU are); {@link #sort} mends those that are not.
 */
final class EventLog {
    /** Longs in a full chunk; the first chunks are smaller, for sources with few events. */
    private static final int CHUNK = 1 << 14;

    private static final int FIRST_CHUNK = 1 << 7;
    private static final long[] DROPPED = {};

    private long[][] chunks = new long[4][];
    private int chunkCount;
    private long[] chunk = DROPPED;
    private int used;
    private int size;
    private long lastTime = Long.MIN_VALUE;
    private boolean sorted = true;

    /** How many events there are. */
    int size() {
        return size;
    }

    int chunkCount() {
        return chunkCount;
    }

    long[] chunk(int index) {
        return chunks[index];
    }

    /** Lets go of a chunk that nobody will read again. */
    void drop(int index) {
        chunks[index] = DROPPED;
    }

    void add(long header, long time, long a) {
        int at = reserve(3, time);
        chunk[at] = header;
        chunk[at + 1] = time;
        chunk[at + 2] = a;
    }

    void add(long header, long time, long a, long b) {
        int at = reserve(4, time);
        chunk[at] = header;
        chunk[at + 1] = time;
        chunk[at + 2] = a;
        chunk[at + 3] = b;
    }

    void add(long header, long time, long a, long b, long c) {
        int at = reserve(5, time);
        chunk[at] = header;
        chunk[at + 1] = time;
        chunk[at + 2] = a;
        chunk[at + 3] = b;
        chunk[at + 4] = c;
    }

    private int reserve(int words, long time) {
        if (used + words > chunk.length) {
            addChunk();
        }
        sorted &= time >= lastTime;
        lastTime = time;
        size++;
        int at = used;
        used = at + words;
        return at;
    }

    private void addChunk() {
        if (chunkCount == chunks.length) {
            chunks = Arrays.copyOf(chunks, chunkCount * 2);
        }
        chunk = new long[Math.min(CHUNK, FIRST_CHUNK << Math.min(2 * chunkCount, 16))];
        chunks[chunkCount++] = chunk;
        used = 0;
    }

    /** Gives every name in this log its new id. */
    void rename(int[] ids) {
        for (int c = 0; c < chunkCount; c++) {
            long[] words = chunks[c];
            for (int at = 0; at < words.length && words[at] != 0; at += EventKind.words(words[at])) {
                int names = EventKind.names(words[at]);
                if (names == 0) {
                    continue;
                }
                if ((names & EventKind.NAME_IN_A) != 0) {
                    words[at + 2] = renamed(EventKind.high(words[at + 2]), EventKind.low(words[at + 2]), ids);
                }
                if ((names & EventKind.NAME_IN_B) != 0) {
                    words[at + 3] = renamed(EventKind.high(words[at + 3]), EventKind.low(words[at + 3]), ids);
                }
                if ((names & EventKind.NAME_IN_HEADER) != 0) {
                    int name = EventKind.high(words[at]);
                    words[at] = EventKind.pair(name < 0 ? name : ids[name], EventKind.low(words[at]));
                }
            }
        }
    }

    private static long renamed(int high, int name, int[] ids) {
        return EventKind.pair(high, name < 0 ? name : ids[name]);
    }

    /** Adds the events of another log, which is of no use afterwards, behind these. */
    void append(EventLog other) {
        if (other.size == 0) {
            return;
        }
        sorted &= other.sorted && other.chunks[0][1] >= lastTime;
        lastTime = other.lastTime;
        size += other.size;
        chunks = Arrays.copyOf(chunks, chunkCount + other.chunkCount);
        System.arraycopy(other.chunks, 0, chunks, chunkCount, other.chunkCount);
        chunkCount += other.chunkCount;
        chunk = other.chunk;
        used = other.used;
    }

    /** This log in order of time; events of equal times keep their order. */
    EventLog sort() {
        if (sorted) {
            return this;
        }
        long[] times = new long[size];
        long[] places = new long[size];
        int event = 0;
        for (int c = 0; c < chunkCount; c++) {
            long[] words = chunks[c];
            for (int at = 0; at < words.length && words[at] != 0; at += EventKind.words(words[at])) {
                times[event] = words[at + 1];
                places[event++] = ((long) c << 32) | at;
            }
        }
        EventLog result = new EventLog();
        for (int next : StableSort.order(times)) {
            long[] words = chunks[(int) (places[next] >>> 32)];
            int at = (int) places[next];
            int length = EventKind.words(words[at]);
            int to = result.reserve(length, words[at + 1]);
            System.arraycopy(words, at, result.chunk, to, length);
        }
        return result;
    }
}
