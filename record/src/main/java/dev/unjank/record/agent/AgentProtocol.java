package dev.unjank.record.agent;

/**
 * What goes from the observer to the recorder, over a socket: messages of a kind, a byte, and what belongs to it. Numbers are
 * big-endian; a text is its length as a short and UTF-8.
 *
 * <pre>
 * HELLO    int version
 * TEXT     int id, text
 * FRAME    int id, int class, int method, int descriptor, int file (ids of texts, the last -1 if unknown), int line
 * SIGHTING long ns, long since, long waiter, long owner (numbers of Java threads), byte how, int lock (id of a text),
 *          boolean last, short count, int... frames (ids, the innermost first)
 * OVER     long waiter (a wait that was told is no longer seen)
 * COUNTS   long sightings, long without a stack, long lost, long waits for a lock of the observer's own
 * FORGET   (ids begin to mean something new)
 * TROUBLE  text
 * LOOKED   (the last look has been taken)
 * </pre>
 *
 * <p>{@code since} is when the wait was first seen. The counts are of all so far.
 *
 * <p>With an empty line, nothing but {@link #LINE_END}, the recorder says that the recording ends: the observer looks for the last time, and what it sees is
 * {@code last}. With another line the recorder asks for the end: how the names of the Flight Recorder's recordings begin that it could not end, for
 * the observer to do it; empty if there are none. The observer then closes the connection. It does so, too, if the recorder goes.
 */
public final class AgentProtocol {
    /** The version of all this. */
    public static final int VERSION = 5;

    /** The first message. */
    public static final byte HELLO = 1;

    /** A text. */
    public static final byte TEXT = 2;

    /** A place in a program. */
    public static final byte FRAME = 3;

    /** A thread was seen to wait for a lock that another has. */
    public static final byte SIGHTING = 4;

    /** How much was seen, and how much not. */
    public static final byte COUNTS = 5;

    /** All texts and frames are forgotten. */
    public static final byte FORGET = 6;

    /** Something does not work. */
    public static final byte TROUBLE = 7;

    /** A thread no longer waits as was told. */
    public static final byte OVER = 8;

    /** The last look has been taken. */
    public static final byte LOOKED = 9;

    /** Ends a line of the recorder's. */
    public static final byte LINE_END = '\n';

    /** The waiter is blocked on a monitor. */
    public static final byte MONITOR = 0;

    /** The waiter is parked on a lock of {@code java.util.concurrent}. */
    public static final byte PARK = 1;

    private AgentProtocol() {}
}
