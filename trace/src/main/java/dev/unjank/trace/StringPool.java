package dev.unjank.trace;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Interns UTF-8 texts without making objects: the bytes lie one after another in a few large arrays, and an open-addressing
 * table finds the id of a text by its hash. Not thread-safe while texts are added.
 */
final class StringPool {
    private static final int BLOCK_BITS = 16;
    private static final int BLOCK = 1 << BLOCK_BITS;

    /**
     * The hash is a polynomial in this number, taken four bytes at a step. It differs from run to run, so that no file can
     * be made whose texts all fall into one slot; ids do not depend on it.
     */
    private static final int BASE = ThreadLocalRandom.current().nextInt() | 1;

    private static final int BASE2 = BASE * BASE;
    private static final int BASE3 = BASE2 * BASE;
    private static final int BASE4 = BASE3 * BASE;

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

    int size() {
        return size;
    }

    int intern(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return intern(bytes, 0, bytes.length);
    }

    int intern(byte[] bytes, int from, int length) {
        int hash = hash(bytes, from, length);
        int slot = slot(bytes, from, length, hash);
        int id = slots[slot] - 1;
        return id >= 0 ? id : add(bytes, from, length, hash, slot);
    }

    /** Takes over all texts of another pool; the result says which id each of them has here. */
    int[] addAll(StringPool other) {
        int[] ids = new int[other.size];
        for (int id = 0; id < ids.length; id++) {
            ids[id] = intern(other.block(id), other.offset(id), other.lengths[id]);
        }
        return ids;
    }

    String decode(int id) {
        return new String(block(id), offset(id), lengths[id], StandardCharsets.UTF_8);
    }

    private static int hash(byte[] bytes, int from, int length) {
        int hash = length;
        int i = from;
        int end = from + length;
        for (; i + 4 <= end; i += 4) {
            hash = hash * BASE4 + bytes[i] * BASE3 + bytes[i + 1] * BASE2 + bytes[i + 2] * BASE + bytes[i + 3];
        }
        for (; i < end; i++) {
            hash = hash * BASE + bytes[i];
        }
        // The table looks at the low bits only: bring the others down.
        hash ^= hash >>> 16;
        hash *= 0x9E3779B1;
        return hash ^ (hash >>> 15);
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

    private boolean equals(int id, byte[] bytes, int from, int length) {
        int offset = offset(id);
        return Arrays.equals(block(id), offset, offset + lengths[id], bytes, from, from + length);
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
