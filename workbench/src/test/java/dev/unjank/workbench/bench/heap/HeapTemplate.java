package dev.unjank.workbench.bench.heap;

import java.util.Arrays;

/**
 * The looper's heap with its parts as methods, for {@link HeapVariants} to replace.
 *
 * <p>The calls of what is replaced cost nothing: a class loader has only one variant, and the compiler knows it.
 */
abstract class HeapTemplate {
    /** In place of what was taken out. */
    private static final Object NOTHING = new Object();

    long[] keys = new long[32];
    Object[] items = new Object[16];
    int size;

    final int size() {
        return size;
    }

    final long firstMajor() {
        return major(0);
    }

    final void add(Object item, long major, long minor) {
        if (size + padding() == items.length) {
            resize(items.length * 2);
        }
        siftUp(0, size++, item, major, minor);
    }

    /** Adds a message without regard to order, which {@link #heapify()} makes. */
    final void append(Object item, long major, long minor) {
        if (size + padding() == items.length) {
            resize(items.length * 2);
        }
        put(size++, item, major, minor);
    }

    /** As compact() does (Floyd). */
    final void heapify() {
        for (int i = (size - 2) >> shift(); i >= 0; i--) {
            siftDown(i, items[i + padding()], major(i), minor(i));
        }
    }

    final Object removeFirst() {
        Object first = items[padding()];
        int last = --size;
        Object moved = items[last + padding()];
        items[last + padding()] = NOTHING;
        if (last > 0) {
            siftDown(0, moved, major(last), minor(last));
        }
        if (size >= 16 && size < items.length / 4) {
            resize(items.length / 2);
        }
        return first;
    }

    void resize(int capacity) {
        keys = Arrays.copyOf(keys, 2 * capacity);
        items = Arrays.copyOf(items, capacity);
    }

    /** How many slots stay empty before the first. */
    int padding() {
        return 0;
    }

    /** The logarithm of the number of children. */
    int shift() {
        return 2;
    }

    long major(int i) {
        return keys[2 * (i + padding())];
    }

    long minor(int i) {
        return keys[2 * (i + padding()) + 1];
    }

    void put(int i, Object item, long major, long minor) {
        int slot = i + padding();
        keys[2 * slot] = major;
        keys[2 * slot + 1] = minor;
        items[slot] = item;
    }

    final void move(int from, int to) {
        put(to, items[from + padding()], major(from), minor(from));
    }

    boolean before(long major1, long minor1, long major2, long minor2) {
        return major1 < major2 || (major1 == major2 && minor1 < minor2);
    }

    /** The least of the children, of which the first is given, and exists. */
    int least(int first) {
        int least = first;
        int end = Math.min(first + (1 << shift()), size);
        for (int child = first + 1; child < end; child++) {
            if (before(major(child), minor(child), major(least), minor(least))) {
                least = child;
            }
        }
        return least;
    }

    final void siftUp(int top, int from, Object item, long major, long minor) {
        int i = from;
        while (i > top) {
            int parent = (i - 1) >>> shift();
            if (!before(major, minor, major(parent), minor(parent))) {
                break;
            }
            move(parent, i);
            i = parent;
        }
        put(i, item, major, minor);
    }

    void siftDown(int from, Object item, long major, long minor) {
        int i = from;
        for (int first = (from << shift()) + 1; first < size; first = (i << shift()) + 1) {
            int least = least(first);
            if (!before(major(least), minor(least), major, minor)) {
                break;
            }
            move(least, i);
            i = least;
        }
        put(i, item, major, minor);
    }
}
