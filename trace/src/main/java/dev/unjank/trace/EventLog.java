package dev.unjank.trace;

import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Events of one source in the order in which they were added, as records of a few longs: a header whose low byte is the
 * {@link EventKind}, the time, and up to three words that the kind gives a meaning. Records are written into an array of the
 * log's own; whenever that is full it goes into a block outside the heap. Records never straddle blocks.
 *
 * <p>Most sources are in order of time already (the events of one CPU are); {@link #sort} mends those that are not.
 */
final class EventLog {
    private static final int SMALLEST = 1 << 7;

    private final BlockPool pool;
    private final List<Block> blocks = new ArrayList<>();
    private long[] words = new long[SMALLEST];
    private int used;
    private int size;
    private long firstTime;
    private long lastTime = Long.MIN_VALUE;
    private boolean sorted = true;

    EventLog(BlockPool pool) {
        this.pool = pool;
    }

    /** Records outside the heap. */
    private static final class Block {
        final LongBuffer longs;
        final int used;

        /** The ids of the records' names, by the ids that the records have; null if these are right. */
        final int @Nullable [] names;

        Block(LongBuffer longs, int used, int @Nullable [] names) {
            this.longs = longs;
            this.used = used;
            this.names = names;
        }
    }

    /** How many events there are. */
    int size() {
        return size;
    }

    void add(long header, long time, long a) {
        int at = reserve(3, time);
        words[at] = header;
        words[at + 1] = time;
        words[at + 2] = a;
    }

    void add(long header, long time, long a, long b) {
        int at = reserve(4, time);
        words[at] = header;
        words[at + 1] = time;
        words[at + 2] = a;
        words[at + 3] = b;
    }

    void add(long header, long time, long a, long b, long c) {
        int at = reserve(5, time);
        words[at] = header;
        words[at + 1] = time;
        words[at + 2] = a;
        words[at + 3] = b;
        words[at + 4] = c;
    }

    private int reserve(int length, long time) {
        int at = used;
        if (at + length > words.length) {
            makeRoom();
            at = used;
        }
        if (time < lastTime) {
            sorted = false;
        }
        lastTime = time;
        if (size++ == 0) {
            firstTime = time;
        }
        used = at + length;
        return at;
    }

    private void makeRoom() {
        if (words.length < BlockPool.LONGS) {
            words = Arrays.copyOf(words, Math.min(words.length * 4, BlockPool.LONGS));
        } else {
            moveOut();
        }
    }

    private void moveOut() {
        if (used > 0) {
            LongBuffer block = pool.take();
            block.put(0, words, 0, used);
            blocks.add(new Block(block, used, null));
            used = 0;
        }
    }

    /**
     * Adds the events of another log, which is of no use afterwards, behind these.
     *
     * @param names the ids that the other log's names have here
     */
    void append(EventLog other, int[] names) {
        if (other.size == 0) {
            return;
        }
        if (!other.blocks.isEmpty()) {
            moveOut();
            for (Block block : other.blocks) {
                blocks.add(new Block(block.longs, block.used, names));
            }
        }
        rename(other.words, other.used, names);
        while (used + other.used > words.length) {
            makeRoom();
        }
        System.arraycopy(other.words, 0, words, used, other.used);
        used += other.used;
        sorted &= other.sorted && other.firstTime >= lastTime;
        firstTime = size == 0 ? other.firstTime : firstTime;
        lastTime = other.lastTime;
        size += other.size;
    }

    /** This log in order of time; events of equal times keep their order. Nothing is to be added afterwards. */
    EventLog sort() {
        moveOut();
        return sorted ? this : sorted();
    }

    private EventLog sorted() {
        long[] times = new long[size];
        long[] places = new long[size];
        int event = 0;
        for (int b = 0; b < blocks.size(); b++) {
            LongBuffer longs = blocks.get(b).longs;
            int end = blocks.get(b).used;
            for (int at = 0; at < end; at += EventKind.words(longs.get(at))) {
                times[event] = longs.get(at + 1);
                places[event++] = ((long) b << 32) | at;
            }
        }
        EventLog result = new EventLog(pool);
        for (int next : StableSort.order(times)) {
            Block block = blocks.get((int) (places[next] >>> 32));
            int at = (int) places[next];
            int length = EventKind.words(block.longs.get(at));
            int to = result.reserve(length, block.longs.get(at + 1));
            block.longs.get(at, result.words, to, length);
            if (block.names != null) {
                renameRecord(result.words, to, block.names);
            }
        }
        result.moveOut();
        for (Block block : blocks) {
            pool.giveBack(block.longs);
        }
        return result;
    }

    /** How many blocks a finished log has. */
    int blocks() {
        return blocks.size();
    }

    /** Reads a block for the last time, into an array of {@value BlockPool#LONGS}, and tells how many longs there are. */
    int read(int index, long[] into) {
        Block block = blocks.get(index);
        block.longs.get(0, into, 0, block.used);
        pool.giveBack(block.longs);
        if (block.names != null) {
            rename(into, block.used, block.names);
        }
        return block.used;
    }

    /** Gives the names of records from the beginning of an array their ids. */
    private static void rename(long[] words, int used, int[] ids) {
        for (int at = 0; at < used; at += EventKind.words(words[at])) {
            renameRecord(words, at, ids);
        }
    }

    /** Gives the names of a record their ids. */
    private static void renameRecord(long[] words, int at, int[] ids) {
        int names = EventKind.names(words[at]);
        if (names == 0) {
            return;
        }
        if ((names & EventKind.NAME_IN_A) != 0) {
            words[at + 2] = renamed(words[at + 2], ids);
        }
        if ((names & EventKind.NAME_IN_B) != 0) {
            words[at + 3] = renamed(words[at + 3], ids);
        }
        if ((names & EventKind.NAME_IN_HEADER) != 0) {
            int name = EventKind.high(words[at]);
            words[at] = EventKind.pair(name < 0 ? name : ids[name], EventKind.low(words[at]));
        }
    }

    private static long renamed(long word, int[] ids) {
        int name = EventKind.low(word);
        return name < 0 ? word : EventKind.pair(EventKind.high(word), ids[name]);
    }
}
