package dev.unjank.looper.queue;

import static dev.unjank.looper.queue.NodeState.ASYNCHRONOUS;
import static dev.unjank.looper.queue.NodeState.BARRIER;
import static dev.unjank.looper.queue.NodeState.NEVER;
import static dev.unjank.looper.queue.NodeState.casQueuedToTaken;
import static dev.unjank.looper.queue.NodeState.dueNanos;
import static dev.unjank.looper.queue.NodeState.isDueAt;
import static dev.unjank.looper.queue.NodeState.isDueBefore;
import static dev.unjank.looper.queue.NodeState.isQueued;
import static dev.unjank.looper.queue.NodeState.kind;
import static dev.unjank.looper.queue.NodeState.nextPlain;

import dev.unjank.looper.util.Nullable;
import java.util.Arrays;

/**
 * The messages that the looper has drained from the {@link MessageStack}, in the order in which it takes them. Its
 * {@link MessageGenerations} unlink the dead ones. Belongs to the looper.
 */
@SuppressWarnings("ReferenceEquality") // nodes are compared by identity
public final class DrainedMessages {
    private static final int USUAL_BATCH = 1024;
    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final MessageStack stack;
    private final DrainHorizon horizon;
    private final MessageGenerations generations;
    /** Synchronous messages, and barriers. */
    private final MessageOrder synchronous = new MessageOrder();

    private final MessageOrder asynchronous = new MessageOrder();
    private long lastArrival = MessageOrder.FIRST_ARRIVAL;
    private long frontArrival = MessageOrder.FIRST_ARRIVAL;

    /** The end marker, once it has been drained: then no message follows. */
    private @Nullable Node end;

    /** The horizon: up to then messages are taken without checking the stack, unless a sender overtakes. */
    private long covered = Long.MIN_VALUE;

    /** The overtaking senders that have been handled: their messages have been seen. */
    private long overtakingSeen;

    private Node[] batch = new Node[16];

    // The result of the last take that took nothing:
    /** The due time of the next message that barriers let through, or the end of time. */
    private long deadline;
    /** The due time of the barrier that holds up synchronous messages, or the end of time. */
    private long barrierSince;
    /** True if no message will ever be taken again. */
    private boolean ended;

    public DrainedMessages(MessageStack stack, DrainHorizon horizon, MessageGenerations generations) {
        this.stack = stack;
        this.horizon = horizon;
        this.generations = generations;
    }

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
        return stack.topVolatile() != generations.seen();
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
                generations.countTaken(next);
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
            if (top == generations.seen()) {
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
        Node seen = generations.seen();
        for (Node m = top; m != null && m != seen; m = nextPlain(m)) {
            if (count == batch.length) {
                batch = Arrays.copyOf(batch, 2 * count);
            }
            batch[count++] = m;
        }
        generations.advance(top, count);
        if (isEmpty()) {
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
                generations.countTimer();
            }
            MessageOrder order = kind(m) == ASYNCHRONOUS ? asynchronous : synchronous;
            order.add(m, m.when == 0 ? --frontArrival : ++lastArrival, isSoon);
        } else {
            generations.countDeadYoung();
            return false;
        }
        return true;
    }

    private boolean isEmpty() {
        return synchronous.isEmpty() && asynchronous.isEmpty();
    }

    // ---- upkeep

    /** Does the due upkeep in a busy looper. */
    public void unlinkIncrementally() {
        generations.unlinkIncrementally(isEmpty());
    }

    /** Settles all live messages, and unlinks the dead among the young. */
    public void settle() {
        generations.settle(isEmpty());
    }

    /** Purges removed messages and timers that have run: among the settled, in the orders, in the index. */
    public void purge() {
        generations.purge();
        compact();
    }

    /** The loop has ended and every message is dead: clears all references. */
    public void clear() {
        end = generations.clear();
        compact();
    }

    private void compact() {
        synchronous.compact();
        asynchronous.compact();
    }
}
