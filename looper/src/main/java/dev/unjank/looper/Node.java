package dev.unjank.looper;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What a queue keeps in a message: its state and its links.
 *
 * <p>A message goes through a queue at most once, which is what keeps every structure here free of the ABA problem: a
 * node that has left a list never comes back to it. The state says how far it has come:
 *
 * <pre>
 * state      meaning                        leaves it to     by
 * FRESH      editable; may be sent          QUEUED           whoever sends it (compare-and-set)
 *                                           TAKEN            whoever runs it without a queue (compare-and-set)
 *                                           RECYCLED         whoever recycles it (compare-and-set)
 * QUEUED     belongs to a queue             TAKEN            the looper, to run it (compare-and-set)
 *                                           REMOVED          whoever removes it (compare-and-set)
 *                                           RECYCLED         the sender, if the queue refused it
 * TAKEN      being delivered                RECYCLED         the looper, after delivery
 * REMOVED    a tombstone; payload cleared   -
 * RECYCLED   dead; payload cleared          -
 * </pre>
 *
 * <p>TAKEN and REMOVED are won by one compare-and-set on the same word, so a message is run once or removed once, never
 * both. Readers that match messages beside the looper rely on one more promise: the payload of a message does not
 * change before its state does. The winner of either compare-and-set issues a store-store fence before anyone may touch
 * the payload, and a reader that has read the payload issues a load-load fence and looks at the state again: if it is
 * still QUEUED, what was read was the message as sent.
 */
abstract sealed class Node permits Message {
    static final int FRESH = 0;
    static final int QUEUED = 1;
    static final int TAKEN = 2;
    static final int REMOVED = 3;
    static final int RECYCLED = 4;

    /** An ordinary message. */
    static final byte SYNCHRONOUS = 0;
    /** A message that passes barriers. */
    static final byte ASYNCHRONOUS = 1;
    /** Not a message: holds up the synchronous messages behind it. */
    static final byte BARRIER = 2;
    /** Not a message: the end of a lock-free stack. */
    static final byte END = 3;

    private static final long NANOS_PER_MILLI = 1_000_000L;

    private static final VarHandle STATE;
    private static final VarHandle NEXT;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            STATE = lookup.findVarHandle(Node.class, "state", int.class);
            NEXT = lookup.findVarHandle(Node.class, "next", Message.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** When it is due, in uptime milliseconds. Written before it is queued; survives removal. */
    long when;

    /** One of the four kinds above. Written before it is queued, then constant, whatever the user does to the message. */
    byte kind;

    /** Its place in the looper's heap, or -1. Belongs to the looper. */
    int heapIndex = -1;

    /** The neighbour that was posted next, once the looper has seen both. Belongs to the looper. */
    @Nullable
    Message newer;

    /**
     * What observers of the sending want to find again at the delivery, or null. Written before it is queued, then
     * constant until the message is retired or removed.
     */
    @Nullable
    Object note;

    /** The next on the list of removed messages. Written by the remover before it publishes. */
    @Nullable
    Message nextRemoved;

    /** How many are on the list of removed messages from here on. Written by the remover before it publishes. */
    int removedDepth;

    /** See the table above. */
    private volatile int state;

    /** Towards older messages on the stack, or towards later ones on the monitor's list. */
    private @Nullable Message next;

    /** When it is due on {@link Clock#nanos()}; times that nanoseconds cannot express are the end of time. */
    final long dueNanos() {
        if (when >= Long.MAX_VALUE / NANOS_PER_MILLI) {
            return Long.MAX_VALUE;
        }
        return when <= Long.MIN_VALUE / NANOS_PER_MILLI ? Long.MIN_VALUE : when * NANOS_PER_MILLI;
    }

    final int stateVolatile() {
        return state;
    }

    final boolean isQueued() {
        return stateVolatile() == QUEUED;
    }

    /** To be called after reading the payload: true if what was read was the message as sent. */
    final boolean wasIntact() {
        VarHandle.loadLoadFence();
        return isQueued();
    }

    /** Claims a fresh message for sending; false if it has been sent, removed or recycled before. */
    final boolean casFreshToQueued() {
        return STATE.compareAndSet(this, FRESH, QUEUED);
    }

    final boolean casFreshToRecycled() {
        return STATE.compareAndSet(this, FRESH, RECYCLED);
    }

    /** Claims a fresh message for delivery without a queue; false if it has been sent, removed or recycled before. */
    final boolean casFreshToTaken() {
        return STATE.compareAndSet(this, FRESH, TAKEN);
    }

    /** The looper's claim to run this message. */
    final boolean casQueuedToTaken() {
        return leaveQueue(TAKEN);
    }

    /** Anyone's claim to remove this message. */
    final boolean casQueuedToRemoved() {
        return leaveQueue(REMOVED);
    }

    private boolean leaveQueue(int outcome) {
        if (!STATE.compareAndSet(this, QUEUED, outcome)) {
            return false;
        }
        // a compare-and-set does not keep later plain stores behind its own store on every processor
        VarHandle.storeStoreFence();
        return true;
    }

    /** Release: the cleared payload comes before the state that lets anyone believe it. */
    final void setStateRelease(int newState) {
        STATE.setRelease(this, newState);
    }

    /** Plain: before publication, under the monitor, or by the looper, which alone changes a published link. */
    final @Nullable Message nextPlain() {
        return next;
    }

    /** Plain: before publication, or under the monitor. */
    final void setNextPlain(@Nullable Message message) {
        next = message;
    }

    /** Opaque: traversal races with unlinking, and either value of the link leads to every live message behind it. */
    final @Nullable Message nextOpaque() {
        return (Message) NEXT.getOpaque(this);
    }

    /** Opaque: the counterpart of {@link #nextOpaque()}; what it links to was published long before. */
    final void setNextOpaque(@Nullable Message message) {
        NEXT.setOpaque(this, message);
    }
}
