package dev.unjank.looper;

import java.util.Arrays;

/**
 * What one drain brought that is due but did not come in the order of its time. It is sorted at once, where a heap would
 * sift one message after the other: after a long dispatch, or a pause of the whole machine, that is all the backlog. Belongs
 * to the looper; not safe for other threads.
 *
 * <p>What is sorted is one long for each message, for which the JDK has the fastest sort there is, and for which no message
 * need be read again:
 *
 * <pre>
 * bits   63            0
 *        ...           by how many milliseconds it is due before the latest
 *        16 of them    the fraction of its millisecond, the later the less
 *        the lowest    how many came after it, in as many bits as it takes
 * </pre>
 *
 * <p>So the greatest goes first.
 */
final class OutOfOrderBatch {
    /** A heap takes fewer than that as fast. */
    static final int WORTH_SORTING = 32;

    private static final int INITIAL_CAPACITY = 16;
    private static final int USUAL_CAPACITY = 1024;
    private static final int FRACTION_BITS = 16;

    private Message[] messages = new Message[INITIAL_CAPACITY];
    /** The first keys; while they are handed over, what has been sorted. */
    private long[] majors = new long[INITIAL_CAPACITY];

    private long[] minors = new long[INITIAL_CAPACITY];
    private int size;
    private long earliest = Long.MAX_VALUE;
    private long latest = Long.MIN_VALUE;

    boolean isEmpty() {
        return size == 0;
    }

    /** True if they will be sorted, and so many more with them for no more than twice the time. */
    boolean areWorthSortingWith(int more) {
        return size >= WORTH_SORTING && more <= size;
    }

    /**
     * Adds a message.
     *
     * @param minor its upper 16 bits are the fraction of the millisecond, with a sign; the rest is greater than that of all
     *     that were added before
     */
    void add(Message message, long major, long minor) {
        if (size == messages.length) {
            resize(2 * size);
        }
        set(size++, message, major, minor);
    }

    /** Makes room for messages that were sent before those that are here; each is to be {@link #set}. */
    void makeRoomForOlder(int count) {
        if (size + count > messages.length) {
            resize(2 * (size + count));
        }
        System.arraycopy(messages, 0, messages, count, size);
        System.arraycopy(majors, 0, majors, count, size);
        System.arraycopy(minors, 0, minors, count, size);
        size += count;
    }

    void set(int i, Message message, long major, long minor) {
        messages[i] = message;
        majors[i] = major;
        minors[i] = minor;
        earliest = Math.min(earliest, major);
        latest = Math.max(latest, major);
    }

    /** Hands them over, and is empty then: in order of their keys, unless they are few, or too far apart for one long. */
    void drainTo(MessageOrder order) {
        int indexBits = Integer.SIZE - Integer.numberOfLeadingZeros(size);
        long span = latest - earliest; // less than 0 if a long does not hold it
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
