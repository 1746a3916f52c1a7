package dev.unjank.looper.queue;

import dev.unjank.looper.util.Nullable;

/**
 * The base class of messages, with the state that a queue needs. The methods that access this state are in {@link
 * NodeState}, since public methods of this class would become API of every message.
 */
public abstract class Node {
    /** The millisecond in which the message is due. Written before the message is queued; kept after removal. */
    long when;

    /** The state word; its layout is the table in {@link NodeState}. */
    volatile int word;

    /** The next older message on the stack, or the next later message in the monitor queue's list. */
    @Nullable
    Node next;

    /** Creates a node that is due at 0. */
    protected Node() {}
}
