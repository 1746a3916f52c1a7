package dev.unjank.looper.queue;

import static dev.unjank.looper.queue.NodeState.ASYNCHRONOUS;
import static dev.unjank.looper.queue.NodeState.BARRIER;
import static dev.unjank.looper.queue.NodeState.NEVER;
import static dev.unjank.looper.queue.NodeState.casQueuedToTaken;
import static dev.unjank.looper.queue.NodeState.casToSettled;
import static dev.unjank.looper.queue.NodeState.dueNanos;
import static dev.unjank.looper.queue.NodeState.isDueAt;
import static dev.unjank.looper.queue.NodeState.isDueBefore;
import static dev.unjank.looper.queue.NodeState.isQueued;
import static dev.unjank.looper.queue.NodeState.isSettled;
import static dev.unjank.looper.queue.NodeState.kind;
import static dev.unjank.looper.queue.NodeState.nextPlain;
import static dev.unjank.looper.queue.NodeState.setNextOpaque;

import dev.unjank.looper.util.Nullable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The looper's part of the lock-free queue: the messages that it has drained from the {@link MessageStack}, in order,
 * and the stack's upkeep. Belongs to the looper, except for the two words that publish what is indexed.
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
public final class DrainedMessages {
    /** Up to this number of dead messages are not worth the walk. They cost memory: 56 bytes each. */
    public static final int TOLERATED = 512;

    /** With fewer settled messages than this an index does not pay. */
    private static final int WORTH_INDEXING = 64;

    private static final int USUAL_BATCH = 1024;
    private static final long NANOS_PER_MILLI = 1_000_000L;

