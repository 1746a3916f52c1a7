package dev.unjank.looper.queue;

import static dev.unjank.looper.queue.NodeState.casToSettled;
import static dev.unjank.looper.queue.NodeState.isQueued;
import static dev.unjank.looper.queue.NodeState.isSettled;
import static dev.unjank.looper.queue.NodeState.nextPlain;
import static dev.unjank.looper.queue.NodeState.setNextOpaque;

import dev.unjank.looper.util.Nullable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The generations of the messages on a {@link MessageStack}: tracks which messages are young and which have settled,
 * and unlinks dead messages. Used only by the looper, except for {@code settledTop} and {@code index}, which other
 * threads read.
 *
 * <pre>
 *   top ──▶ ● ● ● ──▶ ○ ● ○ ○ ● ──▶ ● ○ ● ● ○ ● ──▶ null          ● alive   ○ dead
 *           new       young         settled, and found by key
 *                     ▲ seen        ▲ settledTop
 * </pre>
 *
 * <p><b>Generations.</b> Most messages are delivered at once; timers stay. Unlinking each message when it dies would
 * take a second link in every message, and a compare-and-set for a message that is the top. Instead dead messages are
 * unlinked incrementally: dead young messages whenever the looper goes to sleep, or when they make up half of the young
 * messages. Messages that are alive when the looper goes to sleep settle: they are marked, entered into the {@link
 * KeyIndex}, and not visited again until half of the settled messages are dead. So every message is visited a constant
 * number of times on average, an idle looper does not retain messages that it has run, and the number of linked dead
 * messages is bounded by half of the live ones plus a constant.
 */
@SuppressWarnings("ReferenceEquality") // nodes are compared by identity
public final class MessageGenerations {
    /** The number of dead messages that are tolerated before they are unlinked. Each takes 56 bytes. */
    public static final int TOLERATED = 512;

    /** The minimum number of settled messages for which an index is built. */
    private static final int WORTH_INDEXING = 64;

