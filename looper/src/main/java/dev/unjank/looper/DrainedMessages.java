package dev.unjank.looper;

import dev.unjank.looper.util.Nullable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The looper's side of the lock-free queue: what it has drained from the {@link MessageStack}, in order, and the stack's
 * upkeep. All of it belongs to the looper, but for the two words by which it tells others what is indexed.
 *
 * <pre>
 *   top ──▶ ● ● ● ──▶ ○ ● ○ ○ ● ──▶ ● ○ ● ● ○ ● ──▶ null          ● alive   ○ dead
 *           new       young         settled, and found by key
 *                     ▲ seen        ▲ settledTop
 * </pre>
 *
 * <p><b>Generations.</b> Most messages are delivered as soon as they come; some, timers, stay. Unlinking each one when it
 * dies would take a second link in every message and a compare-and-set for each that is the top. Instead the dead are
 * unlinked in passing: those among the young whenever the looper goes to sleep, or when they are half of the young. What is
 * alive when the looper goes to sleep settles: it is marked, entered into the {@link KeyIndex}, and not walked over again
 * until half of the settled are dead. So every message is visited a constant number of times on average, an idle looper
 * keeps nothing that it has run, and the number of dead that are linked is bounded by half of the living and a constant.
 */
final class DrainedMessages {
    /** So many dead are not worth the walk. What it costs is memory: 56 bytes each. */
    static final int TOLERATED = 512;

    /** With fewer settled messages than this a search may as well walk. */
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

    /** The top at the last drain, or what was below it when it was unlinked. It stays linked, dead or alive. */
    private @Nullable Message seen;

    /** The newest settled message: from here on down, what is alive is indexed, if anything is. Maybe dead by now. */
    private @Nullable Message settledTop;

    private @Nullable KeyIndex index;

    /** The end marker, once it has been drained: then there is nothing to come. */
    private @Nullable Message end;

    /** The horizon: up to then messages are taken without a look at the stack, unless someone overtakes. */
    private long covered = Long.MIN_VALUE;

    /** Those who have overtaken and whose messages a look has seen. */
    private long overtakingSeen;

    private Message[] batch = new Message[16];
    private int young;
    private int youngDead;
    /** How many of the young are timers. */
    private int youngTimers;

    private int settled;
    private int settledDead;

    // What the last take that took nothing has found.
    /** When the next message that barriers let through is due, or the end of time. */
    private long deadline;
    /** When the barrier was due that holds up synchronous messages, or the end of time. */
    private long stalledSince;
    /** True if nothing will ever be taken again. */
    private boolean ended;

    DrainedMessages(MessageStack stack, DrainHorizon horizon) {
        this.stack = stack;
        this.horizon = horizon;
    }

    // ---- any thread

    /** Acquire: what has settled was entered into the index before. */
    @Nullable
    Message settledTopAcquire() {
        return (Message) SETTLED_TOP.getAcquire(this);
    }

    /** Acquire: an index is filled before it is shown. */
    @Nullable
    KeyIndex indexAcquire() {
        return (KeyIndex) INDEX.getAcquire(this);
    }

    // ---- taking

    long deadline() {
        return deadline;
    }

    long stalledSince() {
        return stalledSince;
    }

    boolean hasEnded() {
        return ended;
    }

    /** True if something has been pushed since the last drain. Volatile: it comes after the notice of sleep. */
    boolean hasNewsVolatile() {
        return stack.topVolatile() != seen;
    }

    /**
     * True if the barrier that held up synchronous messages has been removed since. Volatile: it comes after the notice of
     * sleep.
     */
    boolean hasBarrierFallenVolatile() {
        Message first = synchronous.first();
        return stalledSince != MessageQueue.NEVER && first != null && !first.isQueued();
    }

    /** True if a message is known that was due at a time. */
    boolean knowsOneDueAt(long nanos) {
        Message first = synchronous.first();
        Message firstAsynchronous = asynchronous.first();
        return (first != null && first.isDueAt(nanos))
                || (firstAsynchronous != null && firstAsynchronous.isDueAt(nanos));
    }

