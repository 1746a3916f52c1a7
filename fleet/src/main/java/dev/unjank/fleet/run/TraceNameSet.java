package dev.unjank.fleet.run;

/**
 * A set of trace names in 16 to 32 bytes each, so that no trace is processed twice. It keeps only hashes of 64 bits:
 * among a million names the chance of a collision is 1 in 37 million. Not thread-safe.
 */
public final class TraceNameSet {
    private static final long OFFSET = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    private long[] table = new long[1 << 10];
    private int size;

    /** Adds a name; false if the set already contains it. */
    public boolean add(String name) {
        if (!add(hash(name))) {
            return false;
        }
        if (++size > table.length / 2) {
            grow();
        }
        return true;
    }

    int size() {
        return size;
    }

    private boolean add(long hash) {
        int slot = (int) (hash >>> 1) & (table.length - 1);
        while (table[slot] != 0) {
            if (table[slot] == hash) {
                return false;
            }
            slot = (slot + 1) & (table.length - 1);
        }
        table[slot] = hash;
        return true;
    }

    private void grow() {
        long[] old = table;
        table = new long[old.length * 2];
        for (long hash : old) {
            if (hash != 0) {
                add(hash);
            }
        }
    }

    /** FNV-1a with the finalizer of MurmurHash3; never 0, which marks an empty slot. */
    private static long hash(String name) {
        long hash = OFFSET;
        for (int i = 0; i < name.length(); i++) {
            hash = (hash ^ name.charAt(i)) * PRIME;
        }
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
        hash ^= hash >>> 33;
        return hash == 0 ? 1 : hash;
    }
}
