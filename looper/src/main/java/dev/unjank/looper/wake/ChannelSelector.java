package dev.unjank.looper.wake;

import dev.unjank.looper.spi.Waker;
import dev.unjank.looper.util.Nullable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.IllegalSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Iterator;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * The selector of a looper's channels.
 *
 * <p>Only the looper uses the selector, except for {@link #wakeup()}: other threads only {@link #submit} changes, and
 * the looper applies them before it selects. So registrations never run concurrently with a select. A channel can be
 * removed and added again; a selector refuses that until it has selected in between, so the looper selects first.
 *
 * <p>A key's attachment is the {@link Watch} of its channel. There is no other list of channels, so nothing must be
 * cleaned up for a channel that the selector drops, for example because it was closed.
 */
public final class ChannelSelector {
    /** A listener that is called on the looper's thread when a channel is ready. */
    public interface Listener {
        /**
         * Handles a ready channel.
         *
         * @param events the operations that are ready
         * @return the operations to watch from now on; 0 to remove the listener
         */
        int onChannelEvents(SelectableChannel channel, int events);
    }

    /**
     * A registration of one listener for one channel. Two watches are never equal, since each addition replaces the
     * previous watch.
     */
    public static final class Watch {
        final int ops;
        final Listener listener;

        public Watch(int ops, Listener listener) {
            this.ops = ops;
            this.listener = listener;
        }
    }

    /** A requested change of a channel: a new watch, or null to remove the current one. */
    private record Change(
            SelectableChannel channel, @Nullable Watch watch) {}

    private static final Logger LOG = System.getLogger("dev.unjank.looper");
    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final Selector selector = Selector.open();
    private final Queue<Change> changes = new ConcurrentLinkedQueue<>();

    ChannelSelector() throws IOException {}

    // ---- any thread

    /** Queues a change for the looper, which must then be woken. */
    void submit(SelectableChannel channel, @Nullable Watch watch) {
        changes.add(new Change(channel, watch));
    }

    /** Ends the current or the next {@link #await}. */
    void wakeup() {
        selector.wakeup();
    }

    /** Releases the channels, which stay open. Called when the loop has ended. */
    void close() {
        try {
            selector.close();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "The selector of a looper that has ended cannot be closed", e);
        }
        changes.clear();
    }

    // ---- the looper

    /** Returns true if changes were submitted that the looper has not applied yet. */
    boolean hasPendingChanges() {
        return !changes.isEmpty();
    }

    /** Returns true if no channel is watched, not counting submitted changes. */
    boolean isEmpty() {
        return selector.keys().isEmpty();
    }

    /**
     * Sleeps until a channel is ready, or {@link #wakeup()} was called, or the timeout has elapsed; the timeout is
     * rounded up to whole milliseconds, the unit of selectors. The looper has already checked its queue, so no wake-up
     * may be consumed in between: this method must not select except to sleep.
     */
    void await(long nanos) {
        // with the interrupt flag set, select would return at once; the flag is restored for the next message or
        // listener
        boolean interrupted = Thread.interrupted();
        try {
            if (nanos == Waker.FOREVER) {
                selector.select();
            } else {
                selector.select((nanos - 1) / NANOS_PER_MILLI + 1);
            }
        } catch (IOException e) {
            throw failed(e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Applies the submitted changes and selects the ready channels, without waiting. Returns the number of ready
     * channels.
     */
    public int selectReady() {
        if (!selector.isOpen()) {
            return 0;
        }
        applyChanges();
        Set<SelectionKey> ready = selector.selectedKeys();
        // after a sleep the ready channels are already selected
        if (ready.isEmpty() && !isEmpty()) {
            selectNow();
        }
        return ready.size();
    }

    /**
     * Calls the listener of one ready channel, unless the channel has meanwhile been closed, removed or given to
     * another listener.
     *
     * @param onFailure receives the exception of the listener, which is then removed; if null, the exception is thrown
     */
    public void deliverNext(@Nullable Consumer<Throwable> onFailure) {
        Iterator<SelectionKey> ready = selector.selectedKeys().iterator();
        if (!ready.hasNext()) {
            return;
        }
        SelectionKey key = ready.next();
        ready.remove();
        Watch watch = (Watch) key.attachment();
        int events;
        try {
            events = key.readyOps();
        } catch (CancelledKeyException e) {
            return;
        }
        int ops;
        try {
            ops = watch.listener.onChannelEvents(key.channel(), events);
        } catch (Throwable thrown) {
            if (onFailure == null) {
                throw thrown;
            }
            onFailure.accept(thrown);
            ops = 0; // the channel may stay ready, and the listener would fail again and again
        }
        // as after a message, so that listeners do not inherit interrupts
        Thread.interrupted();
        applyChanges();
        if (key.attachment() == watch && key.isValid()) {
            setOps(key, ops);
        }
    }

    private static void setOps(SelectionKey key, int ops) {
        if (ops == 0) {
            key.cancel();
            return;
        }
        int valid = key.channel().validOps();
        if ((ops & ~valid) != 0) {
            throw new IllegalArgumentException("The listener of " + key.channel() + " returned the operations " + ops
                    + ", but this channel supports only " + valid);
        }
        try {
            key.interestOps(ops);
        } catch (CancelledKeyException e) {
            // closed or removed meanwhile
        }
    }

    private void applyChanges() {
        for (Change change = changes.poll(); change != null; change = changes.poll()) {
            SelectionKey key = change.channel.keyFor(selector);
            if (key != null) {
                // the channel was ready for the previous listener
                selector.selectedKeys().remove(key);
            }
            if (change.watch != null) {
                watch(change.channel, key, change.watch);
            } else if (key != null) {
                key.cancel();
            }
        }
    }

    private void watch(SelectableChannel channel, @Nullable SelectionKey key, Watch watch) {
        if (key != null && !key.isValid()) {
            // a cancelled key stays registered until the next select
            selectNow();
        }
        try {
            channel.register(selector, watch.ops, watch);
        } catch (ClosedChannelException | CancelledKeyException e) {
            // closed since the change was submitted
        } catch (IllegalBlockingModeException | IllegalSelectorException e) {
            LOG.log(Level.ERROR, "A channel cannot be watched and its listener is dropped: " + channel, e);
        }
    }

    private void selectNow() {
        try {
            selector.selectNow();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private static UncheckedIOException failed(IOException e) {
        return new UncheckedIOException("The selector of a looper failed", e);
    }
}
