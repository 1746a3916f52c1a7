package dev.unjank.looper;

import dev.unjank.looper.queue.CloseGate;
import dev.unjank.looper.spi.Clock;
import dev.unjank.looper.task.BulkInvocation;
import dev.unjank.looper.util.Nullable;
import dev.unjank.looper.util.UncaughtExceptions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A view of a looper as a ScheduledExecutorService. Its tasks are messages in the looper's queue; the service has
 * neither a thread nor a queue of its own.
 *
 * <p><b>Lifecycle.</b> An accepted task is inside the {@link CloseGate} from before its message is sent until its last
 * message has {@linkplain QueuedTask#released ended} for any reason: run, cancelled, or dropped because the looper
 * quit. Shutting down closes the gate, so a task is accepted or refused atomically, and the service has terminated when
 * the gate is closed and empty. There is no list of tasks: waiting tasks are in the queue.
 *
 * <p><b>The end of the looper</b> shuts down the service. The thread that quits the looper drops its messages, and each
 * of them notifies its task. A thread in {@link #awaitTermination} has no message in the queue that could notify it, so
 * it registers a quit listener.
 *
 * <p><b>The interrupt</b> of {@link #shutdownNow()} goes to the thread that runs a task of this service, under a lock
 * that the runner takes before and after each task: it is delivered while the task runs, or not at all. The looper
 * clears the interrupt flag when the message has ended, so that no other message sees the interrupt.
 */
final class LooperExecutorService implements ScheduledExecutorService {
    private static final long NANOS_PER_MILLI = 1_000_000;

    final Handler handler;
    private final Looper looper;
    private final Clock clock;
    private final CountDownLatch terminated = new CountDownLatch(1);
    private final CloseGate gate = new CloseGate(terminated::countDown);
    private final Object runnerLock = new Object();
    private final Object withdrawLock = new Object();

    /** True from the beginning of shutdownNow: tasks no longer start. */
    private volatile boolean stopped;

    /**
     * The thread inside shutdownNow, which holds withdrawLock: tasks that it removes are returned to its caller without
     * being cancelled.
     */
    private volatile @Nullable Thread drainingThread;

    // guarded by runnerLock
    /** The looper's thread while it is inside a task of this service. */
    private @Nullable Thread runner;
    /** The nesting depth of tasks on that thread: a task may run another task itself. */
    private int depth;

    LooperExecutorService(Looper looper) {
        this.looper = looper;
        this.handler = new Handler(looper);
        this.clock = looper.getQueue().clock;
    }

    // ---- sending tasks

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        Objects.requireNonNull(command, "command");
        return once(Executors.callable(command), command.getClass(), delay, unit);
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
        Objects.requireNonNull(callable, "callable");
        return once(callable, callable.getClass(), delay, unit);
    }

    private <V> LooperFutureTask<V> once(Callable<V> body, Class<?> taskClass, long delay, TimeUnit unit) {
        return start(new LooperFutureTask<>(this, body, taskClass, due(delay, unit), 0), delay <= 0);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long initialDelay, long period, TimeUnit unit) {
        return repeat(command, initialDelay, nanos("period", period, unit), unit);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long initialDelay, long delay, TimeUnit unit) {
        return repeat(command, initialDelay, -nanos("delay", delay, unit), unit);
    }

    private static long nanos(String name, long positive, TimeUnit unit) {
        Objects.requireNonNull(unit, "unit");
        if (positive <= 0) {
            throw new IllegalArgumentException(name + " " + positive + ": expected more than 0");
        }
        return unit.toNanos(positive);
    }

    private ScheduledFuture<?> repeat(Runnable command, long initialDelay, long period, TimeUnit unit) {
        Objects.requireNonNull(command, "command");
        long first = deadline(initialDelay, unit);
        return start(
                new LooperFutureTask<>(this, Executors.callable(command), command.getClass(), first, period),
                initialDelay <= 0);
    }

    @Override
    public Future<?> submit(Runnable task) {
        Objects.requireNonNull(task, "task");
        return schedule(task, 0, TimeUnit.NANOSECONDS);
    }

    @Override
    public <T> Future<T> submit(Callable<T> task) {
        Objects.requireNonNull(task, "task");
        return schedule(task, 0, TimeUnit.NANOSECONDS);
    }

    @Override
    public <T> Future<T> submit(Runnable task, T result) {
        Objects.requireNonNull(task, "task");
        return once(Executors.callable(task, result), task.getClass(), 0, TimeUnit.NANOSECONDS);
    }

    /** Runs a command without a future: its exceptions are passed to the thread's uncaught exception handler. */
    @Override
    public void execute(Runnable command) {
        Objects.requireNonNull(command, "command");
        Future<?> unused =
                once(Executors.callable(() -> runAlone(command)), command.getClass(), 0, TimeUnit.NANOSECONDS);
    }

    private static void runAlone(Runnable command) {
        try {
            command.run();
        } catch (Throwable e) {
            UncaughtExceptions.report(e);
        }
    }

    /**
     * Returns the due time of a non-periodic task; without a delay the task is due, like a post, from the beginning of
     * this millisecond.
     */
    private long due(long delay, TimeUnit unit) {
        long deadline = deadline(delay, unit);
        return delay <= 0 ? deadline - Math.floorMod(deadline, NANOS_PER_MILLI) : deadline;
    }

    private long deadline(long delay, TimeUnit unit) {
        return deadline(Objects.requireNonNull(unit, "unit").toNanos(delay));
    }

    /** Returns the time that is the given number of nanoseconds from now, at most {@link Long#MAX_VALUE}. */
    long deadline(long delay) {
        return plus(clock.nanos(), Math.max(delay, 0));
    }

    /** Returns the sum of two non-negative times, at most {@link Long#MAX_VALUE}. */
    static long plus(long time, long nanos) {
        return nanos > Long.MAX_VALUE - time ? Long.MAX_VALUE : time + nanos;
    }

    private <V> LooperFutureTask<V> start(LooperFutureTask<V> task, boolean atOnce) {
        if (gate.enter()) {
            if (task.send(atOnce)) {
                return task;
            }
            // refused because the looper has quit or the service was shut down; in both cases the task has ended
            gate.close();
        }
        throw new RejectedExecutionException(this + " rejects " + task);
    }

    // ---- for the tasks

    /**
     * Returns whether a due task may run: false for repeated tasks after a shutdown, and for all tasks after
     * shutdownNow.
     */
    boolean mayRun(LooperFutureTask<?> task) {
        return !stopped && !(task.isPeriodic() && gate.isClosed());
    }

    /** Leaves the gate for a task whose last message has ended. */
    void taskEnded() {
        gate.leave();
    }

    @SuppressWarnings("ReferenceEquality") // thread identity
    boolean isDraining() {
        return drainingThread == Thread.currentThread();
    }

    /** Returns false if the task must not run. If this method returns true, {@link #endRun()} must follow. */
    boolean beginRun(LooperFutureTask<?> task) {
        synchronized (runnerLock) {
            // checked under the lock, so that shutdownNow interrupts a task that still begins
            if (!mayRun(task)) {
                return false;
            }
            // a thread that runs a future itself must not be interrupted
            if (looper.isCurrentThread()) {
                runner = Thread.currentThread();
                depth++;
            }
            return true;
        }
    }

    void endRun() {
        synchronized (runnerLock) {
            if (looper.isCurrentThread() && --depth == 0) {
                runner = null;
            }
        }
    }

    long now() {
        return clock.nanos();
    }

    void checkMayWait() {
        looper.checkMayWait();
    }

    // ---- shutting down

    @Override
    public void shutdown() {
        gate.close();
        looper.getQueue()
                .remove(m ->
                        m.callback instanceof LooperFutureTask<?> task && task.belongsTo(this) && task.isPeriodic());
    }

    @Override
    public List<Runnable> shutdownNow() {
        stopped = true;
        gate.close();
        List<Runnable> neverBegun = new ArrayList<>();
        synchronized (withdrawLock) {
            drainingThread = Thread.currentThread();
            for (Message m : looper.getQueue().snapshot()) {
                if (m.callback instanceof LooperFutureTask<?> task && task.belongsTo(this) && m.cancel()) {
                    neverBegun.add(task);
                }
            }
            drainingThread = null;
        }
        synchronized (runnerLock) {
            if (runner != null) {
                runner.interrupt();
            }
        }
        return neverBegun;
    }

    @Override
    public boolean isShutdown() {
        closeIfQuit();
        return gate.isClosed();
    }

    @Override
    public boolean isTerminated() {
        closeIfQuit();
        return terminated.getCount() == 0;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        Objects.requireNonNull(unit, "unit");
        Runnable onQuit = gate::close;
        looper.addQuitListener(onQuit);
        try {
            if (!isTerminated() && timeout > 0) {
                checkMayWait();
            }
            return terminated.await(timeout, unit);
        } finally {
            looper.removeQuitListener(onQuit);
        }
    }

    private void closeIfQuit() {
        if (looper.hasQuit()) {
            gate.close();
        }
    }

    // ---- in bulk

    @Override
    public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks) throws InterruptedException {
        return invokeAll(tasks, Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    }

    @Override
    public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
            throws InterruptedException {
        return this.<T>group(tasks, timeout, unit).all(tasks);
    }

    @Override
    public <T> T invokeAny(Collection<? extends Callable<T>> tasks) throws InterruptedException, ExecutionException {
        try {
            return invokeAny(tasks, Long.MAX_VALUE, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("after 292 years", e);
        }
    }

    @Override
    public <T> T invokeAny(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        return this.<T>group(tasks, timeout, unit).any(tasks);
    }

    private <T> BulkInvocation<T> group(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit) {
        Objects.requireNonNull(tasks, "tasks");
        Objects.requireNonNull(unit, "unit");
        checkMayWait();
        return new BulkInvocation<>(this, unit.toNanos(timeout));
    }

    @Override
    public String toString() {
        String state = isTerminated() ? "terminated" : isShutdown() ? "shut down" : "running";
        return "LooperExecutorService (" + state + ") of " + looper;
    }
}
