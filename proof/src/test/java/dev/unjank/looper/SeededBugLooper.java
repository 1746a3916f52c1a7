package dev.unjank.looper;

import static dev.unjank.looper.queue.NodeState.ASYNCHRONOUS;
import static dev.unjank.looper.queue.NodeState.BARRIER;
import static dev.unjank.looper.queue.NodeState.NEVER;
import static dev.unjank.looper.queue.NodeState.SYNCHRONOUS;
import static dev.unjank.looper.queue.NodeState.casQueuedToTaken;
import static dev.unjank.looper.queue.NodeState.dueNanos;
import static dev.unjank.looper.queue.NodeState.isDueAt;
import static dev.unjank.looper.queue.NodeState.isDueBefore;
import static dev.unjank.looper.queue.NodeState.isQueued;
import static dev.unjank.looper.queue.NodeState.kind;
import static dev.unjank.looper.queue.NodeState.nextPlain;
import static dev.unjank.looper.queue.NodeState.setNextOpaque;
import static dev.unjank.looper.queue.NodeState.setRecycledRelease;
import static dev.unjank.looper.queue.NodeState.when;

import dev.unjank.looper.queue.DrainHorizon;
import dev.unjank.looper.queue.KeyIndex;
import dev.unjank.looper.queue.MessageOrder;
import dev.unjank.looper.queue.MessageStack;
import dev.unjank.looper.queue.Node;
import dev.unjank.looper.queue.WaitState;
import dev.unjank.looper.util.Nullable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;

/**
 * The looper's part of a {@link SeededBugQueue}: drains, chooses, unlinks, and announces sleep; with the queue's fault,
 * if it is one of the looper.
 */
@SuppressWarnings("ReferenceEquality") // nodes are compared by identity
final class SeededBugLooper {
    private static final VarHandle PARKED;

