package dev.unjank.looper;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.function.Predicate;

/**
 * The lock-free queue cut down to what its proofs are about, with at most one fault in it: what shows that a proof can
 * fail. It is made of the real stack, order and messages, and leaves tombstones where they are. Without a fault it must
 * pass every proof, so whatever is found with one is that fault.
 */
final class BareQueue implements QueueUnderProof {
    /** What can be wrong with a lock-free queue. */
    enum Fault {
        NONE,
        /** The looper looks whether a message is still there, and then takes it. */
        TAKES_WITHOUT_WINNING,
        /** A producer looks which message is on top, and then puts its own there. */
        PUSHES_WITHOUT_COMPARING,
        /** A producer puts its message on top, and then links it to the one that was there. */
        SWAPS_BEFORE_LINKING,
        /** A producer looks whether the queue has been quit, and then sends. */
        LOOKS_FOR_QUIT_BEFORE_PUSHING,
        /** The looper looks a last time for messages, and then announces that it sleeps. */
        LOOKS_BEFORE_PARKING,
        /** The looper announces that it sleeps by a store that may come after its last look. */
        PARKS_BY_RELEASE,
        /** The looper clears the link of what it unlinks, on which a reader may stand. */
        CUTS_WHAT_IT_UNLINKS,
        /** The looper, having met a removed message, takes the next that it knows, though another may have been sent. */
        TRUSTS_A_STALE_VIEW,
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
    private final MessageOrder order = new MessageOrder();
    private final WaitState waitState = new WaitState();
    private volatile boolean woken;
    private volatile boolean quit;
    private long lastArrival = MessageOrder.FIRST_ARRIVAL;
    private long frontArrival = MessageOrder.FIRST_ARRIVAL;
    private long deadline;
    private boolean ended;
    private @Nullable Message end;

    /** The top at the last drain. It stays linked. */
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

    // ---- any thread

    @Override
    public boolean send(Message message) {
        int kind = message.kind();
        long dueNanos = message.dueNanos();
        if (!push(message)) {
            message.retire();
            return false;
        }
        WaitState.Parked parked = waitState.parkedVolatile();
        if (parked != null && parked.mustEndFor(kind, dueNanos)) {
            wake(parked);
        }
        return true;
    }

    private boolean push(Message message) {
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
            case LOOKS_FOR_QUIT_BEFORE_PUSHING -> {
                if (quit) {
                    yield false;
                }
                linger();
                yield stack.push(message, false);
            }
            default -> stack.push(message, false);
        };
    }

    private void wake(WaitState.Parked parked) {
        woken = true;
        waitState.casParkedToAwake(parked);
    }

    @Override
    public boolean remove(int what) {
        Message top = stack.topAcquire();
        for (Message m = top; m != null; m = m.nextOpaque()) {
            if (m.isQueued() && isKept(m, top) && m.what == what && m.tryRemove()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean has(int what) {
        return has(new HasCode(what));
    }

    @Override
    public boolean isIdleAt(long now) {
        return !has(m -> m.when <= now);
    }

    private boolean has(Predicate<Message> match) {
        Message top = stack.topAcquire();
        for (Message m = top; m != null; m = m.nextOpaque()) {
            if (m.isQueued() && isKept(m, top) && match.test(m) && m.wasIntact()) {
                return true;
            }
            if (fault == Fault.CUTS_WHAT_IT_UNLINKS) {
                linger();
            }
        }
        return false;
    }

    private static boolean isKept(Message message, @Nullable Message top) {
        return !MessageStack.isEnd(top) || message.isDueBefore(top);
    }

    @Override
    public void quit(boolean safely) {
        Message end = Message.end();
        end.setDueMillis(safely ? QUIT_TIME + 1 : Long.MIN_VALUE);
        if (fault == Fault.LOOKS_FOR_QUIT_BEFORE_PUSHING) {
            if (quit) {
                return;
            }
            quit = true;
            end.setNextPlain(stack.topAcquire());
        } else if (!stack.close(end)) {
            return;
        }
        for (Message m = end.nextOpaque(); m != null; m = m.nextOpaque()) {
            if (!m.isDueBefore(end)) {
                m.tryRemove();
            }
        }
        WaitState.Parked parked = waitState.parkedVolatile();
        if (parked != null) {
            wake(parked);
        }
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
        for (; ; ) {
            if (drain() && fault != Fault.TRUSTS_A_STALE_VIEW) {
                continue;
            }
            Message first = order.first();
            if (first != null && first.when <= now) {
                order.removeFirst();
                if (claim(first)) {
                    return first;
                }
                continue;
            }
            deadline = first == null ? MessageQueue.NEVER : first.dueNanos();
            ended = end != null && (first == null || fault == Fault.ENDS_TOO_EARLY);
            if (!arm || ended || announceAndLookAgain()) {
                return null;
            }
            waitState.setAwakeOpaque();
        }
    }

    /** To be called again while it returns true: something has died meanwhile, and may have been replaced before. */
    private boolean drain() {
        boolean diedMeanwhile = false;
        ArrayDeque<Message> news = new ArrayDeque<>();
        Message top = stack.topAcquire();
        for (Message m = top; m != seen; m = m.nextPlain()) {
            news.addFirst(m);
        }
        seen = top;
        for (Message m : news) {
            if (MessageStack.isEnd(m)) {
                end = m;
            } else if (m.isQueued()) {
                order.add(m, m.when == 0 ? --frontArrival : ++lastArrival, m.when <= 1);
            } else {
                diedMeanwhile = true;
            }
        }
        for (Message m = order.first(); m != null && !(m.isQueued() && isAhead(m)); m = order.first()) {
            order.removeFirst();
            diedMeanwhile = true;
        }
        return diedMeanwhile;
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
                newer.setNextOpaque(message.nextPlain());
                if (fault == Fault.CUTS_WHAT_IT_UNLINKS) {
                    message.setNextOpaque(null);
                }
                return;
            }
        }
    }

    private boolean announceAndLookAgain() {
        WaitState.Parked parked = new WaitState.Parked(deadline, deadline, Integer.MAX_VALUE);
        return switch (fault) {
            case LOOKS_BEFORE_PARKING -> {
                boolean nothing = stack.topVolatile() == seen;
                linger();
                waitState.setParkedVolatile(parked);
                yield nothing;
            }
            case PARKS_BY_RELEASE -> {
                PARKED.setRelease(waitState, parked);
                yield stack.topVolatile() == seen;
            }
            default -> {
                waitState.setParkedVolatile(parked);
                yield stack.topVolatile() == seen;
            }
        };
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
