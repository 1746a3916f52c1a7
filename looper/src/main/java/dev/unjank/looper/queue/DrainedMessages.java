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
 * The messages that the looper has drained from the {@link MessageStack}, in the order in which it takes them. {@link
 * MessageGenerations} unlinks the dead ones. Used only by the looper.
 */
@SuppressWarnings("ReferenceEquality") // nodes are compared by identity
public final class DrainedMessages {
    private static final int USUAL_BATCH = 1024;
    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final MessageStack stack;
    private final DrainHorizon horizon;
    private final MessageGenerations generations;
    /** The synchronous messages and the barriers. */
    private final MessageOrder synchronous = new MessageOrder();

    private final MessageOrder asynchronous = new MessageOrder();
    private long lastArrival = MessageOrder.FIRST_ARRIVAL;
    private long frontArrival = MessageOrder.FIRST_ARRIVAL;

    /** The end marker; null until it has been drained. No message follows it. */
    private @Nullable Node end;

    /**
     * The {@link DrainHorizon}: messages due up to this time are taken without checking the stack, unless a sender
     * overtakes.
     */
    private long covered = Long.MIN_VALUE;

    /** The last overtaking word in which all announced senders had withdrawn: their messages have been drained. */
    private long overtakingSeen;

    private Node[] batch = new Node[16];

    // The result of the last take that took nothing:
    /** The due time of the next message that is not blocked by a barrier, or {@link NodeState#NEVER}. */
    private long deadline;
    /** The due time of the barrier that blocks synchronous messages, or {@link NodeState#NEVER}. */
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

    /**
     * Returns true if a message has been pushed since the last drain. Volatile: ordered after the store that publishes
     * the sleep.
     */
    public boolean hasNewMessagesVolatile() {
        return stack.topVolatile() != generations.seen();
    }

    /**
     * Returns true if the barrier that blocked synchronous messages has been removed since. Volatile: ordered after the
     * store that publishes the sleep.
     */
    public boolean isBarrierRemovedVolatile() {
        Node first = synchronous.first();
        return barrierSince != NEVER && first != null && !isQueued(first);
    }

    /** Returns true if a drained message was due at {@code nanos}. */
    public boolean hasDueAt(long nanos) {
        Node first = synchronous.first();
        Node firstAsynchronous = asynchronous.first();
        return (first != null && isDueAt(first, nanos))
                || (firstAsynchronous != null && isDueAt(firstAsynchronous, nanos));
    }

    /** Takes the first message that is due and not blocked by a barrier; returns null if there is none. */
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
            // a due message that died may have been replaced, before it died, by a new message that precedes all
            // drained ones
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
                // quitSafely may have used a later time than the caller, so a kept message may not be due yet at nanos
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

    /** Returns true if new messages may precede the drained ones: see {@link DrainHorizon}. */
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

    /** Drops the dead messages at the head of an order; returns true if any of them was due. */
    private boolean dropRemoved(MessageOrder order, long nanos) {
        boolean any = false;
        for (Node m = order.first(); m != null && !isAlive(m); m = order.first()) {
            order.removeFirst();
            any |= isDueAt(m, nanos);
        }
        return any;
    }

    /** Returns false for dead messages, and for messages that a quitting thread will drop. */
    private boolean isAlive(Node m) {
        return isQueued(m) && (end == null || isDueBefore(m, end));
    }

    /**
     * Drains the new messages from the stack and numbers them, oldest first. Returns true if any of them was due and is
     * already dead.
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
            // a sender that pushed before the horizon was raised has compared with the old horizon
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
        // plus a millisecond: the given time may be earlier than the sending of the messages
        long soon = Math.floorDiv(nanos, NANOS_PER_MILLI) + 1;
        boolean dueHasDied = false;
        while (count > 0) {
            Node m = batch[--count];
            clearSlot(count);
            boolean alive = accept(m, soon);
            if (isDueAt(m, nanos)) {
                if (m.when != 0) { // every new message for the front overtakes
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

    @SuppressWarnings("NullAway") // refilled before it is read; old elements must not be retained
    private void clearSlot(int i) {
        batch[i] = null;
    }

    /** Returns false if the message is dead, without adding it. */
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

    /** Unlinks dead messages in a busy looper, if there are enough of them. */
    public void unlinkIncrementally() {
        generations.unlinkIncrementally(isEmpty());
    }

    /** Settles all live messages and unlinks the dead young messages. */
    public void settle() {
        generations.settle(isEmpty());
    }

    /** Purges removed messages and timers that have run from the settled messages, the orders and the index. */
    public void purge() {
        generations.purge();
        compact();
    }

    /** Clears all references. Called when the loop has ended and every message is dead. */
    public void clear() {
        end = generations.clear();
        compact();
    }

    private void compact() {
        synchronous.compact();
        asynchronous.compact();
    }
}
