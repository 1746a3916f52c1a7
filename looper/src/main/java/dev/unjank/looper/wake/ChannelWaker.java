package dev.unjank.looper.wake;

import dev.unjank.looper.spi.Waker;
import dev.unjank.looper.util.Nullable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.SelectableChannel;

/**
 * A waker that supports channels: it delegates to the looper's plain waker until there are channels to watch, and then
 * to their selector. The queue does not depend on this class; a looper without channels pays one read.
 *
 * <pre>
 * place      the looper sleeps, and is woken       becomes        by
 * null       in the plain waker                    its channels   the looper, when it finds some to watch
 * channels   in their selector                     null           the looper, when it finds none left
 * </pre>
 *
 * <p><b>No wake-up is lost when the looper changes place.</b> A thread that has read the old place sends its wake-up to
 * a place where the looper no longer sleeps. But that thread changed the queue before it read the place. So after the
 * looper has written the new place, it does not sleep but returns, like after a spurious wake-up, and the queue is
 * checked once more. That check finds every change made before the old place was read. The write and the reads are
 * volatile.
 *
 * <p><b>The only lock.</b> {@link java.nio.channels.Selector#wakeup()} takes a monitor of the JDK for the duration of a
 * write to a pipe or an eventfd. So while channels are watched, and only then, a sender that is preempted there blocks
 * the looper and other senders that wake it. Senders that need not wake the looper are not affected.
 */
public final class ChannelWaker implements Waker {
    private static final VarHandle CHANNELS;

    static {
        try {
            CHANNELS = MethodHandles.lookup().findVarHandle(ChannelWaker.class, "channels", ChannelSelector.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Waker plain;
    /**
     * False for a manually driven looper, which never sleeps in the selector; its channels are checked when its queue
     * is polled.
     */
    private final boolean mayUseSelector;

    /**
     * The selector; null until the first channel is submitted. Written under the monitor of this object, which only
     * submitting threads take.
     */
    private volatile @Nullable ChannelSelector channels;

    /**
     * Written by the closing thread before it reads {@link #channels}; a submitting thread writes {@code channels}
     * before it reads this field. So at least one of the two threads closes the selector.
     */
    private volatile boolean closed;

    private volatile @Nullable ChannelSelector activeSelector;

    public ChannelWaker(Waker plain, boolean manual) {
        this.plain = plain;
        this.mayUseSelector = !manual;
    }

    public Waker plain() {
        return plain;
    }

    // ---- the looper

    /** Returns the selector, or null if no channel was ever submitted. Called only by the looper. */
    @Nullable
    public ChannelSelector channels() {
        return channelsOpaque();
    }

    @Override
    public void await(long nanos) {
        ChannelSelector known = channelsOpaque();
        ChannelSelector wanted = known == null || !mayUseSelector || known.isEmpty() ? null : known;
        if (wanted != activeSelectorVolatile()) {
            setActiveSelectorVolatile(wanted);
        } else if (known != null && known.hasPendingChanges()) {
            // the submitter has called wake, but the last select may have consumed that wake-up
            return;
        } else if (wanted == null) {
            plain.await(nanos);
        } else {
            wanted.await(nanos);
        }
    }

    // ---- any thread

    @Override
    public void wake() {
        ChannelSelector now = activeSelectorVolatile();
        if (now == null) {
            plain.wake();
        } else {
            now.wakeup();
        }
    }

    /**
     * Submits a change. The looper starts or stops watching the channel when it has been woken.
     *
     * @return false if the loop has ended
     */
    public synchronized boolean submit(SelectableChannel channel, ChannelSelector.@Nullable Watch watch) {
        if (closed) {
            return false;
        }
        ChannelSelector known = channels;
        if (known == null) {
            if (watch == null) {
                return true;
            }
            known = open();
            channels = known;
        }
        known.submit(channel, watch);
        if (closed) {
            known.close();
            return false;
        }
        return true;
    }

    private static ChannelSelector open() {
        try {
            return new ChannelSelector();
        } catch (IOException e) {
            throw new UncheckedIOException("The looper cannot watch channels: no selector can be opened", e);
        }
    }

    @Override
    public void close() {
        closed = true;
        plain.close();
        ChannelSelector known = channels;
        if (known != null) {
            known.close();
        }
    }

    /** Returns the name of the waker in which the looper sleeps. */
    @Override
    public String toString() {
        return activeSelectorVolatile() == null ? plain.toString() : "selector";
    }

    /** Opaque: read in every turn of the loop; the selector has only final fields. */
    private @Nullable ChannelSelector channelsOpaque() {
        return (ChannelSelector) CHANNELS.getOpaque(this);
    }

    private @Nullable ChannelSelector activeSelectorVolatile() {
        return activeSelector;
    }

    private void setActiveSelectorVolatile(@Nullable ChannelSelector next) {
        activeSelector = next;
    }
}
