package dev.unjank.looper;

import dev.unjank.looper.queue.Node;
import dev.unjank.looper.task.QueuedTask;
import dev.unjank.looper.util.Nullable;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A task of a {@link LooperExecutorService}: a FutureTask that is carried by a message, and by a new message for each
 * repetition.
 *
 * <p>FutureTask provides the result, the waiting threads, and the guarantee of {@code cancel(true)}: the interrupt is
 * delivered while the task runs or not at all; if one is under way, {@code run} returns only after its delivery. This
 * class adds the time and the message.
 *
 * <p>{@link #message} is the message that currently carries this task. Only the sending thread writes it, before
 * sending. A task is sent by its creator and then, if it repeats, from within its own run, so never by two threads at a
 * time. When the current message ends, the task has left the queue permanently: if it has not run by then, it never
 * will, and is cancelled. If another message ends, that is ignored: the message belongs to the previous run or is a
 * copy.
 *
 * @param <V> the type of the result
 */
final class LooperFutureTask<V> extends FutureTask<V> implements RunnableScheduledFuture<V>, QueuedTask {
    /** Breaks ties between tasks that are due at the same time. */
    private static final AtomicLong LAST_NUMBER = new AtomicLong();

    private final LooperExecutorService service;
    private final Class<?> taskClass;
    private final long number = LAST_NUMBER.incrementAndGet();

    /**
     * The period in nanoseconds: if positive, between the due times of two runs; if negative, from the end of a run to
     * the start of the next; 0 if the task does not repeat.
     */
    private final long period;

    /**
     * The time of the next run, on the looper's clock, at least 1; Long.MAX_VALUE means never. Changed only by runs of
     * this task.
     */
    private volatile long time;

    private volatile @Nullable Message message;

    LooperFutureTask(LooperExecutorService service, Callable<V> body, Class<?> taskClass, long time, long period) {
        super(body);
        this.service = service;
        this.taskClass = taskClass;
        this.time = time;
        this.period = period;
    }

    @SuppressWarnings("ReferenceEquality") // service identity
    boolean belongsTo(LooperExecutorService other) {
        return service == other;
    }

    /**
     * Sends this task to the queue.
     *
     * @param atOnce true to queue the task as {@code post} does: behind all messages that were already due when the
     *     current millisecond began
     * @return false if the looper has quit or the service was shut down meanwhile; the task has then been cancelled and
     *     has left the service
     */
    boolean send(boolean atOnce) {
        Handler handler = service.handler;
        Message carrier = Message.obtain(null, this);
        message = carrier;
        if (!(atOnce ? handler.sendMessage(carrier) : handler.sendAtNanos(carrier, time))) {
            return false;
        }
        // A thread that cancelled this task or shut down the service while the message was not yet queued could not
        // remove it, so check for that here. Threads that do so from now on will find it.
        return !(isCancelled() || !service.mayRun(this)) || !carrier.cancel();
    }

    @Override
    public void run() {
        if (!service.beginRun(this)) {
            cancel(false);
            return;
        }
        boolean again = false;
        try {
            if (period == 0) {
                super.run();
            } else {
                again = runAndReset();
            }
        } finally {
            service.endRun();
        }
        if (again) {
            time = period > 0 ? LooperExecutorService.plus(time, period) : service.deadline(-period);
            if (!service.mayRun(this) || !send(false)) {
                cancel(false);
            }
        }
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // message identity
    public void released(Node ended) {
        if (message == ended) {
            message = null;
            if (!service.isDraining()) {
                super.cancel(false);
            }
            service.taskEnded();
        }
    }

    @Override
    public Class<?> taskClass() {
        return taskClass;
    }

    /** Cancels this task and removes its message. The interrupt is delivered only if the task is running. */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        if (!super.cancel(mayInterruptIfRunning)) {
            return false;
        }
        Message carrier = message;
        if (carrier != null) {
            carrier.cancel();
        }
        return true;
    }

    @Override
    public V get() throws InterruptedException, ExecutionException {
        if (!isDone()) {
            service.checkMayWait();
        }
        return super.get();
    }

    @Override
    public V get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        Objects.requireNonNull(unit, "unit");
        if (timeout > 0 && !isDone()) {
            service.checkMayWait();
        }
        return super.get(timeout, unit);
    }

    @Override
    public boolean isPeriodic() {
        return period != 0;
    }

    @Override
    public long getDelay(TimeUnit unit) {
        Objects.requireNonNull(unit, "unit");
        // times are not negative, so neither this difference nor a comparison can overflow
        return unit.convert(time - service.now(), TimeUnit.NANOSECONDS);
    }

    /** Compares by time, and tasks with the same time by the order of creation. */
    @Override
    public int compareTo(Delayed other) {
        if (other instanceof LooperFutureTask<?> future) {
            int byTime = Long.compare(time, future.time);
            return byTime != 0 ? byTime : Long.compare(number, future.number);
        }
        return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }

    @Override
    public String toString() {
        return super.toString() + " of " + taskClass.getName();
    }
}
