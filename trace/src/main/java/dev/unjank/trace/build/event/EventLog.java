package dev.unjank.trace.build.event;

import dev.unjank.trace.collections.BlockPool;
import dev.unjank.trace.collections.StableSort;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A log of the events of one source, in the order in which they were added. A record consists of a few longs: a
 * header with the {@link EventKind} in its low byte, the time, and up to three words with a meaning that depends on the
 * kind. Records are written into an array; a full array is copied into a block outside the heap. Records never
 * straddle blocks.
 *
 * <p>Most sources are in time order (the events of one CPU are); {@link #sort} sorts the others.
 */
public final class EventLog {
    private static final int SMALLEST = 1 << 7;

    private final BlockPool pool;
    private final List<Block> blocks = new ArrayList<>();
    private long[] words = new long[SMALLEST];
    private int used;
    private int size;
    private long firstTime;
    private long lastTime = Long.MIN_VALUE;
    private boolean sorted = true;

    public EventLog(BlockPool pool) {
        this.pool = pool;
    }

    /** A block of records. */
    private record Block(LongBuffer longs, int used, IdRemapping numbers) {}

    /** The number of events. */
    int size() {
        return size;
    }

    /** Adds an event that the model does not contain. */
    public void addOther(long time) {
        add(EventKind.OTHER, time);
    }

    void add(long header, long time) {
        int at = reserve(2, time);
        words[at] = header;
        words[at + EventKind.TIME] = time;
    }

    void add(long header, long time, long a) {
        int at = reserve(3, time);
        words[at] = header;
        words[at + EventKind.TIME] = time;
        words[at + EventKind.A] = a;
    }

    void add(long header, long time, long a, long b) {
        int at = reserve(4, time);
        words[at] = header;
        words[at + EventKind.TIME] = time;
        words[at + EventKind.A] = a;
        words[at + EventKind.B] = b;
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
            blocks.add(new Block(block, used, IdRemapping.NONE));
            used = 0;
        }
    }

    /** Appends the events of another log, which must not be used afterwards. */
    public void append(EventLog other, IdRemapping numbers) {
        if (other.size == 0) {
            return;
        }
        if (!other.blocks.isEmpty()) {
            moveOut();
            for (Block block : other.blocks) {
                blocks.add(new Block(block.longs, block.used, block.numbers.andThen(numbers)));
            }
        }
        numbers.apply(other.words, other.used);
        while (used + other.used > words.length) {
            makeRoom();
        }
        System.arraycopy(other.words, 0, words, used, other.used);
        used += other.used;
        sorted &= other.sorted && other.firstTime + numbers.shiftNs() >= lastTime;
        firstTime = size == 0 ? other.firstTime + numbers.shiftNs() : firstTime;
        lastTime = other.lastTime + numbers.shiftNs();
        size += other.size;
    }

    /** Whether the times of another log, after a shift, overlap with these. Both logs are nearly in order. */
    public boolean overlaps(EventLog other, long shiftNs) {
        return size > 0
                && other.size > 0
                && firstTime < other.lastTime + shiftNs
                && other.firstTime + shiftNs < lastTime;
    }

    /** The number of events that {@link #sort} would move. */
    public int unsorted() {
        return sorted ? 0 : size;
    }

    /** This log in time order; events of equal times keep their order. Nothing may be added afterwards. */
    public EventLog sort() {
        moveOut();
        return sorted ? this : sorted();
    }

    private EventLog sorted() {
        long[] times = new long[size];
        long[] places = new long[size];
        long[] words = new long[BlockPool.LONGS];
        int event = 0;
        for (int b = 0; b < blocks.size(); b++) {
            Block block = blocks.get(b);
            block.longs.get(0, words, 0, block.used);
            for (int at = 0; at < block.used; at += EventKind.words(words[at])) {
                times[event] = EventKind.time(words, at) + block.numbers.shiftNs();
                places[event++] = ((long) b << 32) | at;
            }
        }
        int[] order = StableSort.sort(times);
        EventLog result = new EventLog(pool);
        Copies copies = new Copies();
        for (int i = 0; i < order.length; i++) {
            long place = places[order[i]];
            long[] from = copies.of((int) (place >>> 32));
            int at = (int) place;
            int length = EventKind.words(from[at]);
            int to = result.reserve(length, times[i]);
            System.arraycopy(from, at, result.words, to, length);
            blocks.get((int) (place >>> 32)).numbers.applyTo(result.words, to);
        }
        result.moveOut();
        for (Block block : blocks) {
            pool.release(block.longs);
        }
        return result;
    }

    /**
     * Copies on the heap of the blocks read last: events that are close in time are in few blocks, and single reads
     * outside the heap are slow.
     */
    private final class Copies {
        private static final int COUNT = 64;

        private final long[][] copies = new long[COUNT][];
        private final int[] blockOfCopy = new int[COUNT];

        long[] of(int block) {
            int place = block % COUNT;
            long[] copy = copies[place];
            if (copy != null && blockOfCopy[place] == block) {
                return copy;
            }
            if (copy == null) {
                copy = new long[BlockPool.LONGS];
                copies[place] = copy;
            }
            blocks.get(block).longs.get(0, copy, 0, blocks.get(block).used);
            blockOfCopy[place] = block;
            return copy;
        }
    }

    /** The number of blocks of a finished log. */
    int blocks() {
        return blocks.size();
    }

    /** Reads a block for the last time, into an array of {@value BlockPool#LONGS}, and returns the number of longs. */
    int read(int index, long[] into) {
        Block block = blocks.get(index);
        block.longs.get(0, into, 0, block.used);
        pool.release(block.longs);
        if (!block.numbers.isStringsOnly()) {
            block.numbers.apply(into, block.used);
        }
        return block.used;
    }

    /** The remapping of ids that {@link #read} has not applied; mostly that of strings. */
    IdRemapping remaining(int index) {
        IdRemapping numbers = blocks.get(index).numbers;
        return numbers.isStringsOnly() ? numbers : IdRemapping.NONE;
    }
}
