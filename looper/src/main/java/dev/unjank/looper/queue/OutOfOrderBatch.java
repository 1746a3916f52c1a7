package dev.unjank.looper.queue;

import java.util.Arrays;

/**
 * The due messages of one drain that arrived out of order. They are sorted at once, where a heap would sift them one by
 * one: after a long dispatch or a pause of the whole machine, that is the complete backlog. Belongs to the looper; not
 * safe for other threads.
 *
 * <p>The sort runs over one long per message: the JDK's fastest sort applies, and no message is read again:
 *
 * <pre>
 * bits   63            0
 *        ...           how many milliseconds it is due before the latest message
 *        16 bits       the fraction of its millisecond, inverted: later means smaller
 *        lowest bits   how many messages arrived after it, in as few bits as possible
 * </pre>
 *
 * <p>So the greatest value is delivered first.
 */
final class OutOfOrderBatch {
    /** Below this size a heap is as fast. */
    static final int WORTH_SORTING = 32;

    private static final int INITIAL_CAPACITY = 16;
    private static final int USUAL_CAPACITY = 1024;
    private static final int FRACTION_BITS = 16;

    private Node[] messages = new Node[INITIAL_CAPACITY];
    /** The first keys; during the hand-over, the sorted values. */
    private long[] majors = new long[INITIAL_CAPACITY];

    private long[] minors = new long[INITIAL_CAPACITY];
    private int size;
    private long earliest = Long.MAX_VALUE;
    private long latest = Long.MIN_VALUE;

    boolean isEmpty() {
        return size == 0;
    }

    /** True if these messages and {@code more} others will be sorted in at most twice the time. */
    boolean areWorthSortingWith(int more) {
        return size >= WORTH_SORTING && more <= size;
    }

    /**
     * Adds a message.
     *
     * @param minor its upper 16 bits are the fraction of the millisecond, signed; the rest is greater than that of all
     *     messages added before
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
     * Hands over all messages and empties the batch: in key order, unless they are few, or span more than a long can
     * hold.
     */
    void drainTo(MessageOrder order) {
        int indexBits = Integer.SIZE - Integer.numberOfLeadingZeros(size);
        long span = latest - earliest; // negative if a long cannot hold it
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
