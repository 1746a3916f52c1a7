package dev.unjank.looper;

import dev.unjank.looper.spi.Clock;
import dev.unjank.looper.util.Nullable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The queue state of a message: its due time, one word for all the rest, and one link.
 *
 * <p>A message goes through a queue at most once, which keeps the structures here free of the ABA problem: a node that
 * has left a list never comes back to it. The word is laid out as
 *
 * <pre>
 * bits   0 to 2    life      how far the message has come: see below
 *        3 to 4    kind      SYNCHRONOUS, ASYNCHRONOUS, BARRIER or END; constant once it is queued
 *        5         settled   {@link DrainedMessages} has moved it to the long-lived messages
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
 * <p>TAKEN and REMOVED are won by one compare-and-set on the same word, so a message is run once or removed once, never
 * both. Readers that match messages beside the looper rely on a further invariant: the payload of a message does not
 * change before its life does. The winner of either compare-and-set issues a store-store fence before the payload is
 * changed. A reader that has read the payload issues a load-load fence and reads the word again: if it is still QUEUED,
 * the reader has seen the message as sent.
 *
 * <p>With compressed references a message is 56 bytes. There is one per post, written by one processor and read by
 * another, so its size counts twice. Hence one word for everything, no second link and no heap position.
 */
abstract sealed class Node permits Message {
    static final int FRESH = 0;
    static final int CLAIMED = 1;
    static final int QUEUED = 2;
    static final int TAKEN = 3;
    static final int REMOVED = 4;
    static final int RECYCLED = 5;
    private static final int LIFE = 7;

    /** An ordinary message. */
    static final int SYNCHRONOUS = 0;
    /** A message that passes barriers. */
    static final int ASYNCHRONOUS = 1;
    /** Not a message: a barrier, which holds up the synchronous messages behind it. */
    static final int BARRIER = 2;
    /** Not a message: the end marker of a lock-free stack. */
    static final int END = 3;

    private static final int KIND_SHIFT = 3;
    private static final int KIND = 3 << KIND_SHIFT;
    private static final int SETTLED = 1 << 5;
    private static final int DEPTH_SHIFT = 6;
    private static final int DEPTH = 1023 << DEPTH_SHIFT;
    private static final int FRACTION_SHIFT = 16;

    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final long NANOS_PER_UNIT = 16;
    private static final long UNITS_PER_MILLI = NANOS_PER_MILLI / NANOS_PER_UNIT;

