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
 * The upkeep of the {@link MessageStack}: which linked messages are young and which have settled, and the unlinking of
 * the dead ones. Belongs to the looper, except for the two words that publish what is indexed.
 *
 * <pre>
 *   top ──▶ ● ● ● ──▶ ○ ● ○ ○ ● ──▶ ● ○ ● ● ○ ● ──▶ null          ● alive   ○ dead
 *           new       young         settled, and found by key
 *                     ▲ seen        ▲ settledTop
 * </pre>
 *
 * <p><b>Generations.</b> Most messages are delivered as soon as they come; some, timers, stay. Unlinking each one when
 * it dies would take a second link in every message and a compare-and-set for each that is the top. Instead dead
 * messages are unlinked incrementally: those among the young whenever the looper goes to sleep, or when they are half
 * of the young. Messages that are alive when the looper goes to sleep settle: they are marked, entered into the {@link
 * KeyIndex}, and not walked over again until half of the settled ones are dead. So every message is visited a constant
 * number of times on average, an idle looper keeps nothing that it has run, and the number of linked dead messages is
 * bounded by half of the live ones and a constant.
 */
@SuppressWarnings("ReferenceEquality") // nodes are compared by identity
public final class MessageGenerations {
    /** Up to this number of dead messages are not worth the walk. They cost memory: 56 bytes each. */
    public static final int TOLERATED = 512;

    /** With fewer settled messages than this an index does not pay. */
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

    /** The top at the last drain, or the message below it when it was unlinked. It stays linked, dead or alive. */
    private @Nullable Node seen;

    /** The newest settled message: live messages from here on down are indexed, if any are. May be dead by now. */
    private @Nullable Node settledTop;

    private @Nullable KeyIndex index;

    private int young;
    private int youngDead;
    /** How many of the young messages are timers. */
    private int youngTimers;

    private int settled;
    private int settledDead;

    public MessageGenerations(MessageStack stack, KeyIndex.KeySource keys) {
        this.stack = stack;
        this.keys = keys;
    }

    // ---- any thread

    /** Acquire: settled messages were entered into the index before. */
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

    /** Counts the messages that have been drained from the stack, down to the last top. */
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
     * How many removals the settled messages tolerate before a purge. Those of them that have run count already.
     */
    public int removalsTolerated() {
        return Math.max(TOLERATED, settled / 2) - settledDead;
    }

    /**
     * True if some have been removed and so few are left that a purge is nearly free: an idle loop keeps no empty
     * messages.
     */
    public boolean isPurgeDue(int removals) {
        return removals > 0 && settled - settledDead + young - youngDead - removals < WORTH_INDEXING;
    }

    /** Does the due upkeep in a busy looper. */
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

    /** Settles all live messages, and unlinks the dead among the young. */
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
            setIndexRelease(null); // it holds only dead messages
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

    /** Unlinks a dead top: the last message that was run, when no message came after it. */
    private void popDead() {
        while (seen != null && !isQueued(seen) && !MessageStack.isEnd(seen)) {
            Node older = nextPlain(seen);
            if (!stack.casTop(seen, older)) {
                return; // a new message has come, which links to it
            }
            if (seen == settledTop) {
                setSettledTopRelease(older);
            }
            seen = older;
        }
    }

    /** Purges removed messages and timers that have run: among the settled, and in the index. */
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
        setIndexRelease(null); // until it has been rebuilt, a search walks
        setSettledTopRelease(newSettledTop);
        if (settled >= WORTH_INDEXING) {
            makeIndex();
        }
        popDead();
    }

    /**
     * Unlinks all messages between two, which are dead: each of them then links straight to the older one, too.
     * Otherwise a holder of one of the dead messages, such as an order that drops it later or a program that keeps a
     * handle, would keep all of them alive. A reader on a dead message comes to the same message by either link.
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
        // a full index has more than one key for some messages
        KeyIndex made = new KeyIndex(Math.max(settled, index == null ? 0 : index.used()));
        for (Node m = seen; m != null; m = nextPlain(m)) {
            if (isSettled(m) && isQueued(m)) {
                keys.enter(m, made);
            }
        }
        setIndexRelease(made);
    }

    /** The loop has ended and every message is dead: clears all references, and returns the top. */
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
