package dev.unjank.looper;

import static dev.unjank.looper.queue.NodeState.BARRIER;
import static dev.unjank.looper.queue.NodeState.kind;
import static dev.unjank.looper.queue.NodeState.wasIntact;
import static dev.unjank.looper.queue.NodeState.when;

import dev.unjank.looper.queue.DeliveryLatency;
import dev.unjank.looper.queue.PollResult;
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
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The queue of one looper's messages, ordered by due time.
 *
 * <p>A {@link Handler} adds messages, and {@link Looper#loop()} delivers them. Any thread can ask the queue whether it
 * is idle, add idle handlers, and block synchronous messages with a barrier.
 *
 * <p>This class is the common part of both implementations: the choice of the loop's next step, idle handlers, and the
 * tokens of barriers. An implementation inserts and takes messages. It also wakes the looper if the looper sleeps and a
 * change affects the result of its last {@link #poll}.
 */
public abstract sealed class MessageQueue permits LockFreeQueue, MonitorQueue {
    /** A handler that is called when a looper has nothing to do. */
    @FunctionalInterface
    public interface IdleHandler {
        /**
         * Called on the looper's thread when no message is due, before the looper sleeps. The looper calls each handler
         * once between two messages, even if it wakes several times. If this method throws, the exception is logged and
         * the handler removed.
         *
         * @return true to be called again after the next message; false to be removed
         */
        boolean queueIdle();
    }

    /** Called when a channel is ready. */
    @FunctionalInterface
    public interface OnChannelEventListener {
        /**
         * Called on the looper's thread, between messages, when the channel is ready for some of the watched
         * operations. It is ready for all of them after an error or after the peer has closed the connection. A ready
         * operation does not block, but may transfer no data.
         *
         * <p>The {@link ExceptionPolicy} determines whether an exception of this method ends {@link Looper#loop()} or
         * removes the listener. Catch {@link java.io.IOException}, so that a broken connection does not end the loop.
         *
         * @param channel the channel
         * @param events the operations that are ready, as in {@link java.nio.channels.SelectionKey}
         * @return the operations to watch from now on; 0 to remove the listener. Ignored if the listener has been
         *     removed or replaced meanwhile, or if the channel has been closed
         */
        int onChannelEvents(SelectableChannel channel, int events);
    }

    /** The due time of messages that are never due. */
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
    /** The waker, if it can watch channels. Null only in tests whose waker cannot. */
    private final @Nullable ChannelWaker channelWaker;

    /** Null while the queue has no observers. Replaced by any thread, by compare-and-set. */
    @SuppressWarnings("unused") // through its handle
    private volatile @Nullable ObserverList observers;

    /**
     * Receives the exceptions of channel listeners, which are then removed; null if exceptions end the loop. Accessed
     * by the looper.
     */
    @Nullable
    Consumer<Throwable> listenerFailure;

    private final CopyOnWriteArrayList<IdleHandler> idleHandlers = new CopyOnWriteArrayList<>();
    private final AtomicInteger lastBarrierToken = new AtomicInteger();

    /** The result of the looper's last poll. Used only by the looper, except for {@link PollResult#polling}. */
    final PollResult pollResult = new PollResult();

    MessageQueue(Clock clock, Waker waker) {
        this.clock = clock;
        this.waker = waker;
        this.channelWaker = waker instanceof ChannelWaker watching ? watching : null;
    }

    // ---- for implementations

    /** Inserts a claimed message; returns false if the queue has been quit. May be called from any thread. */
    abstract boolean insert(Message message);

    /**
     * Takes the first message that is due and not blocked by a barrier. Called only by the looper.
     *
     * <p>If there is none, sets {@link #pollResult}. If there is none and {@code arm} is true, the poll is armed: it
     * announces a sleep of the looper until the deadline. From then on, threads that bring the deadline forward, remove
     * a barrier or quit call the waker.
     */
    abstract @Nullable Message poll(long nanos, boolean arm);

    /**
     * Takes the next message if it was already due at the last poll, without reading the clock. Returns null if there
     * is none; an implementation without this shortcut always returns null. Called only by the looper.
     */
    @Nullable
    Message pollBacklog() {
        return null;
    }

    /** Removes the matching messages; returns true if there were any. May be called from any thread. */
    abstract boolean remove(Predicate<Message> match);

    /** Removes one message; returns true if it was in this queue. May be called from any thread. */
    abstract boolean cancel(Message message);

    /** Returns true if a waiting message matches. May be called from any thread. */
    abstract boolean has(Predicate<Message> match);

    /**
     * Returns true if a waiting message matches. Takes no lock that a sender or the looper takes, and may miss messages
     * while these are active. May be called from any thread.
     */
    abstract boolean scanUnlocked(Predicate<Message> match);

    /** Returns true if nothing is due. May be called from any thread. */
    abstract boolean isIdleAt(long nanos);

    /**
     * Removes a barrier and wakes the looper; returns false if there is no barrier with this token. May be called from
     * any thread.
     */
    abstract boolean removeBarrier(int token);

    /**
     * Refuses messages from now on, and removes all waiting messages or, if {@code safely} is set, those that are not
     * due yet. Only the first call has an effect. May be called from any thread.
     */
    abstract void quit(boolean safely);

    /** True from the moment at which messages are refused. May be called from any thread. */
    abstract boolean isQuitting();

    /**
     * Ends the current or the next sleep of the looper; does nothing if the loop has ended. May be called from any
     * thread.
     */
    abstract void wakeUp();

    /** Releases the waker when the loop has ended. Called only by the looper; may be called again. */
    abstract void release();

    /**
     * Returns all waiting messages, including barriers, in the order of delivery. May be called from any thread; exact
     * only without concurrent changes.
     */
    abstract List<Message> snapshot();

    // ---- inserting

    /** Enqueues a message that {@link Message#claim} has prepared. */
    final boolean enqueue(Message message) {
        ObserverList present = observers();
        if (present != null) {
            message.note = present.sending(this, message);
        }
        if (insert(message)) {
            return true;
        }
        message.refuse();
        return false;
    }

    // ---- observers

    /** Returns the observers of this queue, or null. May be called from any thread. */
    final @Nullable ObserverList observers() {
        ObserverList present = observersOpaque();
        if (present != null) {
            // writes before the addition of an observer must be visible to it; only queues with observers pay for this
            // fence
            VarHandle.acquireFence();
        }
        return present;
    }

    /** Adds an observer; returns false if it has already been added. May be called from any thread. */
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

    /** Removes an observer; returns false if it was not added. May be called from any thread. */
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

    /** Opaque: read in every post and every delivery; accesses to the observers come after the fence above. */
    private @Nullable ObserverList observersOpaque() {
        return (ObserverList) OBSERVERS.getOpaque(this);
    }

    private @Nullable ObserverList observersVolatile() {
        return observers;
    }

    private boolean casObservers(@Nullable ObserverList expected, @Nullable ObserverList replacement) {
        return OBSERVERS.compareAndSet(this, expected, replacement);
    }

    // ---- taking

    /**
     * Waits for the next due message. Called only by the looper.
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
            // 1. is a message due?
            Message message = poll(clock.nanos(), arm);
            if (message != null) {
                return message;
            }
            // 2. has the queue ended?
            if (pollResult.ended) {
                release();
                return null;
            }
            // 3. a pause begins: call the idle handlers and poll again, since they may have posted
            if (pollResult.idle && !pauseAnnounced) {
                pauseAnnounced = true;
                if (!arm) {
                    runIdleHandlers();
                    arm = true;
                    continue;
                }
            }
            // 4. sleep, but only after an armed poll
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
        if (pollResult.deadline == NEVER) {
            await(Waker.FOREVER);
            return;
        }
        long nanos = pollResult.deadline - clock.nanos();
        if (nanos > 0) {
            await(nanos);
        }
    }

    private void await(long nanos) {
        pollResult.polling = true;
        try {
            waker.await(nanos);
        } finally {
            pollResult.polling = false;
        }
    }

    /**
     * Calls the listener of each ready channel once, without waiting. A wake-up that arrives meanwhile is not lost: the
     * poll that follows finds its cause. Called only by the looper.
     */
    final void runReadyChannels() {
        ChannelSelector channels = channelWaker == null ? null : channelWaker.channels();
        if (channels == null) {
            return;
        }
        for (int ready = channels.selectReady(); ready > 0 && !isQuitting(); ready--) {
            channels.deliverNext(listenerFailure);
        }
    }

    private void runIdleHandlers() {
        runIdleHandlers((handler, e) -> LOG.log(
                // not the handler itself, whose toString may fail as well
                Level.ERROR,
                "An idle handler failed and has been removed: "
                        + handler.getClass().getName(),
                e));
    }

    /**
     * Calls each idle handler once, as a loop does at the beginning of a pause. A handler that throws is removed.
     * Called only by the looper.
     */
    final void runIdleHandlers(BiConsumer<IdleHandler, Throwable> onFailure) {
        for (IdleHandler handler : idleHandlers) {
            boolean keep = false;
            try {
                keep = handler.queueIdle();
            } catch (Throwable e) { // Kotlin throws checked exceptions without declaring them
                onFailure.accept(handler, e);
            }
            if (!keep) {
                idleHandlers.remove(handler);
            }
        }
    }

    // ---- for users

    /**
     * Returns whether no message is due. A barrier, and the messages that it blocks, count as due. May be called from
     * any thread.
     *
     * @return true if no message and no barrier is due
     */
    public final boolean isIdle() {
        return isIdleAt(clock.nanos());
    }

    /**
     * Returns whether the looper is blocked waiting for messages and has not quit. May be called from any thread. For a
     * running looper the result may already be stale on return. A watchdog can use this method to distinguish an idle
     * looper (true) from a busy one (false).
     *
     * @return true while the looper is inside its {@link Waker} and accepts messages
     */
    public final boolean isPolling() {
        return pollResult.polling && !isQuitting();
    }

    /**
     * Counts the waiting messages, due or not, without barriers. Visits each message; in the monitor queue under the
     * lock. Messages sent or taken meanwhile may be counted or not. May be called from any thread.
     *
     * @return the number of messages
     */
    public final int depth() {
        int[] waiting = {0};
        has(m -> {
            if (kind(m) != BARRIER) {
                waiting[0]++;
            }
            return false;
        });
        return waiting[0];
    }

    /**
     * Returns the time for which the oldest due message has been due, that is, how far this looper is behind. Messages
     * that a barrier blocks count; messages that were sent to the front of the queue do not, since they have no time.
     * Visits each message, see {@link #depth()}. May be called from any thread.
     *
     * @return nanoseconds on the looper's clock, 0 if nothing is due
     */
    public final long oldestWaitNanos() {
        long now = clock.nanos();
        long[] longest = {0};
        has(m -> {
            long when = when(m);
            long wait = DeliveryLatency.waitAt(now, m);
            if (kind(m) != BARRIER && when != 0 && wasIntact(m)) {
                longest[0] = Math.max(longest[0], wait);
            }
            return false;
        });
        return longest[0];
    }

    /**
     * Adds a handler that is called whenever the looper is about to sleep because nothing is due. May be called from
     * any thread. Does not wake a sleeping looper.
     *
     * @param handler the handler
     */
    public final void addIdleHandler(IdleHandler handler) {
        idleHandlers.add(Objects.requireNonNull(handler, "handler"));
    }

    /**
     * Removes an idle handler; does nothing if it was not added. May be called from any thread.
     *
     * @param handler the handler
     */
    public final void removeIdleHandler(IdleHandler handler) {
        idleHandlers.remove(Objects.requireNonNull(handler, "handler"));
    }

    /**
     * Adds a listener that is called, on the looper's thread, whenever a channel is ready. A channel has one listener;
     * adding another replaces it. May be called from any thread; a sleeping looper is woken to register it.
     *
     * <p>The looper checks its channels once before each message, and after each sleep, and calls the listener of each
     * ready channel once. So neither a flood of messages nor a busy channel delays the other for more than one turn. A
     * channel stays ready until its data has been read: a listener that does not read the data is called again in every
     * turn. Listeners are not called after the looper has quit; the channels stay open.
     *
     * <p>A closed channel is removed automatically, and a listener may close its channel. {@code close()} of a watched
     * channel takes effect in the operating system only when the looper next checks its channels. So if the looper may
     * sleep for long, another thread that closes a channel should also call {@link #removeOnChannelEventListener},
     * which wakes the looper.
     *
     * <p>While channels are watched, the looper sleeps in a {@link java.nio.channels.Selector}: a delay may end as much
     * as one millisecond late, and waking the looper takes a monitor inside the JDK for the duration of a system call.
     * A manually driven looper checks its channels whenever a {@link TestLooperManager} polls for a message, and never
     * waits for them.
     *
     * @param channel a channel in non-blocking mode
     * @param ops the operations to watch for, as in {@link java.nio.channels.SelectionKey}; 0 removes the current
     *     listener. Errors are always reported
     * @param listener the listener
     * @return false if the looper has quit; the channel is not watched then
     * @throws IllegalArgumentException if the channel is closed or in blocking mode, or does not support one of the
     *     operations
     * @throws java.io.UncheckedIOException if the operating system cannot create a selector
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
                    "The channel is in blocking mode; call configureBlocking(false) first: " + channel);
        }
        if ((ops & ~channel.validOps()) != 0) {
            throw new IllegalArgumentException(
                    "operations " + ops + ": " + channel + " supports only " + channel.validOps());
        }
        return submit(channel, ops == 0 ? null : new ChannelSelector.Watch(ops, listener::onChannelEvents));
    }

    /**
     * Removes the listener of a channel; does nothing if the channel is not watched. May be called from any thread.
     * After a call on the looper's own thread, the listener is not called any more. After a call on another thread, it
     * may still be running or run once more. The channel can be put into blocking mode once the woken looper has
     * processed the removal.
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
     * Posts a sync barrier, which blocks synchronous messages that are due from now on, until the barrier is removed.
     * Asynchronous messages pass the barrier, and so do messages with an earlier time, even if they are sent later. A
     * barrier counts from the beginning of the millisecond in which it is posted, so it also blocks tasks that
     * executors have scheduled for a nanosecond within that millisecond. Barriers nest. Quitting drops barriers;
     * afterwards none can be posted. May be called from any thread.
     *
     * @return the token for removing the barrier; an invalid token if the queue has been quit
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
     * Removes a barrier and wakes the looper. May be called from any thread.
     *
     * @param token the result of {@link #postSyncBarrier()}
     * @throws IllegalStateException if there is no such barrier: it was never posted, has been removed already, or was
     *     dropped because the queue was quit
     */
    public final void removeSyncBarrier(int token) {
        if (!removeBarrier(token)) {
            throw new IllegalStateException("No barrier with the token " + token + ": "
                    + (isQuitting()
                            ? "the queue has been quit, which has dropped its barriers"
                            : "it was never posted, or has already been removed"));
        }
    }

    /**
     * Lists the waiting messages, including barriers, in the order of delivery: by time, and at the same time in the
     * order of sending. May be called from any thread and does not stop the looper: messages added or taken meanwhile
     * may be missing or present. The list is exact if the looper is driven manually or held by a {@link
     * TestLooperManager}, and no thread sends meanwhile.
     *
     * @return an immutable copy
     */
    public final List<PendingMessage> pending() {
        List<PendingMessage> pending = new ArrayList<>();
        for (Message m : snapshot()) {
            PendingMessage read = PendingMessage.of(m);
            if (wasIntact(m)) {
                pending.add(read);
            }
        }
        return Collections.unmodifiableList(pending);
    }

    // ---- for dumps and tests

    /** Prints the waiting messages, or only those of one handler; the numbers and the total count all messages. */
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
            if (kind(m) == BARRIER) {
                barriers++;
            }
        }
        printer.println(prefix + "(Total messages: " + n + ", barriers among them: " + barriers + ", idle=" + isIdle()
                + ", polling=" + isPolling() + ", quitting=" + isQuitting() + ", waker=" + waker + ")");
    }

    /**
     * Returns the message that would be delivered last if no more messages were sent. For tests; may be called from any
     * thread.
     *
     * @return the message, which still belongs to the queue, or null if no message waits; never a barrier
     */
    public final @Nullable Message peekLastMessageForTest() {
        Message last = null;
        for (Message m : snapshot()) {
            last = kind(m) == BARRIER ? last : m;
        }
        return last;
    }

    /**
     * Resets this queue for the next test: removes all messages, barriers and idle handlers, and restarts the tokens of
     * barriers at 1. Channel listeners stay. Does nothing if the queue has been quit. May be called from any thread;
     * messages and barriers that other threads send meanwhile may or may not be removed.
     */
    public final void resetForTest() {
        if (isQuitting()) {
            return;
        }
        idleHandlers.clear();
        for (Message m : snapshot()) {
            if (kind(m) == BARRIER) {
                removeBarrier(m.arg1); // wakes a looper that sleeps because of the barrier
            }
        }
        remove(m -> true);
        lastBarrierToken.set(0);
    }
}
