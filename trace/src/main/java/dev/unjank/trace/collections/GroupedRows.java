package dev.unjank.trace.collections;

import java.nio.LongBuffer;
import java.util.Arrays;

/**
 * A table of rows of a few longs that belong to groups. Rows are added in any order and read group by group, so the
 * rows of a thread, a CPU or a track become adjacent without sorting. A group consists of runs of places, each twice
 * as long as the one before. While rows are added a row is identified by its place. The memory is taken from a {@link
 * BlockPool}.
 */
public final class GroupedRows {
    public static final int NONE = -1;

    private static final int FIRST_RUN = 8;
    private static final int LONGEST_RUN = 256;

    private final BlockPool pool;

    /** Base 2 logarithm of the longs in a row. */
    private final int widthBits;

    private final int blockBits;
    private final int blockMask;
    private LongBuffer[] blocks = new LongBuffer[16];
    private int blockCount;

    /** The first place that belongs to no run. */
    private int unused;

    // Per run, in order of places: its first place, its length, and the next run of its group.
    private final IntList runStarts = new IntList();
    private final IntList runLengths = new IntList();
    private final IntList nextRuns = new IntList();

    // Per group: its first and last run, the next free place of the last run and the end of that run.
    private int[] firstRuns = FilledArrays.of(64, NONE);
    private int[] lastRuns = FilledArrays.of(64, NONE);
    private int[] nexts = new int[64];
    private int[] ends = new int[64];

    /** The final row of each run's first place. */
    private int[] rowsOfRuns = {};

    public GroupedRows(BlockPool pool, int widthBits) {
        this.pool = pool;
        this.widthBits = widthBits;
        blockBits = Integer.numberOfTrailingZeros(BlockPool.LONGS) - widthBits;
        blockMask = (1 << blockBits) - 1;
    }

    /** The place of a new row at the end of its group; the caller sets its words. */
    public int add(int group) {
        if (group >= nexts.length) {
            growGroups(group);
        }
        int place = nexts[group];
        if (place == ends[group]) {
            place = addRun(group);
        }
        nexts[group] = place + 1;
        return place;
    }

    /** The place of a group's last row, {@link #NONE} if it has none. */
    public int last(int group) {
        return group < nexts.length ? nexts[group] - 1 : NONE;
    }

    public long get(int place, int word) {
        return block(place).get(at(place) + word);
    }

    public void set(int place, int word, long value) {
        block(place).put(at(place) + word, value);
    }

    /** Sets both words of a row that has two. */
    public void set(int place, long first, long second) {
        int at = at(place);
        block(place).put(at, first).put(at + 1, second);
    }

    /** Sets all words of a row that has four. */
    public void set(int place, long first, long second, long third, long fourth) {
        int at = at(place);
        block(place).put(at, first).put(at + 1, second).put(at + 2, third).put(at + 3, fourth);
    }

    private LongBuffer block(int place) {
        return blocks[place >>> blockBits];
    }

    private int addRun(int group) {
        int run = runStarts.size();
        int before = lastRuns[group];
        int length = FIRST_RUN;
        if (before == NONE) {
            firstRuns[group] = run;
        } else {
            nextRuns.set(before, run);
            length = Math.min(runLengths.get(before) * 2, LONGEST_RUN);
        }
        lastRuns[group] = run;
        int start = unused;
        unused = Math.addExact(start, length);
        while (blockCount <= (unused - 1) >>> blockBits) {
            if (blockCount == blocks.length) {
                blocks = Arrays.copyOf(blocks, blockCount * 2);
            }
            blocks[blockCount++] = pool.take();
        }
        runStarts.add(start);
        runLengths.add(length);
        nextRuns.add(NONE);
        ends[group] = unused;
        return start;
    }

    private void growGroups(int group) {
        int capacity = Math.max(group + 1, nexts.length * 2);
        firstRuns = FilledArrays.grown(firstRuns, capacity, NONE);
        lastRuns = FilledArrays.grown(lastRuns, capacity, NONE);
        nexts = Arrays.copyOf(nexts, capacity);
        ends = Arrays.copyOf(ends, capacity);
    }

    /** The first of a group's runs, {@link #NONE} if it has no rows. */
    public int firstRun(int group) {
        return group < firstRuns.length ? firstRuns[group] : NONE;
    }

    /** The next run of the same group, {@link #NONE} after the last. */
    public int nextRun(int run) {
        return nextRuns.get(run);
    }

    /** The first place of a run. */
    public int start(int run) {
        return runStarts.get(run);
    }

    /** The place after the last row of a run. */
    int end(int run, int group) {
        return run == lastRuns[group] ? nexts[group] : runStarts.get(run) + runLengths.get(run);
    }

    /** An array with room for the rows of any run. */
    public long[] arrayForRun() {
        return new long[LONGEST_RUN << widthBits];
    }

    /** Copies the rows of a run and returns their number. Faster than reading word by word. */
    public int read(int run, int group, long[] into) {
        int start = start(run);
        int rows = end(run, group) - start;
        int count;
        for (int row = 0; row < rows; row += count) {
            count = Math.min(rows - row, untilEndOfBlock(start + row));
            block(start + row).get(at(start + row), into, row << widthBits, count << widthBits);
        }
        return rows;
    }

    /** Writes back the rows of a run that {@link #read} has copied. */
    public void write(int run, int group, long[] from) {
        int start = start(run);
        int rows = end(run, group) - start;
        int count;
        for (int row = 0; row < rows; row += count) {
            count = Math.min(rows - row, untilEndOfBlock(start + row));
            block(start + row).put(at(start + row), from, row << widthBits, count << widthBits);
        }
    }

    /** The number of rows from a place to the end of its block. */
    private int untilEndOfBlock(int place) {
        return blockMask + 1 - (place & blockMask);
    }

    /** The index of a row within its block. */
    private int at(int place) {
        return (place & blockMask) << widthBits;
    }

    /**
     * Assigns final row numbers: the rows of a group are adjacent and the groups follow one another. {@code groups}
     * must cover all groups with rows.
     */
    public int[] settle(int groups) {
        int[] firsts = new int[groups + 1];
        rowsOfRuns = new int[runStarts.size()];
        int row = 0;
        for (int group = 0; group < groups; group++) {
            for (int run = firstRun(group); run != NONE; run = nextRun(run)) {
                rowsOfRuns[run] = row;
                row = Math.addExact(row, end(run, group) - start(run));
            }
            firsts[group + 1] = row;
        }
        return firsts;
    }

    /** The final number of the row at a place, after {@link #settle}. */
    public int row(int place) {
        int run = BinarySearch.first(1, runStarts.size(), each -> runStarts.get(each) > place) - 1;
        return rowsOfRuns[run] + place - runStarts.get(run);
    }

    /** Returns the memory to the pool; there are no rows afterwards. */
    public void release() {
        for (int i = 0; i < blockCount; i++) {
            pool.release(blocks[i]);
        }
        blockCount = 0;
    }
}
