package dev.unjank.looper.queue;

import static dev.unjank.looper.queue.NodeState.fraction;
import static dev.unjank.looper.queue.NodeState.isQueued;

import dev.unjank.looper.util.Nullable;

/**
 * The waiting messages in the order of delivery: by time, and at the same time in the order of arrival. Accessed only
 * by the looper; not thread-safe.
 *
 * <p>Most messages are due at once and arrive in the order of their time, so a heap would be wasteful. So there are two
 * structures, and the earlier of their first messages is next: a <b>lane</b>, first in first out, takes messages that
 * are due soon and go after everything in the lane; a {@link MessageHeap} takes the rest. The cost of the lane does not
 * depend on the number of timers in the heap. Due messages that arrived out of order are sorted ({@link
 * OutOfOrderBatch}) before they are added, so that most of them go into the lane, too.
 *
 * <p>The key of a message is its millisecond, then one long with the fraction and the number of its arrival. The
 * numbers suffice for 2^47 arrivals without the queue ever being empty: four years at a million per second. After that
 * messages that are due at the same time might be reordered.
 */
public final class MessageOrder {
    private static final int INITIAL_CAPACITY = 16;

    /** The capacity above which the lane is shrunk when it is empty. */
    private static final int USUAL_CAPACITY = 4096;

    /** The number of the first arrival: the middle of the 48 bits that are available. */
    public static final long FIRST_ARRIVAL = 1L << 47;

    private static final int ARRIVAL_BITS = 48;
    /** A fraction is 16 unsigned bits. In the upper 16 of a signed long this bias keeps fractions in order. */
    private static final long FRACTION_BIAS = 1L << 15;

    private final MessageHeap heap = new MessageHeap();

    /** The lane: a ring buffer. */
    private Node[] lane = new Node[INITIAL_CAPACITY];

    /** The second keys of the messages in the lane. */
    private long[] laneMinors = new long[INITIAL_CAPACITY];

    /** The out-of-order messages between {@link #add} and {@link #arrange}. */
    private final OutOfOrderBatch outOfOrder = new OutOfOrderBatch();

    private int laneHead;
    private int laneSize;
    /** The number of messages at the end of the lane that have been added since {@link #arrange}. */
    private int laneNew;

    private long lastMajor;
    private long lastMinor;

    private static long minor(Node message, long arrival) {
        return ((fraction(message) - FRACTION_BIAS) << ARRIVAL_BITS) + arrival;
    }

    /**
     * Adds a message. {@link #arrange()} must be called before the next message is taken.
     *
     * @param arrival a unique number: higher than all numbers before, or lower to go before them
     * @param soon true if the message is due or nearly so
     */
    public void add(Node message, long arrival, boolean soon) {
        long major = message.when;
        long minor = minor(message, arrival);
        if (!soon || major == 0) { // messages for the front are delivered in reverse order of sending
            heap.add(message, major, minor);
        } else if (goesLast(major, minor)) {
            addLast(message, major, minor);
        } else {
            outOfOrder.add(message, major, minor);
        }
    }

    /** Puts the added messages in order. */
    public void arrange() {
        if (!outOfOrder.isEmpty()) {
            if (outOfOrder.areWorthSortingWith(laneNew)) {
                takeNewOutOfLane();
            }
            outOfOrder.drainTo(this);
        }
        laneNew = 0;
    }

    /**
     * Moves the new messages of the lane to the batch of out-of-order messages, to be sorted with them. If two of these
     * messages have the same due time, the message from the lane was sent first, because an out-of-order message is due
     * before the messages that are in the lane at its arrival.
     */
    private void takeNewOutOfLane() {
        outOfOrder.makeRoomForOlder(laneNew);
        while (laneNew > 0) {
            int i = laneIndex(--laneSize);
            outOfOrder.set(--laneNew, lane[i], lane[i].when, laneMinors[i]);
            vacate(i);
        }
        if (laneSize > 0) {
            int last = laneIndex(laneSize - 1);
            lastMajor = lane[last].when;
            lastMinor = laneMinors[last];
        }
    }

    /** Adds a message that need not be sorted with later messages of the same drain. */
    public void addToLaneOrHeap(Node message, long major, long minor) {
        if (goesLast(major, minor)) {
            addLast(message, major, minor);
        } else {
            heap.add(message, major, minor);
        }
    }

    private boolean goesLast(long major, long minor) {
        return laneSize == 0 || major > lastMajor || (major == lastMajor && minor > lastMinor);
    }

    private void addLast(Node message, long major, long minor) {
        if (laneSize == lane.length) {
            resizeLane(2 * laneSize);
        }
        int i = laneIndex(laneSize++);
        laneNew++;
        lane[i] = message;
        laneMinors[i] = minor;
        lastMajor = major;
        lastMinor = minor;
    }

    private int laneIndex(int place) {
        return (laneHead + place) & (lane.length - 1);
    }

    /** Copies the lane so that it begins at 0. */
    private void resizeLane(int capacity) {
        Node[] newLane = new Node[capacity];
        long[] newMinors = new long[capacity];
        for (int i = 0; i < laneSize; i++) {
            int from = laneIndex(i);
            newLane[i] = lane[from];
            newMinors[i] = laneMinors[from];
        }
        lane = newLane;
        laneMinors = newMinors;
        laneHead = 0;
    }

    /** Returns the number of messages in the heap; for tests. */
    int heaped() {
        return heap.size();
    }

    public boolean isEmpty() {
        return laneSize == 0 && heap.size() == 0;
    }

    private boolean laneIsNext() {
        return laneSize > 0 && !heap.goesBefore(lane[laneHead].when, laneMinors[laneHead]);
    }

    /** Returns the next message, dead or alive; null if there is none. */
    public @Nullable Node first() {
        return laneIsNext() ? lane[laneHead] : heap.first();
    }

    /** Returns true if this is not empty and its first message goes before that of another. */
    public boolean goesBefore(MessageOrder other) {
        if (laneIsNext()) {
            return other.isBehind(lane[laneHead].when, laneMinors[laneHead]);
        }
        return heap.size() > 0 && other.isBehind(heap.firstMajor(), heap.firstMinor());
    }

    private boolean isBehind(long major, long minor) {
        if (laneIsNext()) {
            long mine = lane[laneHead].when;
            return major < mine || (major == mine && minor < laneMinors[laneHead]);
        }
        return !heap.goesBefore(major, minor);
    }

    /** Removes the first message. */
    public void removeFirst() {
        if (laneIsNext()) {
            vacate(laneHead);
            laneHead = laneIndex(1);
            if (--laneSize == 0 && lane.length > USUAL_CAPACITY) {
                resizeLane(INITIAL_CAPACITY);
            }
        } else {
            heap.removeFirst();
        }
    }

    @SuppressWarnings("NullAway") // refilled before it is read; old elements must not be retained
    private void vacate(int i) {
        lane[i] = null;
    }

    /** Removes dead messages, wherever they are. */
    public void compact() {
        heap.compact();
        int kept = 0;
        for (int i = 0; i < laneSize; i++) {
            int from = laneIndex(i);
            Node m = lane[from];
            long minor = laneMinors[from];
            vacate(from);
            if (isQueued(m)) {
                int to = laneIndex(kept++);
                lane[to] = m;
                laneMinors[to] = minor;
            }
        }
        laneSize = kept;
        if (kept == 0 && lane.length > USUAL_CAPACITY) {
            resizeLane(INITIAL_CAPACITY);
        }
    }
}
