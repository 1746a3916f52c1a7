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
 * Watches loopers and reports those that do not get on, with the reason.
 *
 * <pre>{@code
 * LooperWatchdog watchdog = new LooperWatchdog(Duration.ofMillis(200));
 * watchdog.watch(looper);
 * watchdog.start();
 * }</pre>
 *
 * <p>There is one bound for three kinds of {@link LooperStall}: a delivery that runs longer; a due message that waits longer;
 * a barrier that stands longer. Each is reported once, and once more when it is over, with its length. What waits because
 * of a stall that is reported already is not reported as another one.
 *
 * <ul>
 *   <li>Of a slow delivery: what it is, who sent it, the stack of the looper's thread, what that thread waits for, who owns
 *       it and what that one is doing, and so on along the chain.
 *   <li>Of a backlog: how many are due, of what handler and Runnable most of them are and who has sent them.
 *   <li>Of a barrier: where it was posted.
 * </ul>
 *
 * <p><b>Threads.</b> One daemon thread looks after any number of loopers, four times in a bound; without {@link #start()} it
 * is driven by hand, with {@link #check()}. It takes no lock that a sender or a looper takes: it reads what they have
 * written down, and walks the queue beside them. (In the monitor queue that walk is outside the lock and may end early,
 * so a backlog there may be counted too low.) To see the stack of a thread stops that thread for a moment.
 *
 * <p><b>What it costs.</b> A watched looper makes an object for each message that is sent and one for each delivery, and
 * reads its clock twice in a delivery; posting a barrier takes a stack trace. The watchdog visits every message that
 * waits. A looper that is not watched pays nothing, see {@link MessageObserver}.
 *
 * <p><b>What it needs.</b> Without the module {@code java.management}, and of loops on virtual threads, a report has the
 * stack alone and says so. Where there is {@code jdk.jfr}, each report is also an event {@code dev.unjank.Stall}.
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
     * Makes a watchdog that logs stalls to the logger {@code dev.unjank.looper}, at the level WARNING, and their ends at
     * INFO.
     *
     * @param bound how long a delivery may take, a due message may wait, and a barrier may stand; 292 years at most count
     * @throws IllegalArgumentException if the bound is not positive
     */
    public LooperWatchdog(Duration bound) {
        this(bound, stall -> LOG.log(stall.over() ? Level.INFO : Level.WARNING, stall));
    }

    /**
     * Makes a watchdog.
     *
     * @param bound how long a delivery may take, a due message may wait, and a barrier may stand; 292 years at most count
     * @param listener takes the reports, one at a time, on the thread that checks; its exceptions are logged
     * @throws IllegalArgumentException if the bound is not positive
     */
    public LooperWatchdog(Duration bound, Consumer<? super LooperStall> listener) {
        Objects.requireNonNull(bound, "bound");
        if (bound.isNegative() || bound.isZero()) {
            throw new IllegalArgumentException("bound = " + bound + ": expected more than nothing");
        }
        this.bound = TimeUnit.NANOSECONDS.convert(bound);
        this.listener = Objects.requireNonNull(listener, "listener");
    }

    /**
     * Begins to watch a looper: until its thread has ended and nothing waits for it, or, if it is driven by hand, until
     * {@link #unwatch}. Does nothing if it is watched already. Any thread.
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
            WatchedLooper added = new WatchedLooper(looper, bound, this::tell);
            looper.addObserver(added);
            watched.add(added);
        }
    }

    /**
     * Stops watching a looper; a stall that is open is not reported any more. Does nothing if it is not watched. Any
     * thread.
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

    /** Starts the thread that checks. Does nothing if it was started or closed before. Any thread. */
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

    /** Looks at every looper and reports what is new. Any thread, one at a time: a test calls this instead of starting. */
    public synchronized void check() {
        for (WatchedLooper w : watched) {
            try {
                w.check();
                if (w.isDone()) {
                    drop(w);
                }
            } catch (RuntimeException | Error e) {
                // a handler's description, say: it is the user's
                LOG.log(Level.ERROR, "A watchdog failed and no longer watches " + w.looper, e);
                drop(w);
            }
        }
    }

    private void tell(LooperStall stall) {
        try {
            listener.accept(stall);
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "The listener of a watchdog failed with: " + stall, e);
        }
    }

    /** Stops watching, and ends the thread. Any thread; may be called again. */
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
