package dev.unjank.looper;

import dev.unjank.looper.util.Nullable;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A watchdog that watches loopers and reports stalls and their causes.
 *
 * <pre>{@code
 * LooperWatchdog watchdog = new LooperWatchdog(Duration.ofMillis(200));
 * watchdog.watch(looper);
 * watchdog.start();
 * }</pre>
 *
 * <p>There are three kinds of {@link LooperStall}: a delivery that runs longer than the bound, a due message that waits
 * longer, and a barrier that stays longer. Each stall is reported once when it exceeds the bound, and once with its
 * duration when it is over. Waits that are caused by a reported stall are not reported separately.
 *
 * <ul>
 *   <li>A slow delivery: the message, its sender, the stack of the looper's thread, the lock that it waits for, the
 *       owner of that lock with its stack, and so on along the chain.
 *   <li>A backlog: the number of due messages, the handler and Runnable of most of them, and their sender.
 *   <li>A barrier: the stack of the thread that posted it.
 * </ul>
 *
 * <p><b>Threads.</b> One daemon thread checks any number of loopers, four times per bound; without {@link #start()},
 * call {@link #check()} yourself. The thread takes no lock that a sender or a looper takes: it reads their records and
 * walks over the queue concurrently. (In the monitor queue this walk is outside the lock and may end early, so a
 * backlog may be undercounted.) Taking the stack of a thread stops that thread for a moment.
 *
 * <p><b>Cost.</b> A watched looper allocates one object per sent message and one per delivery, and reads its clock
 * twice per delivery; posting a barrier takes a stack trace. The watchdog visits every waiting message. A looper that
 * is not watched pays nothing, see {@link MessageObserver}.
 *
 * <p><b>Requirements.</b> Without the module {@code java.management}, and for loops on virtual threads, a report
 * contains only the stack, and a remark about the missing information. If the module {@code jdk.jfr} is present, each
 * report is also recorded as an event {@code dev.unjank.Stall}.
 */
public final class LooperWatchdog implements AutoCloseable {
    private static final Logger LOG = System.getLogger("dev.unjank.looper");
    private static final int CHECKS_PER_BOUND = 4;
    private static final long SHORTEST_PAUSE = 1_000_000L;

    private final long bound;
    private final Consumer<? super LooperStall> listener;
    private final List<WatchedLooper> watched = new CopyOnWriteArrayList<>();

    // guarded by this
    private @Nullable Thread thread;
    private volatile boolean closed;

    /**
     * Creates a watchdog that logs stalls to the logger {@code dev.unjank.looper} at level WARNING, and their ends at
     * INFO.
     *
     * @param bound the maximum time that a delivery may run, a due message may wait, or a barrier may stay; at most 292
     *     years
     * @throws IllegalArgumentException if the bound is not positive
     */
    public LooperWatchdog(Duration bound) {
        this(bound, stall -> LOG.log(stall.over() ? Level.INFO : Level.WARNING, stall));
    }

    /**
     * Creates a watchdog.
     *
     * @param bound the maximum time that a delivery may run, a due message may wait, or a barrier may stay; at most 292
     *     years
     * @param listener receives the reports, one at a time, on the checking thread; its exceptions are logged
     * @throws IllegalArgumentException if the bound is not positive
     */
    public LooperWatchdog(Duration bound, Consumer<? super LooperStall> listener) {
        Objects.requireNonNull(bound, "bound");
        if (bound.isNegative() || bound.isZero()) {
            throw new IllegalArgumentException("bound = " + bound + ": expected more than 0");
        }
        this.bound = TimeUnit.NANOSECONDS.convert(bound);
        this.listener = Objects.requireNonNull(listener, "listener");
    }

    /**
     * Starts watching a looper until its thread has ended and no message waits, or, if the looper is driven manually,
     * until {@link #unwatch}. Does nothing if the looper is already watched. May be called from any thread.
     *
     * @param looper the looper
     * @throws IllegalStateException if this watchdog has been closed
     */
    public synchronized void watch(Looper looper) {
        Objects.requireNonNull(looper, "looper");
        if (closed) {
            throw new IllegalStateException("This watchdog has been closed");
        }
        if (watched.stream().noneMatch(w -> w.looper == looper)) {
            WatchedLooper added = new WatchedLooper(looper, bound, this::notifyListener);
            looper.addObserver(added);
            watched.add(added);
        }
    }

    /**
     * Stops watching a looper; the end of an open stall is no longer reported. Does nothing if the looper is not
     * watched. May be called from any thread.
     *
     * @param looper the looper
     */
    public void unwatch(Looper looper) {
        Objects.requireNonNull(looper, "looper");
        for (WatchedLooper w : watched) {
            if (w.looper == looper) {
                drop(w);
            }
        }
    }

    private void drop(WatchedLooper dropped) {
        dropped.looper.removeObserver(dropped);
        watched.remove(dropped);
    }

    /**
     * Starts the checking thread. Does nothing if this watchdog has already been started or closed. May be called from
     * any thread.
     */
    public synchronized void start() {
        if (thread == null && !closed) {
            thread = new Thread(this::run, "looper-watchdog");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void run() {
        long pause = Math.max(bound / CHECKS_PER_BOUND, SHORTEST_PAUSE);
        while (!closed) {
            check();
            LockSupport.parkNanos(this, pause);
        }
    }

    /**
     * Checks every looper and reports changes. May be called from any thread, one at a time; a test calls this method
     * instead of {@link #start()}.
     */
    public synchronized void check() {
        for (WatchedLooper w : watched) {
            try {
                w.check();
                if (w.isDone()) {
                    drop(w);
                }
            } catch (Throwable e) {
                // for example in a handler's toString, which is user code and may throw even checked exceptions
                LOG.log(Level.ERROR, "A watchdog failed and no longer watches " + w.looper, e);
                drop(w);
            }
        }
    }

    private void notifyListener(LooperStall stall) {
        try {
            listener.accept(stall);
        } catch (Throwable e) {
            LOG.log(Level.ERROR, "The listener of a watchdog failed with: " + stall, e);
        }
    }

    /** Stops watching and ends the checking thread. May be called from any thread; closing again has no effect. */
    @Override
    public void close() {
        closed = true;
        for (WatchedLooper w : watched) {
            drop(w);
        }
        Thread running;
        synchronized (this) {
            running = thread;
        }
        if (running != null) {
            LockSupport.unpark(running);
        }
    }
}
