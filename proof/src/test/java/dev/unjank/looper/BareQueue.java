package dev.unjank.looper;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * The lock-free queue cut down to what its proofs are about, with at most one fault in it: what shows that a proof can
 * fail. It is made of the real stack, orders, index and messages, and leaves most tombstones where they are. Without a
 * fault it must pass every proof, so whatever is found with one is that fault.
 */
final class BareQueue implements QueueUnderProof {
    /** What can be wrong with a lock-free queue. */
    enum Fault {
        NONE,
        /** The looper looks whether a message is still there, and then takes it. */
        TAKES_WITHOUT_WINNING,
        /** Somebody looks whether a message is still there, and then removes it. */
        REMOVES_WITHOUT_WINNING,
        /** A producer looks which message is on top, and then puts its own there. */
        PUSHES_WITHOUT_COMPARING,
        /** A producer puts its message on top, and then links it to the one that was there. */
        SWAPS_BEFORE_LINKING,
        /** The looper looks whether what is dead is the top, and then unlinks it. */
        POPS_WITHOUT_COMPARING,
        /** A producer that finds another top than it has seen does not count anew how many are below. */
        COUNTS_FROM_A_STALE_TOP,
        /** A producer looks whether the queue has been quit, and then sends. */
        LOOKS_FOR_QUIT_BEFORE_PUSHING,
        /** The looper looks a last time for messages, and then announces that it sleeps. */
        LOOKS_BEFORE_PARKING,
        /** The looper announces that it sleeps by a store that may come after its last look. */
        PARKS_BY_RELEASE,
        /** The looper's last look is for messages, and not at the barrier because of which it sleeps. */
        FORGETS_A_FALLEN_BARRIER,
        /** A looper behind a barrier is not woken for asynchronous messages either. */
        HOLDS_UP_EVERYTHING,
        /** A looper that sleeps for a part of a millisecond is not woken for what is due earlier in it. */
        SLEEPS_BY_WHOLE_MILLISECONDS,
        /** Whoever wakes the looper first says that it is awake, whereupon others rely on that. */
        ENDS_THE_SLEEP_BEFORE_WAKING,
        /** The looper clears the link of what it unlinks, on which a reader may stand. */
        CUTS_WHAT_IT_UNLINKS,
        /** The looper unlinks what it has taken, and what is behind. */
        UNLINKS_THE_LIVING,
        /** The looper says that messages have settled, and then enters them into the index. */
        SETTLES_BEFORE_INDEXING,
        /** The looper meets a removed message while it drains, and does not look for what was sent before the removal. */
        FORGETS_WHO_DIED_ON_THE_WAY,
        /** The same with a message that has long been in its order. */
        FORGETS_WHO_DIED_IN_ITS_PLACE,
        /** The same with a message that is removed while the looper tries to take it. */
        TAKES_THE_NEXT_IT_KNOWS,
        /** The looper takes what is due and at hand, whoever overtakes. */
        TAKES_WHAT_IS_AT_HAND,
        /** A sender that does not know that it overtakes does not look again when it has sent. */
        DOES_NOT_LOOK_AGAIN,
        /** The looper, having seen the end of the queue, takes what whoever has quit has not yet dropped. */
        RUNS_ON_AFTER_QUIT,
        /** The looper calls a queue that has been quit ended, though something is left that it thinks not yet due. */
        ENDS_TOO_EARLY
    }

