package dev.unjank.looper;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Predicate;

/**
 * The lock-free queue cut down to what its proofs are about, with at most one fault in it: what shows that a proof can
 * fail. It is made of the real stack, heap and messages, and leaves tombstones where they are. Without a fault it must
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
    private final MessageHeap heap = new MessageHeap();
    private final WaitState waitState = new WaitState();
    private volatile boolean woken;
    private volatile boolean quit;
    private long sequence;
    private long deadline;
    private boolean ended;
    private @Nullable Message end;

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
        if (!push(message)) {
            message.retire();
            return false;
        }
        WaitState.Parked parked = waitState.parkedVolatile();
        if (parked != null && parked.mustEndFor(message)) {
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
                message.setNextPlain(current);
                linger();
                TOP.setRelease(stack, message);
                yield true;
            }
            case SWAPS_BEFORE_LINKING -> {
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
                yield stack.push(message);
            }
            default -> stack.push(message);
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
        return !MessageStack.isEnd(top) || message.when < top.when;
    }

    @Override
    public void quit(boolean safely) {
        Message end = Message.end(safely ? QUIT_TIME + 1 : Long.MIN_VALUE);
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
            if (m.when >= end.when) {
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
            Message first = heap.first();
            if (first != null && first.when <= now) {
                heap.remove(first);
                if (claim(first)) {
                    return first;
                }
                continue;
            }
            deadline = first == null ? MessageQueue.NEVER : first.when;
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
        for (Message m = stack.drain(); m != null; m = m.newer) {
            if (MessageStack.isEnd(m)) {
                end = m;
            } else if (m.isQueued()) {
                heap.add(m, m.when == 0 ? - ++sequence : ++sequence);
            } else {
                diedMeanwhile = true;
            }
        }
        for (Message m = heap.first(); m != null && !(m.isQueued() && isAhead(m)); m = heap.first()) {
            heap.remove(m);
            diedMeanwhile = true;
        }
        return diedMeanwhile;
    }

    private boolean isAhead(Message message) {
        return end == null || message.when < end.when || fault == Fault.RUNS_ON_AFTER_QUIT;
    }

    private boolean claim(Message message) {
        if (fault == Fault.TAKES_WITHOUT_WINNING) {
            if (!message.isQueued()) {
                return false;
            }
            linger();
            message.setStateRelease(Node.TAKEN);
            return true;
        }
        if (!message.casQueuedToTaken()) {
            return false;
        }
        stack.unlink(message);
        if (fault == Fault.CUTS_WHAT_IT_UNLINKS) {
            message.setNextOpaque(null);
        }
        return true;
    }

    private boolean announceAndLookAgain() {
        WaitState.Parked parked = new WaitState.Parked(deadline, deadline);
        return switch (fault) {
            case LOOKS_BEFORE_PARKING -> {
                boolean nothing = !stack.hasNewsVolatile();
                linger();
                waitState.setParkedVolatile(parked);
                yield nothing;
            }
            case PARKS_BY_RELEASE -> {
                PARKED.setRelease(waitState, parked);
                yield !stack.hasNewsVolatile();
            }
            default -> {
                waitState.setParkedVolatile(parked);
                yield !stack.hasNewsVolatile();
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
