package dev.unjank.looper;

import static dev.unjank.looper.queue.NodeState.BARRIER;
import static dev.unjank.looper.queue.NodeState.dueNanos;
import static dev.unjank.looper.queue.NodeState.isDueAt;
import static dev.unjank.looper.queue.NodeState.isDueBefore;
import static dev.unjank.looper.queue.NodeState.isQueued;
import static dev.unjank.looper.queue.NodeState.kind;
import static dev.unjank.looper.queue.NodeState.nextOpaque;
import static dev.unjank.looper.queue.NodeState.setDueAfterNanos;
import static dev.unjank.looper.queue.NodeState.setDueMillis;
import static dev.unjank.looper.queue.NodeState.setNextPlain;
import static dev.unjank.looper.queue.NodeState.setQueuedPlain;
import static dev.unjank.looper.queue.NodeState.setRecycledRelease;
import static dev.unjank.looper.queue.NodeState.wasIntact;
import static dev.unjank.looper.queue.NodeState.when;

import dev.unjank.looper.queue.DrainHorizon;
import dev.unjank.looper.queue.KeyIndex;
import dev.unjank.looper.queue.MessageStack;
import dev.unjank.looper.queue.Node;
import dev.unjank.looper.queue.NodeState;
import dev.unjank.looper.queue.WaitState;
import dev.unjank.looper.util.Nullable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * The lock-free queue reduced to the subject of its proofs, with at most one fault, which shows that a proof can fail.
 * It consists of the real stack, orders, index and messages, and leaves most tombstones in place. Without a fault it
 * must pass every proof, so any failure with a fault is due to that fault.
 */
@SuppressWarnings("ReferenceEquality") // nodes are compared by identity
final class SeededBugQueue implements QueueUnderTest {
    /** The faults of a lock-free queue. */
    enum Fault {
        NONE,
        /** The looper checks whether a message is still there, and then takes it. */
        TAKES_WITHOUT_WINNING,
        /** A thread checks whether a message is still there, and then removes it. */
        REMOVES_WITHOUT_WINNING,
        /** A producer checks which message is on top, and then puts its own there. */
        PUSHES_WITHOUT_COMPARING,
        /** A producer puts its message on top, and then links it to the one that was there. */
        SWAPS_BEFORE_LINKING,
        /** The looper checks whether a dead message is the top, and then unlinks it. */
        POPS_WITHOUT_COMPARING,
        /** A producer that finds another top than before does not count again how many are below. */
        COUNTS_FROM_A_STALE_TOP,
        /** A producer checks whether the queue has been quit, and then sends. */
        LOOKS_FOR_QUIT_BEFORE_PUSHING,
        /** The looper looks once more for messages, and then announces that it sleeps. */
        LOOKS_BEFORE_PARKING,
        /** The looper announces that it sleeps by a store that may come after its last look. */
        PARKS_BY_RELEASE,
        /** The looper's last look is for messages, and not at the barrier because of which it sleeps. */
        FORGETS_A_FALLEN_BARRIER,
        /** A looper behind a barrier is not woken for asynchronous messages either. */
        HOLDS_UP_EVERYTHING,
        /** A looper that sleeps for a part of a millisecond is not woken for an earlier message in it. */
        SLEEPS_BY_WHOLE_MILLISECONDS,
        /** A waking thread first marks the looper as awake, whereupon others rely on its wake-up. */
        ENDS_THE_SLEEP_BEFORE_WAKING,
        /** The looper clears the link of an unlinked message, on which a reader may be. */
        CUTS_WHAT_IT_UNLINKS,
        /** The looper unlinks the message that it has taken, and those behind it. */
        UNLINKS_THE_LIVING,
        /** The looper marks messages as settled, and then enters them into the index. */
        SETTLES_BEFORE_INDEXING,
        /**
         * The looper meets a removed message while it drains, and does not look for messages sent before the removal.
         */
        FORGETS_WHO_DIED_ON_THE_WAY,
        /** The same with a message that has long been in its order. */
        FORGETS_WHO_DIED_IN_ITS_PLACE,
        /** The same with a message that is removed while the looper tries to take it. */
        TAKES_THE_NEXT_IT_KNOWS,
        /** The looper takes known due messages without checking for overtaking ones. */
        TAKES_WHAT_IS_AT_HAND,
        /** A sender that does not know that it overtakes does not check again when it has sent. */
        DOES_NOT_LOOK_AGAIN,
        /**
         * The looper, having seen the end of the queue, takes messages that the quitting thread has not yet dropped.
         */
        RUNS_ON_AFTER_QUIT,
        /**
         * The looper calls a queue that has been quit ended, though a message is left that it considers not yet due.
         */
        ENDS_TOO_EARLY
    }

    private static final VarHandle TOP;

