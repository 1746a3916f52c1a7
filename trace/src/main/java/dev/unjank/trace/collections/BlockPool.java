package dev.unjank.trace.collections;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.ArrayDeque;

/**
 * Memory outside the heap for what is collected while a trace is made: blocks of one size. What has been read is given back and
 * serves again, so that the tables' rows come to lie where the events were that they were made of. Several threads may take
 * and give back; a block belongs to one of them.
 *
 * <p>Buffers rather than segments, since these are used while the JVM is still interpreting: access to a buffer is a few
 * plain calls.
 */
public final class BlockPool implements AutoCloseable {
    /** Longs in a block. */
    public static final int LONGS = 1 << 12;

    private static final int BLOCKS_IN_SLAB = 32;

    private final Arena arena = Arena.ofShared();
    private final ArrayDeque<LongBuffer> free = new ArrayDeque<>();
    private long bytes;

    /** A block, with whatever its last owner left in it. */
    public synchronized LongBuffer take() {
        if (free.isEmpty()) {
            MemorySegment slab = arena.allocate((long) BLOCKS_IN_SLAB * LONGS * Long.BYTES, Long.BYTES);
            bytes += slab.byteSize();
            LongBuffer longs =
                    slab.asByteBuffer().order(ByteOrder.nativeOrder()).asLongBuffer();
            for (int i = 0; i < BLOCKS_IN_SLAB; i++) {
                free.add(longs.slice(i * LONGS, LONGS));
            }
        }
        return free.removeFirst();
    }

    /** Takes back a block that nobody will look at again. */
    public synchronized void release(LongBuffer block) {
        free.addFirst(block);
    }

    /** How much memory there is or was, in blocks that somebody has and in free ones. */
    public synchronized long bytes() {
        return bytes;
    }

    /** Frees the memory of all blocks, whoever has them. */
    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }
}
