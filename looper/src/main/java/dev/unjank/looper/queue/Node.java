package dev.unjank.looper.queue;

import dev.unjank.looper.util.Nullable;

/**
 * The base class of messages: holds what a queue needs of them. {@link NodeState} reads and changes it, and not methods
 * of this class, since public ones would be API of every message.
 */
public abstract class Node {
    /** The millisecond in which it is due. Written before it is queued; survives removal. */
    long when;

    /** The table in {@link NodeState} lays it out. */
    volatile int word;

    /** Links to older messages on the stack, or to later ones on the monitor's list. */
    @Nullable
    Node next;

    /** Makes a node that is due at 0. */
    protected Node() {}
}
