package dev.unjank.looper.queue;

import java.util.Arrays;

/**
 * A batch of due messages of one drain that arrived out of order. Sorting them together is faster than sifting them one
 * by one into a heap; after a long dispatch or a pause of the machine, the batch is the complete backlog. Accessed only
 * by the looper; not thread-safe.
 *
 * <p>The sort runs over one long per message, so it uses the JDK's fastest sort and does not read the messages again:
 *
 * <pre>
 * bits   63            0
 *        ...           how many milliseconds it is due before the latest message
 *        16 bits       the fraction of its millisecond, inverted: later means smaller
 *        lowest bits   how many messages arrived after it, in as few bits as possible
 * </pre>
 *
 * <p>So the message with the greatest value is delivered first.
 */
final class OutOfOrderBatch {
    /** The minimum size of a batch; below it a heap is as fast. */
    static final int WORTH_SORTING = 32;

    private static final int INITIAL_CAPACITY = 16;
    private static final int USUAL_CAPACITY = 1024;
    private static final int FRACTION_BITS = 16;

    private Node[] messages = new Node[INITIAL_CAPACITY];
    /** The major keys; during {@link #drainTo}, the sorted values. */
    private long[] majors = new long[INITIAL_CAPACITY];

    private long[] minors = new long[INITIAL_CAPACITY];
    private int size;
    private long earliest = Long.MAX_VALUE;
    private long latest = Long.MIN_VALUE;

    boolean isEmpty() {
        return size == 0;
    }

    /** Returns true if sorting these messages together with {@code more} others is worthwhile. */
    boolean areWorthSortingWith(int more) {
        return size >= WORTH_SORTING && more <= size;
    }

    /**
     * Adds a message.
     *
     * @param minor the upper 16 bits are the fraction of the millisecond, signed; the lower bits are greater than those
     *     of all messages added before
     */
    void add(Node message, long major, long minor) {
        if (size == messages.length) {
            resize(2 * size);
        }
        set(size++, message, major, minor);
    }

    /** Makes room for messages that were sent before the present ones; the caller must {@link #set} each of them. */
    void makeRoomForOlder(int count) {
        if (size + count > messages.length) {
            resize(2 * (size + count));
        }
        System.arraycopy(messages, 0, messages, count, size);
        System.arraycopy(majors, 0, majors, count, size);
        System.arraycopy(minors, 0, minors, count, size);
        size += count;
    }

    void set(int i, Node message, long major, long minor) {
        messages[i] = message;
        majors[i] = major;
        minors[i] = minor;
        earliest = Math.min(earliest, major);
        latest = Math.max(latest, major);
    }

    /**
     * Moves all messages to the order and empties the batch; in key order, unless there are few messages or their span
     * does not fit a long.
     */
    void drainTo(MessageOrder order) {
        int indexBits = Integer.SIZE - Integer.numberOfLeadingZeros(size);
        long span = latest - earliest; // negative if it does not fit a long
        int spanShift = FRACTION_BITS + indexBits;
        if (size < WORTH_SORTING || span < 0 || span >= Long.MAX_VALUE >>> spanShift) {
            for (int i = 0; i < size; i++) {
                order.addToLaneOrHeap(messages[i], majors[i], minors[i]);
            }
        } else {
            for (int i = 0; i < size; i++) {
                long untilNext = Short.MAX_VALUE - (minors[i] >> (Long.SIZE - FRACTION_BITS));
                majors[i] = (latest - majors[i]) << spanShift | untilNext << indexBits | (size - 1 - i);
            }
            Arrays.sort(majors, 0, size);
            int indexMask = (1 << indexBits) - 1;
            for (int k = size - 1; k >= 0; k--) {
                int i = size - 1 - ((int) majors[k] & indexMask);
                order.addToLaneOrHeap(messages[i], latest - (majors[k] >>> spanShift), minors[i]);
            }
        }
        clear();
    }

    private void clear() {
        if (messages.length > USUAL_CAPACITY) {
            resize(INITIAL_CAPACITY);
        }
        Arrays.fill(messages, 0, Math.min(size, messages.length), null);
        size = 0;
        earliest = Long.MAX_VALUE;
        latest = Long.MIN_VALUE;
    }

    private void resize(int capacity) {
        messages = Arrays.copyOf(messages, capacity);
        majors = Arrays.copyOf(majors, capacity);
        minors = Arrays.copyOf(minors, capacity);
    }
}
