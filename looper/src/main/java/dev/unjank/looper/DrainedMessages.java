package dev.unjank.looper;

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
final class DrainedMessages {
    /** Up to this number of dead messages are not worth the walk. They cost memory: 56 bytes each. */
    static final int TOLERATED = 512;

    /** With fewer settled messages than this an index does not pay. */
    private static final int WORTH_INDEXING = 64;

    private static final int USUAL_BATCH = 1024;
    private static final long NANOS_PER_MILLI = 1_000_000L;

    private static final VarHandle SETTLED_TOP;
    private static final VarHandle INDEX;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            SETTLED_TOP = lookup.findVarHandle(DrainedMessages.class, "settledTop", Message.class);
            INDEX = lookup.findVarHandle(DrainedMessages.class, "index", KeyIndex.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final MessageStack stack;
    private final DrainHorizon horizon;
    /** Synchronous messages, and barriers. */
    private final MessageOrder synchronous = new MessageOrder();

    private final MessageOrder asynchronous = new MessageOrder();
    private long lastArrival = MessageOrder.FIRST_ARRIVAL;
    private long frontArrival = MessageOrder.FIRST_ARRIVAL;

    /** The top at the last drain, or the message below it when it was unlinked. It stays linked, dead or alive. */
    private @Nullable Message seen;

    /** The newest settled message: live messages from here on down are indexed, if any are. May be dead by now. */
    private @Nullable Message settledTop;

    private @Nullable KeyIndex index;

    /** The end marker, once it has been drained: then no message follows. */
    private @Nullable Message end;

    /** The horizon: up to then messages are taken without checking the stack, unless a sender overtakes. */
    private long covered = Long.MIN_VALUE;

    /** The overtaking senders that have been handled: their messages have been seen. */
    private long overtakingSeen;

    private Message[] batch = new Message[16];
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

    DrainedMessages(MessageStack stack, DrainHorizon horizon) {
        this.stack = stack;
        this.horizon = horizon;
    }

    // ---- any thread

    /** Acquire: settled messages were entered into the index before. */
    @Nullable
    Message settledTopAcquire() {
        return (Message) SETTLED_TOP.getAcquire(this);
    }

    /** Acquire: an index is filled before it is published. */
    @Nullable
    KeyIndex indexAcquire() {
        return (KeyIndex) INDEX.getAcquire(this);
    }

    // ---- taking

    long deadline() {
        return deadline;
    }

    long barrierSince() {
        return barrierSince;
    }

    boolean hasEnded() {
        return ended;
    }

    /** True if a message has been pushed since the last drain. Volatile: it comes after the notice of sleep. */
    boolean hasNewMessagesVolatile() {
        return stack.topVolatile() != seen;
    }

    /**
     * True if the barrier that held up synchronous messages has been removed since. Volatile: it comes after the notice
     * of sleep.
     */
    boolean isBarrierRemovedVolatile() {
        Message first = synchronous.first();
        return barrierSince != MessageQueue.NEVER && first != null && !first.isQueued();
    }

    /** True if a known message was due at a time. */
    boolean hasDueAt(long nanos) {
        Message first = synchronous.first();
        Message firstAsynchronous = asynchronous.first();
        return (first != null && first.isDueAt(nanos))
                || (firstAsynchronous != null && firstAsynchronous.isDueAt(nanos));
    }

    /** Takes the first message that is due and that no barrier holds up; null if there is none. */
    @Nullable
    Message take(long nanos, int maxLooks) {
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
            Message first = synchronous.first();
            boolean stalled = first != null && first.kind() == Node.BARRIER;
            MessageOrder order = stalled || asynchronous.goesBefore(synchronous) ? asynchronous : synchronous;
            Message next = order.first();
            if (looks == 0 && (next == null || next.dueNanos() > covered || !next.isDueAt(nanos))) {
                continue;
            }
            barrierSince = stalled ? dueNanos(first) : MessageQueue.NEVER;
            if (next == null || !next.isDueAt(nanos)) {
                deadline = dueNanos(next);
                // the caller's time may be older than that of a safe quit, which then leaves a message to wait for
                ended = end != null && next == null;
                return null;
            }
            order.removeFirst();
            if (next.casQueuedToTaken()) {
                if (next.isSettled()) {
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

    private static long dueNanos(@Nullable Message m) {
        return m == null ? MessageQueue.NEVER : m.dueNanos();
    }

    /** Drops the dead messages at the head of an order; true if any of them was due. */
    private boolean dropRemoved(MessageOrder order, long nanos) {
        boolean any = false;
        for (Message m = order.first(); m != null && !isAlive(m); m = order.first()) {
            order.removeFirst();
            any |= m.isDueAt(nanos);
        }
        return any;
    }

    /** False also for messages that a quitting thread has not yet dropped. */
    private boolean isAlive(Message m) {
        return m.isQueued() && (end == null || m.isDueBefore(end));
    }

    /**
     * Catches up with the top: numbers the new messages, oldest first. True if any of them was due and is dead by now.
     */
    private boolean drain(long nanos) {
        boolean dueHasDied = false;
        long before;
        do {
            before = covered;
            Message top = stack.topVolatile();
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

    private boolean drainFrom(@Nullable Message top, long nanos) {
        int count = 0;
        for (Message m = top; m != null && m != seen; m = m.nextPlain()) {
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
            Message m = batch[--count];
            clearSlot(count);
            boolean alive = accept(m, soon);
            if (m.isDueAt(nanos)) {
                if (m.when != 0) { // at the front the last message to come goes first: every new one overtakes
                    covered = Math.max(covered, m.dueNanos());
                }
                dueHasDied |= !alive;
            }
        }
        synchronous.arrange();
        asynchronous.arrange();
        if (batch.length > USUAL_BATCH) {
            batch = new Message[USUAL_BATCH];
        }
        return dueHasDied;
    }

    @SuppressWarnings("NullAway") // refilled before it is read; old elements must not be kept alive
    private void clearSlot(int i) {
        batch[i] = null;
    }

    /** False if the message is dead. */
    private boolean accept(Message m, long soon) {
        if (MessageStack.isEnd(m)) {
            end = m;
        } else if (m.isQueued()) {
            boolean isSoon = m.when <= soon;
            if (!isSoon) {
                youngTimers++;
            }
            MessageOrder order = m.kind() == Node.ASYNCHRONOUS ? asynchronous : synchronous;
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
    int removalsTolerated() {
        return Math.max(TOLERATED, settled / 2) - settledDead;
    }

    /**
     * True if some have been removed and so few are left that a purge is nearly free: an idle loop keeps no empty
     * messages.
     */
    boolean isPurgeDue(int removals) {
        return removals > 0 && settled - settledDead + young - youngDead - removals < WORTH_INDEXING;
    }

    /** Does the due upkeep in a busy looper. */
    void unlinkIncrementally() {
        if (youngTimers >= TOLERATED) {
            settle();
        } else if (youngDead >= TOLERATED && youngDead >= young / 2) {
            unlinkDeadYoung();
        }
    }

    private void unlinkDeadYoung() {
        Message kept = seen;
        if (kept == null) {
            return;
        }
        young = 1;
        youngDead = 1;
        for (Message m = kept.nextPlain(); m != null && m != settledTop; m = m.nextPlain()) {
            if (m.isQueued()) {
                relink(kept, m);
                kept = m;
                young++;
            }
        }
        relink(kept, settledTop);
    }

    /** Settles all live messages, and unlinks the dead among the young. */
    void settle() {
        Message anchor = seen;
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

    private void settleYoung(Message anchor) {
        Message newSettledTop = settleOne(anchor) ? anchor : null;
        Message kept = anchor;
        for (Message m = anchor.nextPlain(); m != null && m != settledTop; m = m.nextPlain()) {
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

    private boolean settleOne(Message m) {
        if (!m.casToSettled()) {
            return false;
        }
        settled++;
        if (index == null ? settled >= WORTH_INDEXING : index.isFull()) {
            makeIndex(); // including this message
        } else if (index != null) {
            index.add(m);
        }
        return true;
    }

    /** Unlinks a dead top: the last message that was run, when no message came after it. */
    private void popDead() {
        while (seen != null && !seen.isQueued() && !MessageStack.isEnd(seen)) {
            Message older = seen.nextPlain();
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
    void purge() {
        young = 1;
        youngDead = 1;
        settled = 0;
        settledDead = 0;
        Message newSettledTop = null;
        Message kept = seen;
        for (Message m = seen; m != null; m = m.nextPlain()) {
            if (m.isQueued()) {
                if (kept != null && m != kept) {
                    relink(kept, m);
                    kept = m;
                }
                if (!m.isSettled()) {
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
    private static void relink(Message newer, @Nullable Message older) {
        Message m = newer;
        for (Message next = m.nextPlain(); next != null && next != older; next = m.nextPlain()) {
            m.setNextOpaque(older);
            m = next;
        }
    }

    /** Enters all settled messages into a new index. */
    private void makeIndex() {
        // a full index has more than one key for some messages
        KeyIndex made = new KeyIndex(Math.max(settled, index == null ? 0 : index.used()));
        for (Message m = seen; m != null; m = m.nextPlain()) {
            if (m.isSettled() && m.isQueued()) {
                made.add(m);
            }
        }
        setIndexRelease(made);
    }

    /** The loop has ended and every message is dead: clears all references. */
    void clear() {
        Message top = stack.topAcquire();
        seen = top;
        end = top;
        setSettledTopRelease(null);
        setIndexRelease(null);
        synchronous.compact();
        asynchronous.compact();
        if (top != null) {
            top.setNextOpaque(null);
        }
    }

    private void setSettledTopRelease(@Nullable Message m) {
        SETTLED_TOP.setRelease(this, m);
    }

    private void setIndexRelease(@Nullable KeyIndex made) {
        INDEX.setRelease(this, made);
    }
}