    static {
        try {
            TOP = MethodHandles.privateLookupIn(MessageStack.class, MethodHandles.lookup())
                    .findVarHandle(MessageStack.class, "top", Node.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final Fault fault;
    final MessageStack stack = new MessageStack();
    final WaitState waitState = new WaitState();
    final DrainHorizon horizon = new DrainHorizon();
    private final SeededBugLooper looper;
    private volatile boolean woken;
    private volatile boolean quit;
    private final AtomicInteger lastToken = new AtomicInteger();

    /** How long to wait at the fault, so that other threads intervene. */
    private final int linger;

    /** For a model checker, which intervenes at every possible place. */
    SeededBugQueue(Fault fault) {
        this(fault, 0);
    }

    private SeededBugQueue(Fault fault, int linger) {
        this.fault = fault;
        this.linger = linger;
        this.looper = new SeededBugLooper(this);
    }

    /** For stress, where threads intervene by chance: waits at the fault, to raise the chance. */
    static SeededBugQueue lingering(Fault fault) {
        return new SeededBugQueue(fault, 20);
    }

    void linger() {
        for (int i = 0; i < linger; i++) {
            Thread.onSpinWait();
        }
    }

    // ---- sending

    @Override
    public boolean send(Message message) {
        int kind = kind(message);
        long dueNanos = dueNanos(message);
        if (!push(message)) {
            message.retire();
            return false;
        }
        WaitState.Parked parked = waitState.parkedVolatile();
        if (parked != null
                && (parked.mustWakeFor(kind, dueNanos) || NodeState.depth(message) >= LockFreeQueue.UNDRAINED_BOUND)) {
            wake(parked);
        }
        return true;
    }

    private boolean push(Message message) {
        long dueNanos = dueNanos(message);
        boolean front = when(message) == 0;
        boolean overtaking = front || horizon.isOvertaking(dueNanos);
        if (overtaking) {
            horizon.beginOvertaking();
        }
        if (fault == Fault.DOES_NOT_LOOK_AGAIN) {
            linger();
        }
        boolean pushed = pushUnannounced(message);
        if (overtaking) {
            horizon.endOvertaking();
        } else if (fault != Fault.DOES_NOT_LOOK_AGAIN) {
            horizon.recheckAfterPush(dueNanos);
        }
        return pushed;
    }

    private boolean pushUnannounced(Message message) {
        boolean counting = waitState.seemsParkedOpaque();
        return switch (fault) {
            case PUSHES_WITHOUT_COMPARING -> {
                Node current = stack.topAcquire();
                if (MessageStack.isEnd(current)) {
                    yield false;
                }
                setQueuedPlain(message, 0);
                setNextPlain(message, current);
                linger();
                TOP.setRelease(stack, message);
                yield true;
            }
            case SWAPS_BEFORE_LINKING -> {
                setQueuedPlain(message, 0);
                Node current = (Node) TOP.getAndSet(stack, message);
                linger();
                setNextPlain(message, current);
                yield true;
            }
            case COUNTS_FROM_A_STALE_TOP -> {
                Node current = stack.topAcquire();
                setQueuedPlain(message, counting && current != null ? 1 + NodeState.depth(current) : 0);
                setNextPlain(message, current);
                linger();
                while (!stack.casTop(current, message)) {
                    current = stack.topAcquire();
                    setNextPlain(message, current);
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

    // ---- removing and searching

    @Override
    public boolean remove(Predicate<Message> match) {
        return new Search(match, true).run();
    }

    @Override
    public boolean has(Predicate<Message> match) {
        return new Search(match, false).run();
    }

    /** Finds or removes the first match. */
    private final class Search implements Predicate<Node> {
        private final Predicate<Message> match;
        private final boolean removing;
        private final @Nullable Node settled = looper.settledTop;
        private final @Nullable Node top = stack.topVolatile();

        Search(Predicate<Message> match, boolean removing) {
            this.match = match;
            this.removing = removing;
        }

        boolean run() {
            for (Node m = top; m != null; m = nextOpaque(m)) {
                KeyIndex known = looper.index;
                if (m == settled
                        && known != null
                        && match instanceof MessageMatcher keyed
                        && keyed.key != KeyIndex.NO_KEY) {
                    return known.search(keyed.key, keyed.codeZero, this) == KeyIndex.Found.STOPPED;
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
        public boolean test(Node node) {
            Message m = (Message) node;
            return isQueued(m) && isKept(m, top) && match.test(m) && (removing ? tryRemove(m) : wasIntact(m));
        }
    }

    private static boolean isKept(Node message, @Nullable Node top) {
        return !MessageStack.isEnd(top) || isDueBefore(message, top);
    }

    private boolean tryRemove(Message m) {
        if (fault == Fault.REMOVES_WITHOUT_WINNING) {
            if (!isQueued(m)) {
                return false;
            }
            linger();
            setRecycledRelease(m);
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
        if (!remove(MessageMatcher.barrier(token))) {
            return false;
        }
        wakeIfParked();
        return true;
    }

    @Override
    public boolean isIdleAt(long now) {
        return !has(m -> isDueAt(m, now * MILLI));
    }

    @Override
    public int depth() {
        int[] count = {0};
        has(m -> {
            count[0] += kind(m) == BARRIER ? 0 : 1;
            return false;
        });
        return count[0];
    }

    // ---- quitting and waking

    @Override
    public void quit(boolean safely) {
        Message end = Message.end();
        setDueMillis(end, Long.MIN_VALUE);
        if (safely) {
            setDueAfterNanos(end, QUIT_TIME * MILLI);
        }
        horizon.beginOvertaking(); // for ever
        if (fault == Fault.LOOKS_FOR_QUIT_BEFORE_PUSHING) {
            if (quit) {
                return;
            }
            quit = true;
            setNextPlain(end, stack.topAcquire());
        } else if (!stack.close(end)) {
            return;
        }
        wakeIfParked();
        for (Node m = nextOpaque(end); m != null; m = nextOpaque(m)) {
            if (!isDueBefore(m, end)) {
                ((Message) m).tryRemove();
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
        return looper.poll(now, arm);
    }

    /** A change of the top that does not compare. */
    void setTopVolatile(@Nullable Node message) {
        TOP.setVolatile(stack, message);
    }

    @Override
    public long deadline() {
        return looper.deadline();
    }

    @Override
    public boolean ended() {
        return looper.ended();
    }
}