    private static final VarHandle WORD;
    private static final VarHandle NEXT;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            WORD = lookup.findVarHandle(Node.class, "word", int.class);
            NEXT = lookup.findVarHandle(Node.class, "next", Message.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The millisecond in which it is due. Written before it is queued; survives removal. */
    long when;

    /**
     * The notes of observers on the sending, read at the delivery, or null. Written before it is queued, then constant
     * until the message is retired or removed.
     */
    @Nullable
    Object note;

    /** See the table above. */
    private volatile int word;

    /** Links to older messages on the stack, or to later ones on the monitor's list. */
    private @Nullable Message next;

    // ---- when it is due

    /** Sets a due time of a whole millisecond. Plain: before it is queued. */
    final void setDueMillis(long millis) {
        when = millis;
        setFractionPlain(0);
    }

    /** Sets the due time to the given one, rounded up to 16 ns. Plain: before it is queued. */
    final void setDueNanos(long nanos) {
        setDueUnits(Math.floorDiv(nanos - 1, NANOS_PER_UNIT) + 1);
    }

    /** Sets the first due time that is after the given one. Plain: before it is queued. */
    final void setDueAfterNanos(long nanos) {
        setDueUnits(Math.floorDiv(nanos, NANOS_PER_UNIT) + 1);
    }

    private void setDueUnits(long units) {
        when = Math.floorDiv(units, UNITS_PER_MILLI);
        setFractionPlain((int) Math.floorMod(units, UNITS_PER_MILLI));
    }

    private void setFractionPlain(int units) {
        setWordPlain((wordPlain() & ~(-1 << FRACTION_SHIFT)) | units << FRACTION_SHIFT);
    }

    /** The fraction of the millisecond, in units of 16 ns. */
    final int fraction() {
        return wordPlain() >>> FRACTION_SHIFT;
    }

    /** The due time on {@link Clock#nanos()}; times that nanoseconds cannot express are the end of time. */
    final long dueNanos() {
        long millis = when;
        if (millis >= Long.MAX_VALUE / NANOS_PER_MILLI) {
            return Long.MAX_VALUE;
        }
        if (millis <= Long.MIN_VALUE / NANOS_PER_MILLI) {
            return Long.MIN_VALUE;
        }
        return millis * NANOS_PER_MILLI + fraction() * NANOS_PER_UNIT;
    }

    /** True if its due time has come; the end of time never comes. */
    final boolean isDueAt(long nanos) {
        long due = dueNanos();
        return due <= nanos && due != Long.MAX_VALUE;
    }

    /** True if it is due before another one, regardless of the order of sending. */
    final boolean isDueBefore(Node other) {
        return when < other.when || (when == other.when && fraction() < other.fraction());
    }

    // ---- the word

    final int life() {
        return wordVolatile() & LIFE;
    }

    final int kind() {
        return (wordPlain() & KIND) >> KIND_SHIFT;
    }

    final boolean isQueued() {
        return life() == QUEUED;
    }

    /** To be called after reading the payload: true if the payload was that of the message as sent. */
    final boolean wasIntact() {
        VarHandle.loadLoadFence();
        return isQueued();
    }

    /**
     * Whether the looper has moved it to the long-lived messages. Only the looper sets it; for senders it is a hint.
     */
    final boolean isSettled() {
        return (wordPlain() & SETTLED) != 0;
    }

    /** How many have been pushed on a sleeping looper from here on, at most 1,023. Plain: the value is a hint. */
    final int depth() {
        return (wordPlain() & DEPTH) >> DEPTH_SHIFT;
    }

    /** Sets the kind of a fresh message; false, without effect, if it is not fresh. */
    final boolean setKindIfFresh(int kind) {
        int current = wordVolatile();
        return (current & LIFE) == FRESH && casWord(current, (current & ~KIND) | kind << KIND_SHIFT);
    }

    /** Claims a fresh message for sending; false if it has been sent, removed or recycled before. */
    final boolean casFreshToClaimed() {
        int current = wordVolatile();
        return (current & LIFE) == FRESH && casWord(current, (current & ~LIFE) | CLAIMED);
    }

    final boolean casFreshToRecycled() {
        int current = wordVolatile();
        return (current & LIFE) == FRESH && casWord(current, RECYCLED);
    }

    /** Plain: for a message that no other thread has seen. */
    final void setClaimedPlain(int kind) {
        setWordPlain(CLAIMED | kind << KIND_SHIFT);
    }

    /** Plain: for a claimed message. */
    final void setKindPlain(int kind) {
        setWordPlain((wordPlain() & ~KIND) | kind << KIND_SHIFT);
    }

    /** Plain: for a claimed message, followed by its publication. From then on it can be removed. */
    final void setQueuedPlain(int depth) {
        setWordPlain((wordPlain() & ~LIFE) | QUEUED | limited(depth) << DEPTH_SHIFT);
    }

    /** Corrects the depth of a message after its first push has failed. */
    final void casDepth(int depth) {
        int current = wordVolatile();
        // a remover may win in between, and then the depth does not matter
        casWord(current, (current & ~DEPTH) | limited(depth) << DEPTH_SHIFT);
    }

    private static int limited(int depth) {
        return Math.min(depth, DEPTH >> DEPTH_SHIFT);
    }

    /** Claims a fresh message for delivery without a queue; false if it has been sent, removed or recycled before. */
    final boolean casFreshToTaken() {
        int current = wordVolatile();
        return (current & LIFE) == FRESH && casWord(current, (current & ~LIFE) | TAKEN);
    }

    /** The looper's claim to run this message. */
    final boolean casQueuedToTaken() {
        return leaveQueue(TAKEN);
    }

    /** The claim of any thread to remove this message. */
    final boolean casQueuedToRemoved() {
        return leaveQueue(REMOVED);
    }

    private boolean leaveQueue(int outcome) {
        for (; ; ) {
            int current = wordVolatile();
            if ((current & LIFE) != QUEUED) {
                return false;
            }
            if (casWord(current, (current & ~LIFE) | outcome)) {
                // a compare-and-set does not keep later plain stores behind its own store on every processor
                VarHandle.storeStoreFence();
                return true;
            }
            // meanwhile the looper has settled it, once, or its sender has corrected its depth, once per failed push
        }
    }

    /** Marks a queued message as settled; false if it is no longer queued. Looper only. */
    final boolean casToSettled() {
        int current = wordVolatile();
        return (current & LIFE) == QUEUED && casWord(current, current | SETTLED);
    }

    /** Release: the cleared payload is visible before the life that announces it. */
    final void setRecycledRelease() {
        WORD.setRelease(this, RECYCLED);
    }

    private int wordVolatile() {
        return word;
    }

    /** Plain: the bits read this way do not change, or only the reader changes them, or their value is a hint. */
    private int wordPlain() {
        return (int) WORD.get(this);
    }

    private void setWordPlain(int replacement) {
        WORD.set(this, replacement);
    }

    private boolean casWord(int expected, int replacement) {
        return WORD.compareAndSet(this, expected, replacement);
    }

    // ---- the link

    /**
     * Plain: before publication, under the monitor, or by the looper, the only thread that changes a published link.
     */
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

    /** Opaque: the counterpart of {@link #nextOpaque()}; the linked message was published long before. */
    final void setNextOpaque(@Nullable Message message) {
        NEXT.setOpaque(this, message);
    }
}
