package dev.unjank.record.agent;

/**
 * The protocol between the agent and the recorder, over a socket. A message is a byte with the kind, followed by the
 * fields. Numbers are big-endian; a string is its length in bytes, a short, and UTF-8.
 *
 * <pre>
 * HELLO    int version
 * TEXT     int id, string
 * FRAME    int id, int class, int method, int descriptor, int file (ids of strings, the last -1 if unknown), int line
 * SIGHTING long ns, long since, long waiter, long owner (Java thread ids), byte how, int lock (id of a string),
 *          boolean last, short count, int... frames (ids, the innermost first)
 * OVER     long waiter (a reported wait has ended)
 * COUNTS   long samples, long without a stack, long lost, long waits for a lock of the agent's own
 * FORGET   (the ids defined so far are invalid)
 * TROUBLE  string
 * LOOKED   (the last sample has been taken)
 * </pre>
 *
 * <p>{@code since} is when the wait was first seen. Counts are totals.
 *
 * <p>The recorder sends two lines. The first is empty except for {@link #LINE_END}: the recording ends, and the agent
 * takes a last sample with {@code last} set. The second ends the agent, which closes the connection. It holds the name
 * prefix of Flight Recorder recordings that the recorder could not stop, for the agent to close; empty if there are
 * none. The agent also ends when the recorder closes the connection.
 */
public final class AgentProtocol {
    public static final int VERSION = 5;

    /** The first message. */
    public static final byte HELLO = 1;

    /** Defines a string. */
    public static final byte TEXT = 2;

    /** Defines a stack frame. */
    public static final byte FRAME = 3;

    /** A thread waits for a lock that another thread holds. */
    public static final byte SIGHTING = 4;

    /** Totals of samples and losses. */
    public static final byte COUNTS = 5;

    /** Invalidates all strings and frames. */
    public static final byte FORGET = 6;

    /** A part of the agent has failed. */
    public static final byte TROUBLE = 7;

    /** A reported wait has ended. */
    public static final byte OVER = 8;

    /** The last sample has been taken. */
    public static final byte LOOKED = 9;

    /** The end of a line from the recorder. */
    public static final byte LINE_END = '\n';

    /** The waiter is blocked on a monitor. */
    public static final byte MONITOR = 0;

    /** The waiter is parked on a lock of {@code java.util.concurrent}. */
    public static final byte PARK = 1;

    private AgentProtocol() {}
}
