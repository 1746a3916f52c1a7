package dev.unjank.trace.read.perfetto;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Packets that precede the clock snapshot needed for their time, as in a ring buffer that has overwritten its
 * beginning. They are deferred until there is one, and so are all later packets of their sequences, since these may
 * depend on them.
 */
final class DeferredPackets {
    /** The limit of deferred bytes; further packets are imported without a clock. */
    private static final int MAX_BYTES = 16 << 20;

    /** The overhead per packet, in bytes. */
    private static final int OVERHEAD = 64;

    private List<byte[]> packets = new ArrayList<>();
    private final Set<Integer> sequences = new HashSet<>();
    private int bytes;

    boolean isEmpty() {
        return packets.isEmpty();
    }

    boolean isDeferred(int sequence) {
        return !packets.isEmpty() && sequences.contains(sequence);
    }

    /** Defers a packet; returns false if the limit is reached. */
    boolean defer(int sequence, byte[] buffer, int from, int to) {
        if (bytes + (to - from) + OVERHEAD > MAX_BYTES) {
            return false;
        }
        bytes += to - from + OVERHEAD;
        packets.add(Arrays.copyOfRange(buffer, from, to));
        sequences.add(sequence);
        return true;
    }

    /** Removes and returns all packets, in order of arrival. */
    List<byte[]> release() {
        List<byte[]> released = packets;
        packets = new ArrayList<>();
        sequences.clear();
        bytes = 0;
        return released;
    }
}