    /** Takes the first message that is due and that no barrier holds up; null if there is none. */
    @Nullable
    Message take(long nanos, int maxLooks) {
        boolean mustLook = someoneOvertakes();
        for (int looks = 0; ; ) {
            boolean dueHasDied = false;
            if (mustLook && looks < maxLooks) {
                looks++;
                dueHasDied = drain(nanos);
            }
            dueHasDied |= shedDead(synchronous, nanos);
            dueHasDied |= shedDead(asynchronous, nanos);
            mustLook = true;
            // what is dead and was due may have been replaced before it died, by what is to go before all that is known
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
            stalledSince = stalled ? dueNanos(first) : MessageQueue.NEVER;
            if (next == null || !next.isDueAt(nanos)) {
                deadline = dueNanos(next);
                // the caller's time may be older than that of a safe quit, which then leaves something to wait for
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

    /** True if there may be news that goes before what is at hand: see {@link DrainHorizon}. */
    private boolean someoneOvertakes() {
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

    /** Takes what will not be delivered out of an order, as far as it stands first; true if any of it was due. */
    private boolean shedDead(MessageOrder order, long nanos) {
        boolean any = false;
        for (Message m = order.first(); m != null && !isAlive(m); m = order.first()) {
            order.removeFirst();
            any |= m.isDueAt(nanos);
        }
        return any;
    }

    /** False also for what whoever has quit has not yet dropped. */
    private boolean isAlive(Message m) {
        return m.isQueued() && (end == null || m.isDueBefore(end));
    }

    /** Catches up with the top: numbers what has come, oldest first. True if any of it was due and is dead by now. */
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
            // whoever has pushed before the horizon was raised did not know of it
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
        // a millisecond more: the time that is given may be older than the messages
        long soon = Math.floorDiv(nanos, NANOS_PER_MILLI) + 1;
        boolean dueHasDied = false;
        while (count > 0) {
            Message m = batch[--count];
            forget(count);
            boolean alive = accept(m, soon);
            if (m.isDueAt(nanos)) {
                if (m.when != 0) { // at the front the last to come goes first: there all who come overtake
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

    @SuppressWarnings("NullAway") // nobody reads it before it is filled again; what was there must not be kept alive
    private void forget(int i) {
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
     * How many removals the settled can bear before they are to be cleared up. Those of them that have run are in the way
     * already.
     */
    int removalsTolerated() {
        return Math.max(TOLERATED, settled / 2) - settledDead;
    }

    /** True if some have been removed and so few are left that to clear up costs next to nothing: an idle loop keeps no shells. */
    boolean isSoonPurged(int removals) {
        return removals > 0 && settled - settledDead + young - youngDead - removals < WORTH_INDEXING;
    }

    /** Does what upkeep is due in a busy looper. */
    void tidyInPassing() {
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

    /** Has everything that is alive settle, and unlinks the dead among the young. */
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
            setIndexRelease(null); // it holds nothing but the dead
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
            makeIndex(); // this message included
        } else if (index != null) {
            index.add(m);
        }
        return true;
    }

    /** Unlinks what is dead at the top: the last message that was run, when nothing came after it. */
    private void popDead() {
        while (seen != null && !seen.isQueued() && !MessageStack.isEnd(seen)) {
            Message older = seen.nextPlain();
            if (!stack.casTop(seen, older)) {
                return; // news has come, which links to it
            }
            if (seen == settledTop) {
                setSettledTopRelease(older);
            }
            seen = older;
        }
    }

    /** Clears up after removals and timers that have run: among the settled, in the orders, in the index. */
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
        setIndexRelease(null); // until it has been made anew, a search walks
        setSettledTopRelease(newSettledTop);
        if (settled >= WORTH_INDEXING) {
            makeIndex();
        }
        popDead();
    }

    /**
     * Unlinks all between two messages, which is dead: from each of it, too, the link leads straight to the older one. Whoever
     * still has one of the dead, be it an order that lets go of it later or a program that keeps a handle, would otherwise keep
     * all alive that died with it. A reader who stands on one comes to the same message by either link.
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
        // one that has become full has more than one key for some messages
        KeyIndex made = new KeyIndex(Math.max(settled, index == null ? 0 : index.used()));
        for (Message m = seen; m != null; m = m.nextPlain()) {
            if (m.isSettled() && m.isQueued()) {
                made.add(m);
            }
        }
        setIndexRelease(made);
    }

    /** The loop has ended and everything is dead: lets go of it. */
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
