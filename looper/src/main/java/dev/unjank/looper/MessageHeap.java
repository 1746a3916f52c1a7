package dev.unjank.looper;

import java.util.Arrays;

/**
 * The messages that the looper has seen, earliest first: a heap ordered by (when, sequence). Belongs to the looper; not
 * safe for other threads.
 *
 * <p>Four children to a node: half as deep as a binary heap, and the children's keys lie side by side. Keys are in
 * arrays of their own, so that sifting reads no message; each message knows its index, so that it can be taken out of
 * the middle in O(log n). The two parts of a key are compared as what they are, never by subtraction, which overflows.
 */
final class MessageHeap {
    private static final int INITIAL_CAPACITY = 16;

    private long[] whens = new long[INITIAL_CAPACITY];
    private long[] sequences = new long[INITIAL_CAPACITY];
    private Message[] messages = new Message[INITIAL_CAPACITY];
    private int size;

    int size() {
        return size;
    }

    /** The earliest, or null if there is none. */
    @Nullable
    Message first() {
        return size == 0 ? null : messages[0];
    }

    /** True if this heap is not empty and its first goes before the first of another. */
    boolean goesFirst(MessageHeap other) {
        return size > 0 && (other.size == 0 || before(whens[0], sequences[0], other.whens[0], other.sequences[0]));
    }

    /** Adds a message under its time and a sequence number of which no two are alike. */
    void add(Message message, long sequence) {
        if (size == messages.length) {
            resize(size * 2);
        }
        siftUp(size++, message, message.when, sequence);
    }

    /** Takes out a message; does nothing if it is not here. */
    void remove(Message message) {
        int i = message.heapIndex;
        if (i < 0) {
            return;
        }
        message.heapIndex = -1;
        int last = --size;
        Message moved = messages[last];
        vacate(last);
        if (i != last) {
            long when = whens[last];
            long sequence = sequences[last];
            if (!siftDown(i, moved, when, sequence)) {
                siftUp(i, moved, when, sequence);
            }
        }
        // a quarter, not a half, so that a size at the edge does not copy to and fro
        if (size >= INITIAL_CAPACITY && size < messages.length / 4) {
            resize(messages.length / 2);
        }
    }

    private void resize(int capacity) {
        whens = Arrays.copyOf(whens, capacity);
        sequences = Arrays.copyOf(sequences, capacity);
        messages = Arrays.copyOf(messages, capacity);
    }

    private static boolean before(long when1, long sequence1, long when2, long sequence2) {
        return when1 < when2 || (when1 == when2 && sequence1 < sequence2);
    }

    private void put(int i, Message message, long when, long sequence) {
        whens[i] = when;
        sequences[i] = sequence;
        messages[i] = message;
        message.heapIndex = i;
    }

    @SuppressWarnings("NullAway") // nobody reads beyond the size; what was there must not be kept alive
    private void vacate(int i) {
        messages[i] = null;
    }

    private void move(int from, int to) {
        put(to, messages[from], whens[from], sequences[from]);
    }

    private void siftUp(int from, Message message, long when, long sequence) {
        int i = from;
        while (i > 0) {
            int parent = (i - 1) >>> 2;
            if (!before(when, sequence, whens[parent], sequences[parent])) {
                break;
            }
            move(parent, i);
            i = parent;
        }
        put(i, message, when, sequence);
    }

    /** Returns true if the message has moved down. */
    private boolean siftDown(int from, Message message, long when, long sequence) {
        int i = from;
        for (; ; ) {
            int first = (i << 2) + 1;
            if (first >= size) {
                break;
            }
            int least = first;
            int end = Math.min(first + 4, size);
            for (int child = first + 1; child < end; child++) {
                if (before(whens[child], sequences[child], whens[least], sequences[least])) {
                    least = child;
                }
            }
            if (!before(whens[least], sequences[least], when, sequence)) {
                break;
            }
            move(least, i);
            i = least;
        }
        put(i, message, when, sequence);
        return i != from;
    }
}
