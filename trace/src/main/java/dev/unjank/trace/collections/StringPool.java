package dev.unjank.trace.collections;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A pool of interned UTF-8 strings without objects: the bytes are in a few large arrays, and an open-addressing table
 * finds the id of a string by its hash. Not thread-safe while strings are added.
 */
public final class StringPool {
    private static final int BLOCK_BITS = 16;
    private static final int BLOCK = 1 << BLOCK_BITS;

    /**
     * The hash multiplies eight bytes at a time by this number. It is random, so that no file can be crafted with
     * strings all fall into one slot; ids do not depend on it.
     */
    private static final long FACTOR = ThreadLocalRandom.current().nextLong() | 1;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** The place of each string: block number in the upper half, offset within the block in the lower. */
    private long[] places = new long[1024];

    private int[] lengths = new int[1024];
    private int[] hashes = new int[1024];
    private int size;

    /** Ids plus one; 0 is an empty slot. At most half full. */
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

    /** Interns a string that is probably the one with a given id: one comparison confirms it without a lookup. */
    public int intern(byte[] bytes, int from, int length, int likely) {
        return likely >= 0 && equals(likely, bytes, from, length) ? likely : intern(bytes, from, length);
    }

    /** Adds all strings of another pool; the result maps its ids to ids of this pool. */
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

    /** The last eight bytes of a string that is not empty, or all if it is shorter. */
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

    /** Each bit of a product depends on lower bits only: mix the upper half into the lower one. */
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

    /** Compares eight bytes at a time: the JDK's comparison takes three times as long for strings this short. */
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

    /** Reserves {@code length} bytes in the last block; a string longer than a block gets its own block. */
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
