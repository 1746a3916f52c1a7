package dev.unjank.trace.read.perfetto;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Packets that come before the clock snapshot that would tell when they were, as in a ring buffer that has overwritten its
 * beginning. They are held until there is one, and so are all that follow them on their sequences, since these may build on them.
 */
final class PacketsBeforeClock {
    /** So much is held at most; the rest is taken as it comes. */
    private static final int MAX_BYTES = 16 << 20;

    /** What a packet costs beside its bytes. */
    private static final int OVERHEAD = 64;

    private List<byte[]> packets = new ArrayList<>();
    private final Set<Integer> sequences = new HashSet<>();
    private int bytes;

    boolean isEmpty() {
        return packets.isEmpty();
    }

    /** Whether packets of a sequence are held. */
    boolean isDeferred(int sequence) {
        return !packets.isEmpty() && sequences.contains(sequence);
    }

    /** Holds a packet; false if there is no room for it. */
    boolean defer(int sequence, byte[] buffer, int from, int to) {
        if (bytes + (to - from) + OVERHEAD > MAX_BYTES) {
            return false;
        }
        bytes += to - from + OVERHEAD;
        packets.add(Arrays.copyOfRange(buffer, from, to));
        sequences.add(sequence);
        return true;
    }

    /** Gives all of them out, in the order in which they came. */
    List<byte[]> release() {
        List<byte[]> released = packets;
        packets = new ArrayList<>();
        sequences.clear();
        bytes = 0;
        return released;
    }
}
