package dev.unjank.trace.collections;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.ArrayDeque;

/**
 * A pool of memory blocks of one size outside the heap, for the data that is collected while a trace is built.
 * Released blocks are reused, so the rows of the tables take the memory of the events that they were made from.
 * Thread-safe; a block belongs to one thread at a time.
 *
 * <p>It hands out buffers, not memory segments: building starts while the JVM is still interpreting, and access to a
 * buffer is a few plain calls.
 */
public final class BlockPool implements AutoCloseable {
    public static final int LONGS = 1 << 12;

    private static final int BLOCKS_IN_SLAB = 32;

    private final Arena arena = Arena.ofShared();
    private final ArrayDeque<LongBuffer> free = new ArrayDeque<>();
    private long bytes;

    /** A block with undefined content. */
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

    public synchronized void release(LongBuffer block) {
        free.addFirst(block);
    }

    /** The memory allocated so far, in bytes: used and free blocks. */
    public synchronized long bytes() {
        return bytes;
    }

    /** Frees the memory of all blocks, including those in use. */
    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }
}
