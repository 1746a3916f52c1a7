package dev.unjank.looper.queue;

import dev.unjank.looper.spi.Clock;
import dev.unjank.looper.util.Nullable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Accesses the queue state of a message: its due time, one word for all other state, and one link.
 *
 * <p>A message passes through a queue at most once, which avoids the ABA problem: a node that has left a list never
 * returns to it. The word is laid out as
 *
 * <pre>
 * bits   0 to 2    life      how far the message has come: see below
 *        3 to 4    kind      SYNCHRONOUS, ASYNCHRONOUS, BARRIER or END; constant once it is queued
 *        5         settled   {@link MessageGenerations} has moved it to the long-lived messages
 *        6 to 15   depth     how many were pushed on a sleeping looper from here on; written before it is queued
 *       16 to 31   fraction  of the millisecond in which it is due, in units of 16 ns; written before it is queued
 *
 * life       meaning                        leaves it to     by
 * FRESH      editable; may be sent          CLAIMED          the sender (compare-and-set)
 *                                           TAKEN            a thread that runs it without a queue (compare-and-set)
 *                                           RECYCLED         a thread that recycles it (compare-and-set)
 * CLAIMED    being prepared by its          QUEUED           the sender, just before it is published
 *            sender                         RECYCLED         the sender, if the queue refused it
 * QUEUED     belongs to a queue             TAKEN            the looper, to run it (compare-and-set)
 *                                           REMOVED          a thread that removes it (compare-and-set)
 *                                           RECYCLED         the sender, if the queue refused it
 * TAKEN      being delivered                RECYCLED         the looper, after delivery
 * REMOVED    a tombstone; payload cleared   -
 * RECYCLED   dead; payload cleared          -
 * </pre>
 *
 * <p>TAKEN and REMOVED are set by a compare-and-set on the same word, so a message is run once or removed once, never
 * both. Readers that match messages concurrently with the looper rely on a further invariant: the payload of a message
 * does not change before its life changes. The winner of either compare-and-set issues a store-store fence before the
 * payload is changed. A reader that has read the payload issues a load-load fence and reads the word again: if it is
 * still QUEUED, the reader has seen the message as sent.
 *
 * <p>With compressed references a message has 56 bytes. Each post creates a message, which one processor writes and
 * another reads, so its size counts twice. Hence there is one word for everything, no second link, and no heap
 * position.
 */
public final class NodeState {
    public static final int FRESH = 0;
    public static final int CLAIMED = 1;
    public static final int QUEUED = 2;
    public static final int TAKEN = 3;
    public static final int REMOVED = 4;
    public static final int RECYCLED = 5;
    private static final int LIFE = 7;

    /** An ordinary message. */
    public static final int SYNCHRONOUS = 0;
    /** A message that passes barriers. */
    public static final int ASYNCHRONOUS = 1;
    /** Not a message: a barrier, which blocks the synchronous messages behind it. */
    public static final int BARRIER = 2;
    /** Not a message: the end marker of a lock-free stack. */
    public static final int END = 3;

    private static final int KIND_SHIFT = 3;
    private static final int KIND = 3 << KIND_SHIFT;
    private static final int SETTLED = 1 << 5;
    private static final int DEPTH_SHIFT = 6;
    private static final int DEPTH = 1023 << DEPTH_SHIFT;
    private static final int FRACTION_SHIFT = 16;

    /** The due time of messages that are never due. */
    public static final long NEVER = Long.MAX_VALUE;

    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final long NANOS_PER_UNIT = 16;
    private static final long UNITS_PER_MILLI = NANOS_PER_MILLI / NANOS_PER_UNIT;

