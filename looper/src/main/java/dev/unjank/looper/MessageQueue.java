package dev.unjank.looper;

import dev.unjank.looper.spi.Clock;
import dev.unjank.looper.spi.Waker;
import dev.unjank.looper.util.Nullable;
import dev.unjank.looper.wake.ChannelSelector;
import dev.unjank.looper.wake.ChannelWaker;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.SelectableChannel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * The messages that wait for one looper, in the order of their time.
 *
 * <p>Messages get here through a {@link Handler} and leave through {@link Looper#loop()}. What can be done with the
 * queue itself, by any thread: ask whether it is idle, have something done when it becomes idle, and hold up ordinary
 * messages with a barrier.
 *
 * <p>This class has what both implementations have in common: the loop's decision what to do next, idle handlers,
 * and the tokens of barriers. An implementation says how messages come in and go out, and makes sure that a looper
 * that went to sleep after an armed {@link #poll} is woken by whatever changes the answer.
 */
public abstract sealed class MessageQueue permits LockFreeQueue, MonitorQueue {
    /** Is called when a looper has nothing to do. */
    @FunctionalInterface
    public interface IdleHandler {
        /**
         * Called on the looper's thread when nothing is due, before it goes to sleep: once in a pause, not again when
         * the sleeper wakes to find still nothing due. An exception is logged and has this handler removed.
         *
         * @return true to be called in the next pause, too; false to be removed
         */
        boolean queueIdle();
    }

    /** Is called when a channel is ready. */
    @FunctionalInterface
    public interface OnChannelEventListener {
        /**
         * Called on the looper's thread, between messages, when the channel is ready for some of the operations that it is
         * watched for. An error or a hang-up of the other side makes it ready for all of them. Ready means that the
         * operation should not block; it may still transfer nothing. An exception leaves {@link Looper#loop()}, as that of
         * a message does; an {@link java.io.IOException} is for the listener to catch, since a connection that breaks is no
         * reason to end a loop.
         *
         * @param channel the channel
         * @param events the operations that are ready, as in {@link java.nio.channels.SelectionKey}
         * @return the operations to watch the channel for from now on; 0 to take the listener off. Ignored if the listener
         *     has been taken off or replaced meanwhile, or the channel closed
         */
        int onChannelEvents(SelectableChannel channel, int events);
    }

    /** The time at which nothing is ever due. */
    static final long NEVER = Long.MAX_VALUE;

    private static final Logger LOG = System.getLogger("dev.unjank.looper");

    private static final VarHandle OBSERVERS;

    static {
        try {
            OBSERVERS = MethodHandles.lookup().findVarHandle(MessageQueue.class, "observers", ObserverList.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final Clock clock;
    final Waker waker;
    /** The same, if it can watch channels; that of a queue that belongs to a looper can. */
    private final @Nullable ChannelWaker channelWaker;

    /** Null while nobody observes this queue. Replaced by any thread, by compare-and-set. */
    @SuppressWarnings("unused") // through its handle
    private volatile @Nullable ObserverList observers;

    private final CopyOnWriteArrayList<IdleHandler> idleHandlers = new CopyOnWriteArrayList<>();
    private final AtomicInteger lastBarrierToken = new AtomicInteger();

    /** Belongs to the looper. */
    final PollResult outlook = new PollResult();

    MessageQueue(Clock clock, Waker waker) {
        this.clock = clock;
        this.waker = waker;
        this.channelWaker = waker instanceof ChannelWaker watching ? watching : null;
    }

    // ---- what an implementation does

    /** Puts in a claimed message; false if the queue has been quit. Any thread. */
    abstract boolean insert(Message message);

    /**
     * Takes the first message that is due and that no barrier holds up. Looper only.
     *
     * <p>If there is none, sets {@link #outlook}. If also {@code arm} is set, the
     * looper may go to sleep until the deadline: whoever brings the deadline forward, removes a barrier or quits from
     * now on calls the waker.
     */
    abstract @Nullable Message poll(long nanos, boolean arm);

    /**
     * Takes the next message if it was due already at the last poll, for which the time need not be asked; null if there
     * is none, or if it is not worth looking. Looper only.
     */
    @Nullable
    Message pollBacklog() {
        return null;
    }

    /** Removes what matches; true if anything did. Any thread. */
    abstract boolean remove(Predicate<Message> match);

    /** Removes one message; true if it was here and waited. Any thread. */
    abstract boolean cancel(Message message);

    /** True if a waiting message matches. Any thread. */
    abstract boolean has(Predicate<Message> match);

    /**
     * True if a waiting message matches; takes no lock that a sender or the looper takes, and may miss messages while they
     * do something. Any thread.
     */
    abstract boolean glimpse(Predicate<Message> match);

    /** True if nothing is due. Any thread. */
    abstract boolean isIdleAt(long nanos);

    /** Removes a barrier and wakes the looper; false if there is none with this token. Any thread. */
    abstract boolean removeBarrier(int token);

    /**
     * Refuses messages from now on, and removes those that wait: all of them, or those due later than now. Ignored
     * after the first time. Any thread.
     */
    abstract void quit(boolean safely);

    /** True from the moment at which messages are refused. Any thread. */
    abstract boolean isQuitting();

    /** Ends the present or the next sleep of the looper; does nothing if the loop has ended. Any thread. */
    abstract void wakeUp();

    /** Lets go of the waker when the loop has ended. Looper only; may be called again. */
    abstract void release();

    /** Everything that waits, barriers included, in the order of delivery. Any thread; exact only if none changes it. */
    abstract List<Message> snapshot();

    // ---- the way in

    /** Takes over a message that {@link Message#claim} has prepared. */
    final boolean enqueue(Message message) {
        ObserverList present = observers();
        if (present != null) {
            message.note = present.sending(this, message);
        }
        if (insert(message)) {
            return true;
        }
        message.retire();
        return false;
    }

    // ---- observers

    /** Those who observe this queue, or null. Any thread. */
    final @Nullable ObserverList observers() {
        ObserverList present = observersOpaque();
        if (present != null) {
            // what their owner did before adding them is to be seen by them; only those who have observers pay for it
            VarHandle.acquireFence();
        }
        return present;
    }

    /** False if it was there already. Any thread. */
    final boolean addObserver(MessageObserver observer) {
        for (; ; ) {
            ObserverList present = observersVolatile();
            if (ObserverList.contains(present, observer)) {
                return false;
            }
            if (casObservers(present, ObserverList.plus(present, observer))) {
                return true;
            }
        }
    }

    /** False if it was not there. Any thread. */
    final boolean removeObserver(MessageObserver observer) {
        for (; ; ) {
            ObserverList present = observersVolatile();
            if (!ObserverList.contains(present, observer)) {
                return false;
            }
            if (casObservers(present, ObserverList.minus(present, observer))) {
                return true;
            }
        }
    }

    /** Opaque: read in every post and every delivery, and nothing is read through it without the fence above. */
    private @Nullable ObserverList observersOpaque() {
        return (ObserverList) OBSERVERS.getOpaque(this);
    }

    private @Nullable ObserverList observersVolatile() {
        return observers;
    }

    private boolean casObservers(@Nullable ObserverList expected, @Nullable ObserverList replacement) {
        return OBSERVERS.compareAndSet(this, expected, replacement);
    }

    // ---- the way out

    /**
     * Waits for the next message that is due. Looper only.
     *
     * @return the message, claimed for delivery, or null if the queue has ended
     */
    final @Nullable Message next() {
        runReadyChannels();
        Message known = pollBacklog();
        if (known != null) {
            return known;
        }
        boolean pauseAnnounced = false;
        boolean arm = idleHandlers.isEmpty();
        for (; ; ) {
            // 1. something to deliver?
            Message message = poll(clock.nanos(), arm);
            if (message != null) {
                return message;
            }
            // 2. over?
            if (outlook.ended) {
                release();
                return null;
            }
            // 3. a pause begins: idle handlers, then look again, since they may have posted
            if (outlook.idle && !pauseAnnounced) {
                pauseAnnounced = true;
                if (!arm) {
                    runIdleHandlers();
                    arm = true;
                    continue;
                }
            }
            // 4. sleep, but only on an answer that is armed
            if (arm) {
                sleep();
                runReadyChannels();
                arm = pauseAnnounced || idleHandlers.isEmpty();
            } else {
                arm = true;
            }
        }
    }

    private void sleep() {
        if (outlook.deadline == NEVER) {
            await(Waker.FOREVER);
            return;
        }
        long nanos = outlook.deadline - clock.nanos();
        if (nanos > 0) {
            await(nanos);
        }
    }

    private void await(long nanos) {
        outlook.polling = true;
        try {
            waker.await(nanos);
        } finally {
            outlook.polling = false;
        }
    }

    /**
     * Calls the listeners of the channels that are ready now, once each, and does not wait. Whatever a wake-up that comes
     * meanwhile was for is found by the poll that follows. Looper only.
     */
    final void runReadyChannels() {
        ChannelSelector channels = channelWaker == null ? null : channelWaker.channels();
        if (channels == null) {
            return;
        }
        for (int ready = channels.look(); ready > 0 && !isQuitting(); ready--) {
            channels.deliverNext();
        }
    }

    private void runIdleHandlers() {
        runIdleHandlers(
                (handler, e) -> LOG.log(Level.ERROR, "An idle handler failed and has been removed: " + handler, e));
    }

    /** Calls the idle handlers, once; a loop does so at the beginning of a pause. One that throws is removed. Looper only. */
    final void runIdleHandlers(BiConsumer<IdleHandler, Throwable> onFailure) {
        for (IdleHandler handler : idleHandlers) {
            boolean keep = false;
            try {
                keep = handler.queueIdle();
            } catch (RuntimeException | Error e) {
                onFailure.accept(handler, e);
            }
            if (!keep) {
                idleHandlers.remove(handler);
            }
        }
    }

    // ---- for users

    /**
     * Tells whether the looper has nothing to do now. Any thread.
     *
     * @return true if nothing is due; false also if what is due is held up by a barrier
     */
    public final boolean isIdle() {
        return isIdleAt(clock.nanos());
    }

    /**
     * Tells whether the looper is blocked, waiting for something to do, and has not been quit. Any thread. What it says
     * of a looper that runs may have changed when this returns; a watchdog asks it to learn whether a looper is alive
     * (true) or busy (false).
     *
     * @return true while the looper is inside its {@link Waker} and accepts messages
     */
    public final boolean isPolling() {
        return outlook.polling && !isQuitting();
    }

    /**
     * Counts the messages that wait, due or not, without barriers. Visits each of them; in the monitor queue under its
     * lock. What is sent or taken meanwhile may be counted or not. Any thread.
     *
     * @return how many there are
     */
    public final int depth() {
        int[] waiting = {0};
        has(m -> {
            if (m.kind() != Node.BARRIER) {
                waiting[0]++;
            }
            return false;
        });
        return waiting[0];
    }

    /**
     * Tells for how long the message that waits longest has been due: how far this looper is behind. A message held up by
     * a barrier counts; one that was sent to the front of the queue does not, for it has no time. Visits each message, see
     * {@link #depth()}. Any thread.
     *
     * @return nanoseconds on the looper's clock, 0 if nothing is due
     */
    public final long oldestWaitNanos() {
        long now = clock.nanos();
        long[] longest = {0};
        has(m -> {
            long when = m.when;
            long wait = waitAt(now, m);
            if (m.kind() != Node.BARRIER && when != 0 && m.wasIntact()) {
                longest[0] = Math.max(longest[0], wait);
            }
            return false;
        });
        return longest[0];
    }

    /** For how long a message has been due; 0 if it is not. */
    static long waitAt(long now, Message message) {
        long due = message.dueNanos();
        return due >= now ? 0 : due < 0 && now > Long.MAX_VALUE + due ? Long.MAX_VALUE : now - due;
    }

    /**
     * Has a handler called whenever the looper is about to sleep with nothing due. Any thread. A looper that sleeps
     * already is not woken for it.
     *
     * @param handler the handler
     */
    public final void addIdleHandler(IdleHandler handler) {
        idleHandlers.add(Objects.requireNonNull(handler, "handler"));
    }

    /**
     * Undoes {@link #addIdleHandler}; does nothing if the handler is not there. Any thread.
     *
     * @param handler the handler
     */
    public final void removeIdleHandler(IdleHandler handler) {
        idleHandlers.remove(Objects.requireNonNull(handler, "handler"));
    }

    /**
     * Has a listener called, on the looper's thread, whenever a channel is ready. One listener watches a channel; adding
     * another replaces it. Any thread; a looper that sleeps is woken to see to it.
     *
     * <p>The looper looks at its channels once before each message, and whenever it has slept, and calls each listener
     * whose channel is ready once. So neither a flood of messages nor a busy channel keeps the other waiting for more than
     * one turn. A channel stays ready until its data has been read: a listener that leaves it there is called again and
     * again. No listener is called after the looper has quit; its channels stay open.
     *
     * <p>A channel that is closed is forgotten; nobody needs to take it off. Closing it inside the listener is fine. The
     * operating system learns of it when the looper next looks, so a thread that closes a channel of a looper that may
     * sleep for long calls {@link #removeOnChannelEventListener} as well, which wakes it.
     *
     * <p>While channels are watched the looper sleeps in a {@link java.nio.channels.Selector}: delays end up to a
     * millisecond later, and waking the looper takes a monitor inside the JDK for the length of a system call. A looper
     * driven by hand looks at its channels whenever a {@link TestLooperManager} looks for a message, and never waits for
     * them.
     *
     * @param channel a channel in non-blocking mode
     * @param ops the operations to watch for, as in {@link java.nio.channels.SelectionKey}; 0 takes the present listener
     *     off. Errors need not be asked for
     * @param listener what to call
     * @return false if the looper has quit, and the channel is not watched
     * @throws IllegalArgumentException if the channel is closed or in blocking mode, or lacks one of the operations
     * @throws java.io.UncheckedIOException if the operating system has no selector to give
     */
    public final boolean addOnChannelEventListener(
            SelectableChannel channel, int ops, OnChannelEventListener listener) {
        Objects.requireNonNull(channel, "channel");
        Objects.requireNonNull(listener, "listener");
        if (!channel.isOpen()) {
            throw new IllegalArgumentException("The channel is closed: " + channel);
        }
        if (channel.isBlocking()) {
            throw new IllegalArgumentException(
                    "The channel is in blocking mode, call configureBlocking(false) first: " + channel);
        }
        if ((ops & ~channel.validOps()) != 0) {
            throw new IllegalArgumentException(
                    "operations " + ops + ": " + channel + " has only " + channel.validOps());
        }
        return submit(channel, ops == 0 ? null : new ChannelSelector.Watch(ops, listener));
    }

    /**
     * Undoes {@link #addOnChannelEventListener}; does nothing if the channel is not watched. Any thread: from the looper's
     * own the listener is not called any more, from another it may be running, or run once more. The channel can be
     * put into blocking mode again when the looper has looked, which it is woken for.
     *
     * @param channel the channel, open or closed
     */
    public final void removeOnChannelEventListener(SelectableChannel channel) {
        submit(Objects.requireNonNull(channel, "channel"), null);
    }

    private boolean submit(SelectableChannel channel, ChannelSelector.@Nullable Watch watch) {
        if (channelWaker == null) {
            throw new IllegalStateException("This queue belongs to no looper");
        }
        if (isQuitting() || !channelWaker.submit(channel, watch)) {
            return false;
        }
        wakeUp();
        return true;
    }

    /**
     * Holds up every synchronous message that is to be delivered after this moment, until the barrier is removed.
     * Asynchronous messages pass, and so do messages with an earlier time, also those sent later. A barrier counts from the
     * beginning of the millisecond in which it is posted, so it also holds up what executors have scheduled to the nanosecond
     * within that millisecond. Barriers nest. Quitting drops barriers, too, and when the queue has been quit nothing is posted.
     * Any thread.
     *
     * @return the token with which to remove it; that of no barrier if the queue has been quit
     */
    public final int postSyncBarrier() {
        int token = lastBarrierToken.incrementAndGet();
        Message barrier = Message.barrier(token, clock.uptimeMillis());
        ObserverList present = observers();
        if (present != null) {
            barrier.note = present.postingBarrier(this);
        }
        insert(barrier);
        return token;
    }

    /**
     * Removes a barrier and wakes the looper. Any thread.
     *
     * @param token what {@link #postSyncBarrier()} returned
     * @throws IllegalStateException if there is no such barrier: it was never posted, has been removed already, or was dropped
     *     because the queue was quit
     */
    public final void removeSyncBarrier(int token) {
        if (!removeBarrier(token)) {
            throw new IllegalStateException("No barrier with the token " + token + ": "
                    + (isQuitting()
                            ? "the queue has been quit, and its barriers are gone with it"
                            : "it was never posted, or has been removed already"));
        }
    }

    /**
     * Lists what waits, barriers included, in the order of delivery: by time, and at the same time in the order of
     * sending. Any thread, without stopping the looper: what is added or taken meanwhile may be missing or may be there.
     * On a looper that is driven by hand or held by a {@link TestLooperManager}, and to which nobody sends meanwhile, it is
     * exact.
     *
     * @return an immutable list that does not follow what happens later
     */
    public final List<PendingMessage> pending() {
        List<PendingMessage> pending = new ArrayList<>();
        for (Message m : snapshot()) {
            PendingMessage read = PendingMessage.of(m);
            if (m.wasIntact()) {
                pending.add(read);
            }
        }
        return Collections.unmodifiableList(pending);
    }

    // ---- for people and for tests

    /** Prints what waits, or of it only the messages of one handler; the numbers and the total count everything. */
    final void dump(Printer printer, String prefix, @Nullable Handler only) {
        long now = clock.uptimeMillis();
        Predicate<Message> printed = only == null ? m -> true : MessageMatcher.token(only, null);
        int n = 0;
        int barriers = 0;
        for (Message m : snapshot()) {
            if (printed.test(m)) {
                printer.println(prefix + "Message " + n + ": " + m.toString(now));
            }
            n++;
            if (m.kind() == Node.BARRIER) {
                barriers++;
            }
        }
        printer.println(prefix + "(Total messages: " + n + ", barriers among them: " + barriers + ", idle=" + isIdle()
                + ", polling=" + isPolling() + ", quitting=" + isQuitting() + ", waker=" + waker + ")");
    }

    /**
     * Returns the message that would be delivered last if no more were sent. Meant for tests: of a queue that others use
     * meanwhile it shows what was there during the call. Any thread.
     *
     * @return the message, which still belongs to the queue, or null if none waits; never a barrier
     */
    public final @Nullable Message peekLastMessageForTest() {
        Message last = null;
        for (Message m : snapshot()) {
            last = m.kind() == Node.BARRIER ? last : m;
        }
        return last;
    }

    /**
     * Makes this queue as new, for the next test: removes all messages, barriers and idle handlers, and has the tokens of
     * barriers begin at 1 again. Listeners to channels stay. Does nothing if the queue has been quit. Any thread; what
     * others send or post meanwhile may stay or go.
     */
    public final void resetForTest() {
        if (isQuitting()) {
            return;
        }
        idleHandlers.clear();
        for (Message m : snapshot()) {
            if (m.kind() == Node.BARRIER) {
                removeBarrier(m.arg1); // wakes a looper that sleeps because of it
            }
        }
        remove(m -> true);
        lastBarrierToken.set(0);
    }
}