    static {
        try {
            PARKED = MethodHandles.privateLookupIn(WaitState.class, MethodHandles.lookup())
                    .findVarHandle(WaitState.class, "parked", WaitState.Parked.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final SeededBugQueue queue;
    private final SeededBugQueue.Fault fault;
    private final MessageStack stack;
    private final WaitState waitState;
    private final DrainHorizon horizon;
    private final MessageOrder synchronous = new MessageOrder();
    private final MessageOrder asynchronous = new MessageOrder();
    volatile @Nullable KeyIndex index;
    volatile @Nullable Node settledTop;
    private long lastArrival = MessageOrder.FIRST_ARRIVAL;
    private long frontArrival = MessageOrder.FIRST_ARRIVAL;
    private long overtakingSeen;
    private long covered = Long.MIN_VALUE;
    private long covering = Long.MIN_VALUE;
    private long deadline;
    private long stalledSince;
    private boolean ended;
    private @Nullable Node end;

    /** The top at the last drain, or the message below it when it was unlinked. It stays linked. */
    private @Nullable Node seen;

    SeededBugLooper(SeededBugQueue queue) {
        this.queue = queue;
        fault = queue.fault;
        stack = queue.stack;
        waitState = queue.waitState;
        horizon = queue.horizon;
    }

    /** Until when it may sleep, according to the last poll. */
    long deadline() {
        return deadline;
    }

    /** Whether there will never be a message again, according to the last poll. */
    boolean ended() {
        return ended;
    }

    @Nullable
    Message poll(long now, boolean arm) {
        waitState.setAwakeOpaque();
        boolean mayHaveChanged = !hasOneAtHand(now);
        for (; ; ) {
            if (mayHaveChanged && drain(now)) {
                continue;
            }
            mayHaveChanged = true;
            Node first = synchronous.first();
            boolean stalled = first != null && kind(first) == BARRIER;
            stalledSince = stalled ? dueNanos(first) : NEVER;
            MessageOrder order = stalled || asynchronous.goesBefore(synchronous) ? asynchronous : synchronous;
            Node next = order.first();
            if (next != null && isDueAt(next, now * QueueUnderTest.MILLI)) {
                order.removeFirst();
                if (claim(next)) {
                    return (Message) next;
                }
                mayHaveChanged = fault != SeededBugQueue.Fault.TAKES_THE_NEXT_IT_KNOWS;
                continue;
            }
            deadline = next == null ? NEVER : dueNanos(next);
            ended = end != null && (next == null || fault == SeededBugQueue.Fault.ENDS_TOO_EARLY);
            if (!arm || ended) {
                return null;
            }
            settle();
            if (announceAndLookAgain()) {
                return null;
            }
            waitState.setAwakeOpaque();
        }
    }

    /** True if a message is due that none can go before, unless a sender overtakes. */
    private boolean hasOneAtHand(long now) {
        long overtaking = horizon.overtakingVolatile();
        if (fault != SeededBugQueue.Fault.TAKES_WHAT_IS_AT_HAND && overtaking != overtakingSeen) {
            if (DrainHorizon.isSettled(overtaking)) {
                overtakingSeen = overtaking;
            }
            return false;
        }
        Node first = synchronous.first();
        return first != null
                && asynchronous.isEmpty()
                && kind(first) == SYNCHRONOUS
                && isQueued(first)
                && dueNanos(first) <= Math.min(covered, now * QueueUnderTest.MILLI);
    }

    /** To be called again while it returns true: a message has died meanwhile, and may have been replaced before. */
    private boolean drain(long now) {
        boolean lookAgain = catchUp(now);
        if (covered > covering) {
            covering = covered;
            horizon.raiseVolatile(covered);
            lookAgain = true; // a sender that has pushed before did not know of it
        }
        return lookAgain;
    }

    private boolean catchUp(long now) {
        boolean lookAgain = false;
        ArrayDeque<Node> news = new ArrayDeque<>();
        Node top = stack.topAcquire();
        for (Node m = top; m != null && m != seen; m = nextPlain(m)) {
            news.addFirst(m);
        }
        seen = top;
        for (Node m : news) {
            if (MessageStack.isEnd(m)) {
                end = m;
            } else if (isQueued(m)) {
                MessageOrder order = kind(m) == ASYNCHRONOUS ? asynchronous : synchronous;
                if (isDueAt(m, now * QueueUnderTest.MILLI)) {
                    covered = Math.max(covered, dueNanos(m));
                }
                order.add(m, when(m) == 0 ? --frontArrival : ++lastArrival, when(m) <= 1);
            } else {
                lookAgain |= fault != SeededBugQueue.Fault.FORGETS_WHO_DIED_ON_THE_WAY;
            }
        }
        synchronous.arrange();
        asynchronous.arrange();
        boolean anyDied = shedDead(synchronous);
        anyDied |= shedDead(asynchronous);
        return lookAgain || (anyDied && fault != SeededBugQueue.Fault.FORGETS_WHO_DIED_IN_ITS_PLACE);
    }

    private boolean shedDead(MessageOrder order) {
        boolean any = false;
        for (Node m = order.first(); m != null && !(isQueued(m) && isAhead(m)); m = order.first()) {
            order.removeFirst();
            any = true;
        }
        return any;
    }

    private boolean isAhead(Node message) {
        return end == null || isDueBefore(message, end) || fault == SeededBugQueue.Fault.RUNS_ON_AFTER_QUIT;
    }

    private boolean claim(Node message) {
        if (fault == SeededBugQueue.Fault.TAKES_WITHOUT_WINNING) {
            if (!isQueued(message)) {
                return false;
            }
            queue.linger();
            setRecycledRelease(message);
            return true;
        }
        if (!casQueuedToTaken(message)) {
            return false;
        }
        unlink(message);
        return true;
    }

    /** Unlinks a dead message below the top. */
    private void unlink(Node message) {
        for (Node newer = seen; newer != null; newer = nextPlain(newer)) {
            if (nextPlain(newer) == message) {
                Node older = nextPlain(message);
                setNextOpaque(
                        newer,
                        fault == SeededBugQueue.Fault.UNLINKS_THE_LIVING && older != null ? nextPlain(older) : older);
                if (fault == SeededBugQueue.Fault.CUTS_WHAT_IT_UNLINKS) {
                    setNextOpaque(message, null);
                }
                return;
            }
        }
    }

    /** Makes live messages findable by key from now on, and unlinks a dead top. */
    private void settle() {
        if (!synchronous.isEmpty() || !asynchronous.isEmpty()) {
            makeIndex();
        }
        while (seen != null && !isQueued(seen) && !MessageStack.isEnd(seen) && pop(seen)) {
            seen = nextPlain(seen);
        }
    }

    private void makeIndex() {
        KeyIndex made = new KeyIndex(1);
        if (fault == SeededBugQueue.Fault.SETTLES_BEFORE_INDEXING) {
            index = made;
            settledTop = seen;
            queue.linger();
        }
        for (Node m = seen; m != null; m = nextPlain(m)) {
            if (isQueued(m)) {
                MessageKeys.enter(m, made);
            }
        }
        index = made;
        settledTop = seen;
    }

    private boolean pop(Node dead) {
        if (fault != SeededBugQueue.Fault.POPS_WITHOUT_COMPARING) {
            return stack.casTop(dead, nextPlain(dead));
        }
        if (stack.topVolatile() != dead) {
            return false;
        }
        queue.linger();
        queue.setTopVolatile(nextPlain(dead));
        return true;
    }

    private boolean announceAndLookAgain() {
        long asynchronousBefore = deadline;
        if (fault == SeededBugQueue.Fault.SLEEPS_BY_WHOLE_MILLISECONDS) {
            asynchronousBefore = deadline / QueueUnderTest.MILLI * QueueUnderTest.MILLI;
        }
        long synchronousBefore = Math.min(asynchronousBefore, stalledSince);
        WaitState.Parked parked = new WaitState.Parked(
                synchronousBefore,
                fault == SeededBugQueue.Fault.HOLDS_UP_EVERYTHING ? synchronousBefore : asynchronousBefore,
                Integer.MAX_VALUE);
        return switch (fault) {
            case LOOKS_BEFORE_PARKING -> {
                boolean nothing = mayStillSleep();
                queue.linger();
                waitState.setParkedVolatile(parked);
                yield nothing;
            }
            case PARKS_BY_RELEASE -> {
                PARKED.setRelease(waitState, parked);
                yield mayStillSleep();
            }
            default -> {
                if (fault == SeededBugQueue.Fault.FORGETS_A_FALLEN_BARRIER) {
                    queue.linger();
                }
                waitState.setParkedVolatile(parked);
                yield mayStillSleep();
            }
        };
    }

    private boolean mayStillSleep() {
        Node barrier = stalledSince == NEVER ? null : synchronous.first();
        return stack.topVolatile() == seen
                && (barrier == null || isQueued(barrier) || fault == SeededBugQueue.Fault.FORGETS_A_FALLEN_BARRIER);
    }
}
