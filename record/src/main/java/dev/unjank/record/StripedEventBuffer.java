package dev.unjank.record;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Several {@link EventRingBuffer}s, so that threads seldom meet. A thread always uses the same one, which keeps its marks in order;
 * there are as many as pay, not one for each thread, since there may be millions of virtual ones.
 */
final class StripedEventBuffer {
    private final List<EventRingBuffer<MessageEvent>> buffers = new ArrayList<>();

    /** So many buffers of so many marks, both powers of two. */
    StripedEventBuffer(int count, int capacity) {
        for (int i = 0; i < count; i++) {
            buffers.add(new EventRingBuffer<>(capacity));
        }
    }

    /** Puts a mark down, or counts it as lost. The thread itself only. */
    void put(ThreadIdentity thread, MessageEvent mark) {
        buffers.get((int) thread.javaId & (buffers.size() - 1)).offer(mark);
    }

    /** How many buffers there are. */
    int count() {
        return buffers.size();
    }

    /** Takes the oldest mark out of one buffer, null if there is none. The taker only. */
    @Nullable
    MessageEvent poll(int buffer) {
        return buffers.get(buffer).poll();
    }

    /** How many marks have been lost so far. Any thread. */
    long lost() {
        long sum = 0;
        for (EventRingBuffer<MessageEvent> buffer : buffers) {
            sum += buffer.lost();
        }
        return sum;
    }
}
