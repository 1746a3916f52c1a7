package dev.unjank.looper.wake;

import dev.unjank.looper.spi.Waker;
import dev.unjank.looper.util.Nullable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.SelectableChannel;

/**
 * The waker of a looper that may watch channels: it delegates to the looper's plain waker until there are channels to
 * watch, and then to their selector. The queue does not depend on it; a looper without channels pays one read.
 *
 * <pre>
 * place      the looper sleeps, and is woken       becomes        by
 * null       in the plain waker                    its channels   the looper, when it finds some to watch
 * channels   in their selector                     null           the looper, when it finds none left
 * </pre>
 *
 * <p><b>No wake-up is lost when the looper changes place.</b> A thread that has read the old place wakes where the
 * looper no longer sleeps. But it changed the queue before it read the place. So after the looper has written the new
 * place it does not sleep; it returns, as a spurious wake-up, and the queue is checked once more. That check finds
 * every change made before the old place was read. Write and reads are volatile.
 *
 * <p><b>The only lock.</b> {@link java.nio.channels.Selector#wakeup()} takes a monitor of the JDK for the duration of a
 * write to a pipe or an eventfd. So while channels are watched, and only then, a sender that is preempted there blocks
 * others that wake the same looper, and the looper. Senders that need not wake it are not affected.
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
     * False for a manually driven looper: its channels are checked with its queue, and it never sleeps in the selector.
     */
    private final boolean mayUseSelector;

    /** Null until a channel is to be watched. Written under the monitor of this, which only submitting threads take. */
    private volatile @Nullable ChannelSelector channels;

    /**
     * Written before {@link #channels} is read, which is written before this is read: so one of the two closes the
     * selector.
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

    /** The channels, or null if there never were any. Looper only. */
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
            // its submitter has called wake, but the last select may have consumed that wake-up
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
     * Submits a change: the looper starts or stops watching a channel when it has been woken.
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

    /** The name of the waker that the looper sleeps in. */
    @Override
    public String toString() {
        return activeSelectorVolatile() == null ? plain.toString() : "selector";
    }

    /** Opaque: read in every turn of the loop; its target has only final fields. */
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