    private static final VarHandle TOP;
    private static final VarHandle PARKED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TOP = MethodHandles.privateLookupIn(MessageStack.class, lookup)
                    .findVarHandle(MessageStack.class, "top", Message.class);
            PARKED = MethodHandles.privateLookupIn(WaitState.class, lookup)
                    .findVarHandle(WaitState.class, "parked", WaitState.Parked.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Fault fault;
    private final MessageStack stack = new MessageStack();
    private final MessageOrder synchronous = new MessageOrder();
    private final MessageOrder asynchronous = new MessageOrder();
    private final WaitState waitState = new WaitState();
    private final Horizon horizon = new Horizon();
    private volatile boolean woken;
    private volatile boolean quit;
    private final AtomicInteger lastToken = new AtomicInteger();
    private volatile @Nullable KeyIndex index;
    private volatile @Nullable Message settledTop;
    private long lastArrival = MessageOrder.FIRST_ARRIVAL;
    private long frontArrival = MessageOrder.FIRST_ARRIVAL;
    private long overtakingSeen;
    private long covered = Long.MIN_VALUE;
    private long covering = Long.MIN_VALUE;
    private long deadline;
    private long stalledSince;
    private boolean ended;
    private @Nullable Message end;

    /** The top at the last drain, or what was below it when it was unlinked. It stays linked. */
    private @Nullable Message seen;

    /** How long to linger where the fault is, so that others come in between. */
    private final int linger;

    /** For a model checker, which comes in between wherever that is possible. */
    BareQueue(Fault fault) {
        this(fault, 0);
    }

    private BareQueue(Fault fault, int linger) {
        this.fault = fault;
        this.linger = linger;
    }

    /** For stress, which comes in between by chance: lingers where the fault is, to help chance. */
    static BareQueue lingering(Fault fault) {
        return new BareQueue(fault, 20);
    }

    private void linger() {
        for (int i = 0; i < linger; i++) {
            Thread.onSpinWait();
        }
    }

    // ---- sending

    @Override
    public boolean send(Message message) {
        int kind = message.kind();
        long dueNanos = message.dueNanos();
        if (!push(message)) {
            message.retire();
            return false;
        }
        WaitState.Parked parked = waitState.parkedVolatile();
        if (parked != null && (parked.mustEndFor(kind, dueNanos) || message.depth() >= LockFreeQueue.UNDRAINED_BOUND)) {
            wake(parked);
        }
        return true;
    }

    private boolean push(Message message) {
        long dueNanos = message.dueNanos();
        boolean front = message.when == 0;
        boolean overtaking = front || horizon.isOvertaking(dueNanos);
        if (overtaking) {
            horizon.begin();
        }
        if (fault == Fault.DOES_NOT_LOOK_AGAIN) {
            linger();
        }
        boolean pushed = pushUnannounced(message);
        if (overtaking) {
            horizon.done();
        } else if (fault != Fault.DOES_NOT_LOOK_AGAIN) {
            horizon.lookAgain(dueNanos);
        }
        return pushed;
    }

    private boolean pushUnannounced(Message message) {
        boolean counting = waitState.seemsParkedOpaque();
        return switch (fault) {
            case PUSHES_WITHOUT_COMPARING -> {
                Message current = stack.topAcquire();
                if (MessageStack.isEnd(current)) {
                    yield false;
                }
                message.setQueuedPlain(0);
                message.setNextPlain(current);
                linger();
                TOP.setRelease(stack, message);
                yield true;
            }
            case SWAPS_BEFORE_LINKING -> {
                message.setQueuedPlain(0);
                Message current = (Message) TOP.getAndSet(stack, message);
                linger();
                message.setNextPlain(current);
                yield true;
            }
            case COUNTS_FROM_A_STALE_TOP -> {
                Message current = stack.topAcquire();
                message.setQueuedPlain(counting && current != null ? 1 + current.depth() : 0);
                message.setNextPlain(current);
                linger();
                while (!stack.casTop(current, message)) {
                    current = stack.topAcquire();
                    message.setNextPlain(current);
                }
                yield true;
            }
            case LOOKS_FOR_QUIT_BEFORE_PUSHING -> {
                if (quit) {
                    yield false;
                }
                linger();
                yield stack.push(message, counting);
            }
            default -> stack.push(message, counting);
        };
    }

    private void wake(WaitState.Parked parked) {
        if (fault == Fault.ENDS_THE_SLEEP_BEFORE_WAKING) {
            waitState.casParkedToAwake(parked);
        }
        woken = true;
        waitState.casParkedToAwake(parked);
    }

    private void wakeIfParked() {
        WaitState.Parked parked = waitState.parkedVolatile();
        if (parked != null) {
            wake(parked);
        }
    }

    @Override
    public int postSyncBarrier() {
        int token = lastToken.incrementAndGet();
        send(Message.barrier(token, QUIT_TIME));
        return token;
    }

    // ---- removing and asking

    @Override
    public boolean remove(Predicate<Message> match) {
        return new Search(match, true).run();
    }

    @Override
    public boolean has(Predicate<Message> match) {
        return new Search(match, false).run();
    }

    /** Finds or removes the first that matches. */
    private final class Search implements Predicate<Message> {
        private final Predicate<Message> match;
        private final boolean removing;
        private final @Nullable Message settled = settledTop;
        private final @Nullable Message top = stack.topVolatile();

        Search(Predicate<Message> match, boolean removing) {
            this.match = match;
            this.removing = removing;
        }

        boolean run() {
            for (Message m = top; m != null; m = m.nextOpaque()) {
                KeyIndex known = index;
                if (m == settled && known != null && match instanceof Match keyed && keyed.key != KeyIndex.NO_KEY) {
                    return known.search(keyed.key, keyed.codeZero, this) == KeyIndex.Found.ENOUGH;
                }
                if (test(m)) {
                    return true;
                }
                if (fault == Fault.CUTS_WHAT_IT_UNLINKS) {
                    linger();
                }
            }
            return false;
        }

        @Override
        public boolean test(Message m) {
            return m.isQueued() && isKept(m, top) && match.test(m) && (removing ? tryRemove(m) : m.wasIntact());
        }
    }

    private static boolean isKept(Message message, @Nullable Message top) {
        return !MessageStack.isEnd(top) || message.isDueBefore(top);
    }

    private boolean tryRemove(Message m) {
        if (fault == Fault.REMOVES_WITHOUT_WINNING) {
            if (!m.isQueued()) {
                return false;
            }
            linger();
            m.setRecycledRelease();
            return true;
        }
        return m.tryRemove();
    }

    @Override
    public boolean cancel(Message message) {
        return isKept(message, stack.topVolatile()) && tryRemove(message);
    }

    @Override
    public boolean removeBarrier(int token) {
        if (!remove(Match.barrier(token))) {
            return false;
        }
        wakeIfParked();
        return true;
    }

    @Override
    public boolean isIdleAt(long now) {
        return !has(m -> m.isDueAt(now * MILLI));
    }

    @Override
    public int depth() {
        int[] count = {0};
        has(m -> {
            count[0] += m.kind() == Node.BARRIER ? 0 : 1;
            return false;
        });
        return count[0];
    }

    // ---- quitting and waking

    @Override
    public void quit(boolean safely) {
        Message end = Message.end();
        end.setDueMillis(Long.MIN_VALUE);
        if (safely) {
            end.setDueAfterNanos(QUIT_TIME * MILLI);
        }
        horizon.begin(); // for ever
        if (fault == Fault.LOOKS_FOR_QUIT_BEFORE_PUSHING) {
            if (quit) {
                return;
            }
            quit = true;
            end.setNextPlain(stack.topAcquire());
        } else if (!stack.close(end)) {
            return;
        }
        wakeIfParked();
        for (Message m = end.nextOpaque(); m != null; m = m.nextOpaque()) {
            if (!m.isDueBefore(end)) {
                m.tryRemove();
            }
        }
    }

    @Override
    public boolean isQuitting() {
        return quit || MessageStack.isEnd(stack.topVolatile());
    }

    @Override
    public boolean isWoken() {
        return woken;
    }

    @Override
    public boolean takeWakeUp() {
        boolean was = woken;
        woken = false;
        return was;
    }

    // ---- the looper

    @Override
    public @Nullable Message poll(long now, boolean arm) {
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
            if (next != null && next.isDueAt(now * MILLI)) {
                order.removeFirst();
                if (claim(next)) {
                    return next;
                }
                mayHaveChanged = fault != Fault.TAKES_THE_NEXT_IT_KNOWS;
                continue;
            }
            deadline = next == null ? MessageQueue.NEVER : next.dueNanos();
            ended = end != null && (next == null || fault == Fault.ENDS_TOO_EARLY);
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

    /** True if one is due that nothing can go before, unless someone overtakes. */
    private boolean hasOneAtHand(long now) {
        long overtaking = horizon.overtakingVolatile();
        if (fault != Fault.TAKES_WHAT_IS_AT_HAND && overtaking != overtakingSeen) {
            if (Horizon.isSettled(overtaking)) {
                overtakingSeen = overtaking;
            }
            return false;
        }
        Message first = synchronous.first();
        return first != null
                && asynchronous.isEmpty()
                && first.kind() == Node.SYNCHRONOUS
                && first.isQueued()
                && first.dueNanos() <= Math.min(covered, now * MILLI);
    }

    /** To be called again while it returns true: something has died meanwhile, and may have been replaced before. */
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
                if (m.isDueAt(now * MILLI)) {
                    covered = Math.max(covered, m.dueNanos());
                }
                order.add(m, m.when == 0 ? --frontArrival : ++lastArrival, m.when <= 1);
            } else {
                lookAgain |= fault != Fault.FORGETS_WHO_DIED_ON_THE_WAY;
            }
        }
        synchronous.arrange();
        asynchronous.arrange();
        boolean anyDied = shedDead(synchronous);
        anyDied |= shedDead(asynchronous);
        return lookAgain || (anyDied && fault != Fault.FORGETS_WHO_DIED_IN_ITS_PLACE);
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
        return end == null || message.isDueBefore(end) || fault == Fault.RUNS_ON_AFTER_QUIT;
    }

    private boolean claim(Message message) {
        if (fault == Fault.TAKES_WITHOUT_WINNING) {
            if (!message.isQueued()) {
                return false;
            }
            linger();
            message.setRecycledRelease();
            return true;
        }
        if (!message.casQueuedToTaken()) {
            return false;
        }
        unlink(message);
        return true;
    }

    /** Unlinks a dead message that is not the top. */
    private void unlink(Message message) {
        for (Message newer = seen; newer != null; newer = newer.nextPlain()) {
            if (newer.nextPlain() == message) {
                Message older = message.nextPlain();
                newer.setNextOpaque(fault == Fault.UNLINKS_THE_LIVING && older != null ? older.nextPlain() : older);
                if (fault == Fault.CUTS_WHAT_IT_UNLINKS) {
                    message.setNextOpaque(null);
                }
                return;
            }
        }
    }

    /** Has what is alive found by its key from now on, and unlinks what is dead at the top. */
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
        if (fault == Fault.SETTLES_BEFORE_INDEXING) {
            index = made;
            settledTop = seen;
            linger();
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
        if (fault != Fault.POPS_WITHOUT_COMPARING) {
            return stack.casTop(dead, dead.nextPlain());
        }
        if (stack.topVolatile() != dead) {
            return false;
        }
        linger();
        TOP.setVolatile(stack, dead.nextPlain());
        return true;
    }

    private boolean announceAndLookAgain() {
        long asynchronousBefore = deadline;
        if (fault == Fault.SLEEPS_BY_WHOLE_MILLISECONDS) {
            asynchronousBefore = deadline / MILLI * MILLI;
        }
        long synchronousBefore = Math.min(asynchronousBefore, stalledSince);
        WaitState.Parked parked = new WaitState.Parked(
                synchronousBefore,
                fault == Fault.HOLDS_UP_EVERYTHING ? synchronousBefore : asynchronousBefore,
                Integer.MAX_VALUE);
        return switch (fault) {
            case LOOKS_BEFORE_PARKING -> {
                boolean nothing = mayStillSleep();
                linger();
                waitState.setParkedVolatile(parked);
                yield nothing;
            }
            case PARKS_BY_RELEASE -> {
                PARKED.setRelease(waitState, parked);
                yield mayStillSleep();
            }
            default -> {
                if (fault == Fault.FORGETS_A_FALLEN_BARRIER) {
                    linger();
                }
                waitState.setParkedVolatile(parked);
                yield mayStillSleep();
            }
        };
    }

    private boolean mayStillSleep() {
        Message barrier = stalledSince == MessageQueue.NEVER ? null : synchronous.first();
        return stack.topVolatile() == seen
                && (barrier == null || barrier.isQueued() || fault == Fault.FORGETS_A_FALLEN_BARRIER);
    }

    @Override
    public long deadline() {
        return deadline;
    }

    @Override
    public boolean ended() {
        return ended;
    }
}