    private static final VarHandle SETTLED_TOP;
    private static final VarHandle INDEX;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            SETTLED_TOP = lookup.findVarHandle(DrainedMessages.class, "settledTop", Node.class);
            INDEX = lookup.findVarHandle(DrainedMessages.class, "index", KeyIndex.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final MessageStack stack;
    private final DrainHorizon horizon;
    private final KeyIndex.KeySource keys;
    /** Synchronous messages, and barriers. */
    private final MessageOrder synchronous = new MessageOrder();

    private final MessageOrder asynchronous = new MessageOrder();
    private long lastArrival = MessageOrder.FIRST_ARRIVAL;
    private long frontArrival = MessageOrder.FIRST_ARRIVAL;

    /** The top at the last drain, or the message below it when it was unlinked. It stays linked, dead or alive. */
    private @Nullable Node seen;

    /** The newest settled message: live messages from here on down are indexed, if any are. May be dead by now. */
    private @Nullable Node settledTop;

    private @Nullable KeyIndex index;

    /** The end marker, once it has been drained: then no message follows. */
    private @Nullable Node end;

    /** The horizon: up to then messages are taken without checking the stack, unless a sender overtakes. */
    private long covered = Long.MIN_VALUE;

    /** The overtaking senders that have been handled: their messages have been seen. */
    private long overtakingSeen;

    private Node[] batch = new Node[16];
    private int young;
    private int youngDead;
    /** How many of the young messages are timers. */
    private int youngTimers;

    private int settled;
    private int settledDead;

    // The result of the last take that took nothing:
    /** The due time of the next message that barriers let through, or the end of time. */
    private long deadline;
    /** The due time of the barrier that holds up synchronous messages, or the end of time. */
    private long barrierSince;
    /** True if no message will ever be taken again. */
    private boolean ended;

    public DrainedMessages(MessageStack stack, DrainHorizon horizon, KeyIndex.KeySource keys) {
        this.stack = stack;
        this.horizon = horizon;
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

    // ---- taking

    public long deadline() {
        return deadline;
    }

    public long barrierSince() {
        return barrierSince;
    }

    public boolean hasEnded() {
        return ended;
    }

    /** True if a message has been pushed since the last drain. Volatile: it comes after the notice of sleep. */
    public boolean hasNewMessagesVolatile() {
        return stack.topVolatile() != seen;
    }

    /**
     * True if the barrier that held up synchronous messages has been removed since. Volatile: it comes after the notice
     * of sleep.
     */
    public boolean isBarrierRemovedVolatile() {
        Node first = synchronous.first();
        return barrierSince != NEVER && first != null && !isQueued(first);
    }

    /** True if a known message was due at a time. */
    public boolean hasDueAt(long nanos) {
        Node first = synchronous.first();
        Node firstAsynchronous = asynchronous.first();
        return (first != null && isDueAt(first, nanos))
                || (firstAsynchronous != null && isDueAt(firstAsynchronous, nanos));
    }

    /** Takes the first message that is due and that no barrier holds up; null if there is none. */
    public @Nullable Node take(long nanos, int maxLooks) {
        boolean mustLook = isOvertaken();
        for (int looks = 0; ; ) {
            boolean dueHasDied = false;
            if (mustLook && looks < maxLooks) {
                looks++;
                dueHasDied = drain(nanos);
            }
            dueHasDied |= dropRemoved(synchronous, nanos);
            dueHasDied |= dropRemoved(asynchronous, nanos);
            mustLook = true;
            // a dead message that was due may have been replaced before it died, by one that goes before all known ones
            if (dueHasDied && looks < maxLooks) {
                continue;
            }
            Node first = synchronous.first();
            boolean stalled = first != null && kind(first) == BARRIER;
            MessageOrder order = stalled || asynchronous.goesBefore(synchronous) ? asynchronous : synchronous;
            Node next = order.first();
            if (looks == 0 && (next == null || dueNanos(next) > covered || !isDueAt(next, nanos))) {
                continue;
            }
            barrierSince = stalled ? dueNanosOrNever(first) : NEVER;
            if (next == null || !isDueAt(next, nanos)) {
                deadline = dueNanosOrNever(next);
                // the caller's time may be older than that of a safe quit, which then leaves a message to wait for
                ended = end != null && next == null;
                return null;
            }
            order.removeFirst();
            if (casQueuedToTaken(next)) {
                if (isSettled(next)) {
                    settledDead++;
                } else {
                    youngDead++;
                }
                return next;
            }
        }
    }

    /** True if new messages may go before the known ones: see {@link DrainHorizon}. */
    private boolean isOvertaken() {
        long overtaking = horizon.overtakingVolatile();
        if (overtaking == overtakingSeen) {
            return false;
        }
        if (DrainHorizon.isSettled(overtaking)) {
            overtakingSeen = overtaking;
        }
        return true;
    }

    private static long dueNanosOrNever(@Nullable Node m) {
        return m == null ? NEVER : dueNanos(m);
    }

    /** Drops the dead messages at the head of an order; true if any of them was due. */
    private boolean dropRemoved(MessageOrder order, long nanos) {
        boolean any = false;
        for (Node m = order.first(); m != null && !isAlive(m); m = order.first()) {
            order.removeFirst();
            any |= isDueAt(m, nanos);
        }
        return any;
    }

    /** False also for messages that a quitting thread has not yet dropped. */
    private boolean isAlive(Node m) {
        return isQueued(m) && (end == null || isDueBefore(m, end));
    }

    /**
     * Catches up with the top: numbers the new messages, oldest first. True if any of them was due and is dead by now.
     */
    private boolean drain(long nanos) {
        boolean dueHasDied = false;
        long before;
        do {
            before = covered;
            Node top = stack.topVolatile();
            if (top == seen) {
                break;
            }
            dueHasDied |= drainFrom(top, nanos);
            if (covered != before) {
                horizon.raiseVolatile(covered);
            }
            // a sender that pushed before the horizon was raised did not know of it
        } while (covered != before);
        return dueHasDied;
    }

    private boolean drainFrom(@Nullable Node top, long nanos) {
        int count = 0;
        for (Node m = top; m != null && m != seen; m = nextPlain(m)) {
            if (count == batch.length) {
                batch = Arrays.copyOf(batch, 2 * count);
            }
            batch[count++] = m;
        }
        seen = top;
        young += count;
        if (synchronous.isEmpty() && asynchronous.isEmpty()) {
            lastArrival = MessageOrder.FIRST_ARRIVAL;
            frontArrival = MessageOrder.FIRST_ARRIVAL;
        }
        // plus a millisecond: the given time may be older than the messages
        long soon = Math.floorDiv(nanos, NANOS_PER_MILLI) + 1;
        boolean dueHasDied = false;
        while (count > 0) {
            Node m = batch[--count];
            clearSlot(count);
            boolean alive = accept(m, soon);
            if (isDueAt(m, nanos)) {
                if (m.when != 0) { // at the front the last message to come goes first: every new one overtakes
                    covered = Math.max(covered, dueNanos(m));
                }
                dueHasDied |= !alive;
            }
        }
        synchronous.arrange();
        asynchronous.arrange();
        if (batch.length > USUAL_BATCH) {
            batch = new Node[USUAL_BATCH];
        }
        return dueHasDied;
    }

    @SuppressWarnings("NullAway") // refilled before it is read; old elements must not be kept alive
    private void clearSlot(int i) {
        batch[i] = null;
    }

    /** False if the message is dead. */
    private boolean accept(Node m, long soon) {
        if (MessageStack.isEnd(m)) {
            end = m;
        } else if (isQueued(m)) {
            boolean isSoon = m.when <= soon;
            if (!isSoon) {
                youngTimers++;
            }
            MessageOrder order = kind(m) == ASYNCHRONOUS ? asynchronous : synchronous;
            order.add(m, m.when == 0 ? --frontArrival : ++lastArrival, isSoon);
        } else {
            youngDead++;
            return false;
        }
        return true;
    }

    // ---- upkeep

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
    public void unlinkIncrementally() {
        if (youngTimers >= TOLERATED) {
            settle();
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
    public void settle() {
        Node anchor = seen;
        if (anchor != null && anchor != settledTop) {
            settleYoung(anchor);
        }
        popDead();
        young = seen == settledTop ? 0 : 1;
        youngDead = young;
        youngTimers = 0;
        if (synchronous.isEmpty() && asynchronous.isEmpty() && index != null) {
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

    /** Purges removed messages and timers that have run: among the settled, in the orders, in the index. */
    public void purge() {
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
        synchronous.compact();
        asynchronous.compact();
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

    /** The loop has ended and every message is dead: clears all references. */
    public void clear() {
        Node top = stack.topAcquire();
        seen = top;
        end = top;
        setSettledTopRelease(null);
        setIndexRelease(null);
        synchronous.compact();
        asynchronous.compact();
        if (top != null) {
            setNextOpaque(top, null);
        }
    }

    private void setSettledTopRelease(@Nullable Node m) {
        SETTLED_TOP.setRelease(this, m);
    }

    private void setIndexRelease(@Nullable KeyIndex made) {
        INDEX.setRelease(this, made);
    }
}
