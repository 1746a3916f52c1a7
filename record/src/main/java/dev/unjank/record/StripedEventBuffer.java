package dev.unjank.record;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Several {@link EventRingBuffer}s, to reduce contention between producers. A thread always uses the same buffer, which
 * keeps its events in order. There is no buffer per thread, since there may be millions of virtual threads.
 */
final class StripedEventBuffer {
    private final List<EventRingBuffer<MessageEvent>> buffers = new ArrayList<>();

    /** Creates the buffers; both numbers are powers of two. */
    StripedEventBuffer(int count, int capacity) {
        for (int i = 0; i < count; i++) {
            buffers.add(new EventRingBuffer<>(capacity));
        }
    }

    /** Adds an event of the current thread, or counts it as lost. */
    void put(ThreadIdentity thread, MessageEvent mark) {
        buffers.get((int) thread.javaId & (buffers.size() - 1)).offer(mark);
    }

    /** The number of buffers. */
    int count() {
        return buffers.size();
    }

    /** Removes the oldest event of one buffer, null if there is none. Consumer only. */
    @Nullable
    MessageEvent poll(int buffer) {
        return buffers.get(buffer).poll();
    }

    /** The number of events lost so far. Thread-safe. */
    long lost() {
        long sum = 0;
        for (EventRingBuffer<MessageEvent> buffer : buffers) {
            sum += buffer.lost();
        }
        return sum;
    }
}