    private static final VarHandle SETTLED_TOP;
    private static final VarHandle INDEX;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            SETTLED_TOP = lookup.findVarHandle(MessageGenerations.class, "settledTop", Node.class);
            INDEX = lookup.findVarHandle(MessageGenerations.class, "index", KeyIndex.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final MessageStack stack;
    private final KeyIndex.KeySource keys;

    /**
     * The top at the last drain, or, if that message has been unlinked, the message below it. This message stays
     * linked, dead or alive.
     */
    private @Nullable Node seen;

    /**
     * The newest settled message, possibly dead by now. If there is an index, it contains all live messages from this
     * one down.
     */
    private @Nullable Node settledTop;

    private @Nullable KeyIndex index;

    private int young;
    private int youngDead;
    /** The number of young messages that are timers. */
    private int youngTimers;

    private int settled;
    private int settledDead;

    public MessageGenerations(MessageStack stack, KeyIndex.KeySource keys) {
        this.stack = stack;
        this.keys = keys;
    }

    // ---- any thread

    /** Acquire: settled messages are entered into the index before. */
    public @Nullable Node settledTopAcquire() {
        return (Node) SETTLED_TOP.getAcquire(this);
    }

    /** Acquire: an index is filled before it is published. */
    public @Nullable KeyIndex indexAcquire() {
        return (KeyIndex) INDEX.getAcquire(this);
    }

    // ---- the looper

    @Nullable
    Node seen() {
        return seen;
    }

    /** Counts the messages that have been drained from the stack, down to the previous top. */
    void advance(@Nullable Node top, int drained) {
        seen = top;
        young += drained;
    }

    void countTimer() {
        youngTimers++;
    }

    void countDeadYoung() {
        youngDead++;
    }

    void countTaken(Node taken) {
        if (isSettled(taken)) {
            settledDead++;
        } else {
            youngDead++;
        }
    }

    /**
     * Returns the number of removals that are tolerated before a purge. Settled messages that have run are already
     * counted.
     */
    public int removalsTolerated() {
        return Math.max(TOLERATED, settled / 2) - settledDead;
    }

    /**
     * Returns true if messages have been removed and so few are left that a purge is nearly free. So an idle loop does
     * not retain dead messages.
     */
    public boolean isPurgeDue(int removals) {
        return removals > 0 && settled - settledDead + young - youngDead - removals < WORTH_INDEXING;
    }

    /** Unlinks dead messages in a busy looper, if there are enough of them. */
    void unlinkIncrementally(boolean isNoneWaiting) {
        if (youngTimers >= TOLERATED) {
            settle(isNoneWaiting);
        } else if (youngDead >= TOLERATED && youngDead >= young / 2) {
            unlinkDeadYoung();
        }
    }

    private void unlinkDeadYoung() {
        Node kept = seen;
        if (kept == null) {
            return;
        }
        young = 1;
        youngDead = 1;
        for (Node m = nextPlain(kept); m != null && m != settledTop; m = nextPlain(m)) {
            if (isQueued(m)) {
                relink(kept, m);
                kept = m;
                young++;
            }
        }
        relink(kept, settledTop);
    }

    /** Settles all live messages and unlinks the dead young messages. */
    void settle(boolean isNoneWaiting) {
        Node anchor = seen;
        if (anchor != null && anchor != settledTop) {
            settleYoung(anchor);
        }
        popDead();
        young = seen == settledTop ? 0 : 1;
        youngDead = young;
        youngTimers = 0;
        if (isNoneWaiting && index != null) {
            setIndexRelease(null); // the index contains only dead messages
            settled = 0;
            settledDead = 0;
        }
    }

    private void settleYoung(Node anchor) {
        Node newSettledTop = settleOne(anchor) ? anchor : null;
        Node kept = anchor;
        for (Node m = nextPlain(anchor); m != null && m != settledTop; m = nextPlain(m)) {
            if (settleOne(m)) {
                relink(kept, m);
                kept = m;
                if (newSettledTop == null) {
                    newSettledTop = m;
                }
            }
        }
        relink(kept, settledTop);
        if (newSettledTop != null) {
            setSettledTopRelease(newSettledTop);
        }
    }

    private boolean settleOne(Node m) {
        if (!casToSettled(m)) {
            return false;
        }
        settled++;
        if (index == null ? settled >= WORTH_INDEXING : index.isFull()) {
            makeIndex(); // including this message
        } else if (index != null) {
            keys.enter(m, index);
        }
        return true;
    }

    /** Unlinks the top if it is dead: the last message that was run, if no message was sent after it. */
    private void popDead() {
        while (seen != null && !isQueued(seen) && !MessageStack.isEnd(seen)) {
            Node older = nextPlain(seen);
            if (!stack.casTop(seen, older)) {
                return; // a new message has been pushed, which links to the old top
            }
            if (seen == settledTop) {
                setSettledTopRelease(older);
            }
            seen = older;
        }
    }

    /** Purges removed messages and timers that have run from the settled messages and from the index. */
    void purge() {
        young = 1;
        youngDead = 1;
        settled = 0;
        settledDead = 0;
        Node newSettledTop = null;
        Node kept = seen;
        for (Node m = seen; m != null; m = nextPlain(m)) {
            if (isQueued(m)) {
                if (kept != null && m != kept) {
                    relink(kept, m);
                    kept = m;
                }
                if (!isSettled(m)) {
                    young++;
                } else if (settled++ == 0) {
                    newSettledTop = m;
                }
            }
        }
        if (kept != null) {
            relink(kept, null);
        }
        setIndexRelease(null); // until the index has been rebuilt, searches walk over the stack
        setSettledTopRelease(newSettledTop);
        if (settled >= WORTH_INDEXING) {
            makeIndex();
        }
        popDead();
    }

    /**
     * Unlinks the dead messages between two others, and makes each dead message link directly to the older one.
     * Otherwise a reference to one of the dead messages, from an order that drops it later or from a program, would
     * retain all of them. A traversal that is at a dead message continues at the same message with the old or the new
     * link.
     */
    private static void relink(Node newer, @Nullable Node older) {
        Node m = newer;
        for (Node next = nextPlain(m); next != null && next != older; next = nextPlain(m)) {
            setNextOpaque(m, older);
            m = next;
        }
    }

    /** Enters all settled messages into a new index. */
    private void makeIndex() {
        // if the old index is full, some messages have several keys
        KeyIndex made = new KeyIndex(Math.max(settled, index == null ? 0 : index.used()));
        for (Node m = seen; m != null; m = nextPlain(m)) {
            if (isSettled(m) && isQueued(m)) {
                keys.enter(m, made);
            }
        }
        setIndexRelease(made);
    }

    /** Clears all references and returns the top. Called when the loop has ended and every message is dead. */
    @Nullable
    Node clear() {
        Node top = stack.topAcquire();
        seen = top;
        setSettledTopRelease(null);
        setIndexRelease(null);
        if (top != null) {
            setNextOpaque(top, null);
        }
        return top;
    }

    private void setSettledTopRelease(@Nullable Node m) {
        SETTLED_TOP.setRelease(this, m);
    }

    private void setIndexRelease(@Nullable KeyIndex made) {
        INDEX.setRelease(this, made);
    }
}
