package dev.unjank.looper.queue;

import static dev.unjank.looper.queue.NodeState.isQueued;

import dev.unjank.looper.util.Nullable;
import java.util.Arrays;

/**
 * A 4-ary heap of messages that is ordered by two keys. Accessed only by the looper; not thread-safe.
 *
 * <p>With four children per node the heap is half as deep as a binary heap, and the keys of all four children are in
 * one or two cache lines. The keys are in an array of their own, so sifting does not access the messages, most of which
 * are not in a cache. Removing a message from the middle would need its position in a field that every step writes. So
 * messages are removed only at the top; dead messages stay until they reach the top or, if there are too many, until
 * {@link #compact()}.
 *
 * <p>The outcome of comparing two random keys is unpredictable for a processor. So {@link #before} and {@link #lesser}
 * are written such that the compiler uses conditional moves, which takes about half the time: see docs/design/heap.md.
 */
public final class MessageHeap {
    private static final int INITIAL_CAPACITY = 16;

    /** The keys: the two parts of the key of message i are at 2i and 2i + 1. */
    private long[] keys = new long[2 * INITIAL_CAPACITY];

    private Node[] messages = new Node[INITIAL_CAPACITY];
    private int size;

    int size() {
        return size;
    }

    /** Returns the first message, dead or alive, or null if there is none. */
    @Nullable
    Node first() {
        return messages[0];
    }

    /** Returns true if this heap is not empty and its first message goes before the given keys. */
    boolean goesBefore(long major, long minor) {
        return size > 0 && before(keys[0], keys[1], major, minor);
    }

    long firstMajor() {
        return keys[0];
    }

    long firstMinor() {
        return keys[1];
    }

    /** Adds a message. No two messages have the same keys. */
    void add(Node message, long major, long minor) {
        if (size == messages.length) {
            resize(size * 2);
        }
        siftUp(size++, message, major, minor);
    }

    /** Removes the first message. */
    void removeFirst() {
        int last = --size;
        Node moved = messages[last];
        vacate(last);
        if (last > 0) {
            siftDown(0, moved, keys[2 * last], keys[2 * last + 1]);
        }
        // a quarter, not a half, so that a size at the limit does not copy repeatedly
        if (size >= INITIAL_CAPACITY && size < messages.length / 4) {
            resize(messages.length / 2);
        }
    }

    /** Removes dead messages, wherever they are. */
    void compact() {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (isQueued(messages[i])) {
                put(kept++, messages[i], keys[2 * i], keys[2 * i + 1]);
            }
        }
        Arrays.fill(messages, kept, size, null);
        size = kept;
        if (size < messages.length / 4) {
            resize(Math.max(INITIAL_CAPACITY, Integer.highestOneBit(Math.max(size, 1)) * 2));
        }
        for (int i = (size - 2) >> 2; i >= 0; i--) {
            siftDown(i, messages[i], keys[2 * i], keys[2 * i + 1]);
        }
    }

    private void resize(int capacity) {
        keys = Arrays.copyOf(keys, 2 * capacity);
        messages = Arrays.copyOf(messages, capacity);
    }

    /**
     * Compares the major parts, or the minor parts if the majors are equal: the only branch in the machine code is the
     * test for a tie.
     */
    private static boolean before(long major1, long minor1, long major2, long minor2) {
        boolean tie = major1 == major2;
        return (tie ? minor1 : major1) < (tie ? minor2 : major2);
    }

    private void put(int i, Node message, long major, long minor) {
        keys[2 * i] = major;
        keys[2 * i + 1] = minor;
        messages[i] = message;
    }

    @SuppressWarnings("NullAway") // elements beyond the size are never read; old elements must not be retained
    private void vacate(int i) {
        messages[i] = null;
    }

    private void move(int from, int to) {
        put(to, messages[from], keys[2 * from], keys[2 * from + 1]);
    }

    private void siftUp(int from, Node message, long major, long minor) {
        int i = from;
        while (i > 0) {
            int parent = (i - 1) >>> 2;
            if (!before(major, minor, keys[2 * parent], keys[2 * parent + 1])) {
                break;
            }
            move(parent, i);
            i = parent;
        }
        put(i, message, major, minor);
    }

    private void siftDown(int from, Node message, long major, long minor) {
        int i = from;
        for (; ; ) {
            int first = (i << 2) + 1;
            if (first >= size) {
                break;
            }
            int least = first + 4 <= size ? leastOfFour(first) : leastOfFew(first);
            if (!before(keys[2 * least], keys[2 * least + 1], major, minor)) {
                break;
            }
            move(least, i);
            i = least;
        }
        put(i, message, major, minor);
    }

    /** Returns the least of four children. The first two comparisons are independent of each other. */
    private int leastOfFour(int first) {
        return lesser(lesser(first, first + 1), lesser(first + 2, first + 3));
    }

    /** Returns the least of the existing children: the last node with children may have fewer than four. */
    private int leastOfFew(int first) {
        int least = first;
        for (int child = first + 1; child < size; child++) {
            least = lesser(least, child);
        }
        return least;
    }

    private int lesser(int i, int j) {
        return before(keys[2 * j], keys[2 * j + 1], keys[2 * i], keys[2 * i + 1]) ? j : i;
    }
}
