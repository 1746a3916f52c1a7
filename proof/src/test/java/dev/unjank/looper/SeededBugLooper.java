package dev.unjank.looper;

import dev.unjank.looper.util.Nullable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;

/**
 * The looper's part of a {@link SeededBugQueue}: drains, chooses, unlinks, and announces sleep; with the queue's fault,
 * if it is one of the looper.
 */
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
    volatile @Nullable Message settledTop;
    private long lastArrival = MessageOrder.FIRST_ARRIVAL;
    private long frontArrival = MessageOrder.FIRST_ARRIVAL;
    private long overtakingSeen;
    private long covered = Long.MIN_VALUE;
    private long covering = Long.MIN_VALUE;
    private long deadline;
    private long stalledSince;
    private boolean ended;
    private @Nullable Message end;

    /** The top at the last drain, or the message below it when it was unlinked. It stays linked. */
    private @Nullable Message seen;

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
            Message first = synchronous.first();
            boolean stalled = first != null && first.kind() == Node.BARRIER;
            stalledSince = stalled ? first.dueNanos() : MessageQueue.NEVER;
            MessageOrder order = stalled || asynchronous.goesBefore(synchronous) ? asynchronous : synchronous;
            Message next = order.first();
            if (next != null && next.isDueAt(now * QueueUnderTest.MILLI)) {
                order.removeFirst();
                if (claim(next)) {
                    return next;
                }
                mayHaveChanged = fault != SeededBugQueue.Fault.TAKES_THE_NEXT_IT_KNOWS;
                continue;
            }
            deadline = next == null ? MessageQueue.NEVER : next.dueNanos();
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
        Message first = synchronous.first();
        return first != null
                && asynchronous.isEmpty()
                && first.kind() == Node.SYNCHRONOUS
                && first.isQueued()
                && first.dueNanos() <= Math.min(covered, now * QueueUnderTest.MILLI);
    }

    /** To be called again while it returns true: a message has died meanwhile, and may have been replaced before. */
    private boolean drain(long now) {
        boolean lookAgain = catchUp(now);
        if (covered > covering) {
            covering = covered;
            horizon.raiseVolatile(covered);
            lookAgain = true; // whoever has pushed before did not know of it
        }
        return lookAgain;
    }

    private boolean catchUp(long now) {
        boolean lookAgain = false;
        ArrayDeque<Message> news = new ArrayDeque<>();
        Message top = stack.topAcquire();
        for (Message m = top; m != null && m != seen; m = m.nextPlain()) {
            news.addFirst(m);
        }
        seen = top;
        for (Message m : news) {
            if (MessageStack.isEnd(m)) {
                end = m;
            } else if (m.isQueued()) {
                MessageOrder order = m.kind() == Node.ASYNCHRONOUS ? asynchronous : synchronous;
                if (m.isDueAt(now * QueueUnderTest.MILLI)) {
                    covered = Math.max(covered, m.dueNanos());
                }
                order.add(m, m.when == 0 ? --frontArrival : ++lastArrival, m.when <= 1);
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
        for (Message m = order.first(); m != null && !(m.isQueued() && isAhead(m)); m = order.first()) {
            order.removeFirst();
            any = true;
        }
        return any;
    }

    private boolean isAhead(Message message) {
        return end == null || message.isDueBefore(end) || fault == SeededBugQueue.Fault.RUNS_ON_AFTER_QUIT;
    }

    private boolean claim(Message message) {
        if (fault == SeededBugQueue.Fault.TAKES_WITHOUT_WINNING) {
            if (!message.isQueued()) {
                return false;
            }
            queue.linger();
            message.setRecycledRelease();
            return true;
        }
        if (!message.casQueuedToTaken()) {
            return false;
        }
        unlink(message);
        return true;
    }

    /** Unlinks a dead message below the top. */
    private void unlink(Message message) {
        for (Message newer = seen; newer != null; newer = newer.nextPlain()) {
            if (newer.nextPlain() == message) {
                Message older = message.nextPlain();
                newer.setNextOpaque(
                        fault == SeededBugQueue.Fault.UNLINKS_THE_LIVING && older != null ? older.nextPlain() : older);
                if (fault == SeededBugQueue.Fault.CUTS_WHAT_IT_UNLINKS) {
                    message.setNextOpaque(null);
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
        while (seen != null && !seen.isQueued() && !MessageStack.isEnd(seen) && pop(seen)) {
            seen = seen.nextPlain();
        }
    }

    private void makeIndex() {
        KeyIndex made = new KeyIndex(1);
        if (fault == SeededBugQueue.Fault.SETTLES_BEFORE_INDEXING) {
            index = made;
            settledTop = seen;
            queue.linger();
        }
        for (Message m = seen; m != null; m = m.nextPlain()) {
            if (m.isQueued()) {
                made.add(m);
            }
        }
        index = made;
        settledTop = seen;
    }

    private boolean pop(Message dead) {
        if (fault != SeededBugQueue.Fault.POPS_WITHOUT_COMPARING) {
            return stack.casTop(dead, dead.nextPlain());
        }
        if (stack.topVolatile() != dead) {
            return false;
        }
        queue.linger();
        queue.setTopVolatile(dead.nextPlain());
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
        Message barrier = stalledSince == MessageQueue.NEVER ? null : synchronous.first();
        return stack.topVolatile() == seen
                && (barrier == null || barrier.isQueued() || fault == SeededBugQueue.Fault.FORGETS_A_FALLEN_BARRIER);
    }
}
