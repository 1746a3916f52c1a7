package dev.unjank.trace.collections;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Interns UTF-8 texts without making objects: the bytes lie one after another in a few large arrays, and an open-addressing
 * table finds the id of a text by its hash. Not thread-safe while texts are added.
 */
public final class StringPool {
    private static final int BLOCK_BITS = 16;
    private static final int BLOCK = 1 << BLOCK_BITS;

    /**
     * The hash takes eight bytes at a step and multiplies by this number. It differs from run to run, so that no file can be
     * made whose texts all fall into one slot; ids do not depend on it.
     */
    private static final long FACTOR = ThreadLocalRandom.current().nextLong() | 1;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** Where each text lies: block number in the upper half, offset within the block in the lower. */
    private long[] places = new long[1024];

    private int[] lengths = new int[1024];
    private int[] hashes = new int[1024];
    private int size;

    /** Ids plus one; 0 is an empty slot. Never more than half full. */
    private int[] slots = new int[4096];

    private byte[][] blocks = new byte[4][];
    private int blockCount;
    private int used = BLOCK;

    public int size() {
        return size;
    }

    public int intern(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return intern(bytes, 0, bytes.length);
    }

    public int intern(byte[] bytes, int from, int length) {
        int hash = hash(bytes, from, length);
        int slot = slot(bytes, from, length, hash);
        int id = slots[slot] - 1;
        return id >= 0 ? id : add(bytes, from, length, hash, slot);
    }

    /**
     * The id of a text that is likely to be one of those that there are: whether it is, is seen sooner than which one
     * it is.
     */
    public int intern(byte[] bytes, int from, int length, int likely) {
        return likely >= 0 && equals(likely, bytes, from, length) ? likely : intern(bytes, from, length);
    }

    /** Takes over all texts of another pool; the result says which id each of them has here. */
    public int[] addAll(StringPool other) {
        int[] ids = new int[other.size];
        for (int id = 0; id < ids.length; id++) {
            ids[id] = intern(other.block(id), other.offset(id), other.lengths[id]);
        }
        return ids;
    }

    public String decode(int id) {
        return new String(block(id), offset(id), lengths[id], StandardCharsets.UTF_8);
    }

    private static int hash(byte[] bytes, int from, int length) {
        long hash = length;
        int end = from + length;
        int i = from;
        for (; i + Long.BYTES <= end; i += Long.BYTES) {
            hash = mixed(hash ^ (long) LONGS.get(bytes, i));
        }
        if (i < end) {
            hash = mixed(hash ^ lastWord(bytes, from, length));
        }
        return (int) (hash ^ hash >>> 15);
    }

    /** The last bytes of a text that is not empty: eight, as they are, or all that there are. */
    private static long lastWord(byte[] bytes, int from, int length) {
        int end = from + length;
        if (length >= Long.BYTES) {
            return (long) LONGS.get(bytes, end - Long.BYTES);
        }
        if (from + Long.BYTES <= bytes.length) {
            int beyond = Long.SIZE - length * Byte.SIZE;
            return (long) LONGS.get(bytes, from) << beyond >>> beyond;
        }
        long word = 0;
        for (int i = end - 1; i >= from; i--) {
            word = word << Byte.SIZE | (bytes[i] & 0xff);
        }
        return word;
    }

    /** Each bit of a product depends on lower bits only: bring the upper half down. */
    private static long mixed(long hash) {
        long product = hash * FACTOR;
        return product ^ product >>> 32;
    }

    private byte[] block(int id) {
        return blocks[(int) (places[id] >>> 32)];
    }

    private int offset(int id) {
        return (int) places[id];
    }

    private int slot(byte[] bytes, int from, int length, int hash) {
        int mask = slots.length - 1;
        int slot = hash & mask;
        while (true) {
            int id = slots[slot] - 1;
            if (id < 0 || (hashes[id] == hash && equals(id, bytes, from, length))) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    /** By eight bytes at once: for texts as short as these, what the library does takes three times as long. */
    private boolean equals(int id, byte[] bytes, int from, int length) {
        if (length != lengths[id]) {
            return false;
        }
        byte[] own = block(id);
        int offset = offset(id);
        for (int i = 0; i + Long.BYTES <= length; i += Long.BYTES) {
            if ((long) LONGS.get(own, offset + i) != (long) LONGS.get(bytes, from + i)) {
                return false;
            }
        }
        return (length & Long.BYTES - 1) == 0 || lastWord(own, offset, length) == lastWord(bytes, from, length);
    }

    private int add(byte[] bytes, int from, int length, int hash, int slot) {
        int id = size;
        if (id == places.length) {
            int capacity = id * 2;
            places = Arrays.copyOf(places, capacity);
            lengths = Arrays.copyOf(lengths, capacity);
            hashes = Arrays.copyOf(hashes, capacity);
        }
        int offset = reserve(length);
        System.arraycopy(bytes, from, blocks[blockCount - 1], offset, length);
        places[id] = ((long) (blockCount - 1) << 32) | offset;
        lengths[id] = length;
        hashes[id] = hash;
        slots[slot] = id + 1;
        size = id + 1;
        if (size * 2 > slots.length) {
            rehash();
        }
        return id;
    }

    /** Room for {@code length} bytes in the last block; a text longer than a block gets one of its own. */
    private int reserve(int length) {
        if (blockCount == 0 || length > BLOCK - used) {
            if (blockCount == blocks.length) {
                blocks = Arrays.copyOf(blocks, blockCount * 2);
            }
            blocks[blockCount++] = new byte[Math.max(BLOCK, length)];
            used = 0;
        }
        int offset = used;
        used = length > BLOCK ? BLOCK : used + length;
        return offset;
    }

    private void rehash() {
        int[] bigger = new int[slots.length * 2];
        int mask = bigger.length - 1;
        for (int id = 0; id < size; id++) {
            int slot = hashes[id] & mask;
            while (bigger[slot] != 0) {
                slot = (slot + 1) & mask;
            }
            bigger[slot] = id + 1;
        }
        slots = bigger;
    }
}