    private static final VarHandle WORD;
    private static final VarHandle NEXT;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            WORD = lookup.findVarHandle(Node.class, "word", int.class);
            NEXT = lookup.findVarHandle(Node.class, "next", Node.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private NodeState() {}

    // ---- the due time

    public static long when(Node node) {
        return node.when;
    }

    /** Clears the due time of a message that has ended, without changing the word. */
    public static void clearWhen(Node node) {
        node.when = 0;
    }

    /** Sets a due time of a whole millisecond. Plain: called before the message is queued. */
    public static void setDueMillis(Node node, long millis) {
        node.when = millis;
        setFractionPlain(node, 0);
    }

    /** Sets the due time to the given one, rounded up to 16 ns. Plain: called before the message is queued. */
    public static void setDueNanos(Node node, long nanos) {
        setDueUnits(node, Math.floorDiv(nanos - 1, NANOS_PER_UNIT) + 1);
    }

    /** Sets the first due time that is after the given one. Plain: called before the message is queued. */
    public static void setDueAfterNanos(Node node, long nanos) {
        setDueUnits(node, Math.floorDiv(nanos, NANOS_PER_UNIT) + 1);
    }

    private static void setDueUnits(Node node, long units) {
        node.when = Math.floorDiv(units, UNITS_PER_MILLI);
        setFractionPlain(node, (int) Math.floorMod(units, UNITS_PER_MILLI));
    }

    private static void setFractionPlain(Node node, int units) {
        setWordPlain(node, (wordPlain(node) & ~(-1 << FRACTION_SHIFT)) | units << FRACTION_SHIFT);
    }

    /** Returns the fraction of the millisecond, in units of 16 ns. */
    public static int fraction(Node node) {
        return wordPlain(node) >>> FRACTION_SHIFT;
    }

    /** Returns the due time on {@link Clock#nanos()}; {@link #NEVER} if the time does not fit. */
    public static long dueNanos(Node node) {
        long millis = node.when;
        if (millis >= Long.MAX_VALUE / NANOS_PER_MILLI) {
            return NEVER;
        }
        if (millis <= Long.MIN_VALUE / NANOS_PER_MILLI) {
            return Long.MIN_VALUE;
        }
        return millis * NANOS_PER_MILLI + fraction(node) * NANOS_PER_UNIT;
    }

    /** Returns true if the message is due; a message with the due time {@link #NEVER} never is. */
    public static boolean isDueAt(Node node, long nanos) {
        long due = dueNanos(node);
        return due <= nanos && due != NEVER;
    }

    /** Returns true if the message is due before another message, regardless of the order of sending. */
    public static boolean isDueBefore(Node node, Node other) {
        return node.when < other.when || (node.when == other.when && fraction(node) < fraction(other));
    }

    // ---- the word

    public static int life(Node node) {
        return wordVolatile(node) & LIFE;
    }

    public static int kind(Node node) {
        return (wordPlain(node) & KIND) >> KIND_SHIFT;
    }

    public static boolean isQueued(Node node) {
        return life(node) == QUEUED;
    }

    /**
     * Returns true if the payload that the caller has read is that of the message as sent. Must be called after reading
     * the payload.
     */
    public static boolean wasIntact(Node node) {
        VarHandle.loadLoadFence();
        return isQueued(node);
    }

    /**
     * Returns whether the looper has moved the message to the long-lived messages. Set only by the looper; for senders
     * the value is a hint.
     */
    public static boolean isSettled(Node node) {
        return (wordPlain(node) & SETTLED) != 0;
    }

    /**
     * Returns the number of messages pushed on a sleeping looper, counted down the stack from this message, at most
     * 1,023. Plain: the value is a hint.
     */
    public static int depth(Node node) {
        return (wordPlain(node) & DEPTH) >> DEPTH_SHIFT;
    }

    /** Sets the kind of a fresh message; returns false, without effect, if the message is not fresh. */
    public static boolean setKindIfFresh(Node node, int kind) {
        int current = wordVolatile(node);
        return (current & LIFE) == FRESH && casWord(node, current, (current & ~KIND) | kind << KIND_SHIFT);
    }

    /** Claims a fresh message for sending; returns false if it has already been sent, removed or recycled. */
    public static boolean casFreshToClaimed(Node node) {
        int current = wordVolatile(node);
        return (current & LIFE) == FRESH && casWord(node, current, (current & ~LIFE) | CLAIMED);
    }

    public static boolean casFreshToRecycled(Node node) {
        int current = wordVolatile(node);
        return (current & LIFE) == FRESH && casWord(node, current, RECYCLED);
    }

    /** Plain: for a message that no other thread has seen. */
    public static void setClaimedPlain(Node node, int kind) {
        setWordPlain(node, CLAIMED | kind << KIND_SHIFT);
    }

    /** Plain: for a claimed message. */
    public static void setKindPlain(Node node, int kind) {
        setWordPlain(node, (wordPlain(node) & ~KIND) | kind << KIND_SHIFT);
    }

    /** Plain: for a claimed message, followed by its publication. From then on the message can be removed. */
    public static void setQueuedPlain(Node node, int depth) {
        setWordPlain(node, (wordPlain(node) & ~LIFE) | QUEUED | limited(depth) << DEPTH_SHIFT);
    }

    /** Corrects the depth of a message after its first push has failed. */
    public static void casDepth(Node node, int depth) {
        int current = wordVolatile(node);
        // if a remover wins in between, the depth does not matter
        casWord(node, current, (current & ~DEPTH) | limited(depth) << DEPTH_SHIFT);
    }

    private static int limited(int depth) {
        return Math.min(depth, DEPTH >> DEPTH_SHIFT);
    }

    /**
     * Claims a fresh message for delivery without a queue; returns false if it has already been sent, removed or
     * recycled.
     */
    public static boolean casFreshToTaken(Node node) {
        int current = wordVolatile(node);
        return (current & LIFE) == FRESH && casWord(node, current, (current & ~LIFE) | TAKEN);
    }

    /** Claims a queued message for delivery; returns false if it is no longer queued. Called only by the looper. */
    public static boolean casQueuedToTaken(Node node) {
        return leaveQueue(node, TAKEN);
    }

    /** Claims a queued message for removal; returns false if it is no longer queued. */
    public static boolean casQueuedToRemoved(Node node) {
        return leaveQueue(node, REMOVED);
    }

    private static boolean leaveQueue(Node node, int outcome) {
        for (; ; ) {
            int current = wordVolatile(node);
            if ((current & LIFE) != QUEUED) {
                return false;
            }
            if (casWord(node, current, (current & ~LIFE) | outcome)) {
                // on some processors later plain stores may overtake the store of a compare-and-set
                VarHandle.storeStoreFence();
                return true;
            }
            // retry: the looper has settled the message (once), or the sender has corrected its depth (once per failed
            // push)
        }
    }

    /** Marks a queued message as settled; returns false if it is no longer queued. Called only by the looper. */
    public static boolean casToSettled(Node node) {
        int current = wordVolatile(node);
        return (current & LIFE) == QUEUED && casWord(node, current, current | SETTLED);
    }

    /** Release: the cleared payload is visible before the new life. */
    public static void setRecycledRelease(Node node) {
        WORD.setRelease(node, RECYCLED);
    }

    private static int wordVolatile(Node node) {
        return node.word;
    }

    /** Plain: the bits read this way do not change, or only the reader changes them, or their value is a hint. */
    private static int wordPlain(Node node) {
        return (int) WORD.get(node);
    }

    private static void setWordPlain(Node node, int replacement) {
        WORD.set(node, replacement);
    }

    private static boolean casWord(Node node, int expected, int replacement) {
        return WORD.compareAndSet(node, expected, replacement);
    }

    // ---- the link

    /**
     * Plain: before publication, under the monitor, or by the looper, the only thread that changes a published link.
     */
    public static @Nullable Node nextPlain(Node node) {
        return node.next;
    }

    /** Plain: before publication, or under the monitor. */
    public static void setNextPlain(Node node, @Nullable Node other) {
        node.next = other;
    }

    /** Opaque: traversal races with unlinking, and either value of the link leads to every live message below. */
    public static @Nullable Node nextOpaque(Node node) {
        return (Node) NEXT.getOpaque(node);
    }

    /** Opaque: the counterpart of {@link #nextOpaque}; the linked message was published long before. */
    public static void setNextOpaque(Node node, @Nullable Node other) {
        NEXT.setOpaque(node, other);
    }
}
