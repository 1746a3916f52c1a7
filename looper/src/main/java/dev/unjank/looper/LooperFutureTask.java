package dev.unjank.looper;

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
 * A task of a {@link LooperExecutorService}: a FutureTask that travels in a message, and in another one each time it
 * repeats.
 *
 * <p>FutureTask has the result, those who wait for it, and the exactness of {@code cancel(true)}: the interrupt comes
 * while the task runs or not at all, and {@code run} does not return before it has come. What is added here is the time
 * and the message.
 *
 * <p>{@link #message} is the one that carries this at present. Only whoever sends writes it, before sending; a task is sent
 * by its creator and then, if it repeats, from within its own run, so never by two at a time. When the present message
 * ends, the task has left the queue for good: if it has not been run by then it never will be, and is cancelled. A
 * message that ends when another is under way already is that of the run before, or a copy that somebody made; neither
 * counts.
 *
 * @param <V> the type of the result
 */
final class LooperFutureTask<V> extends FutureTask<V> implements RunnableScheduledFuture<V>, QueuedTask {
    /** Breaks ties between tasks that are due at the same time. */
    private static final AtomicLong LAST_NUMBER = new AtomicLong();

    private final LooperExecutorService service;
    private final Class<?> taskClass;
    private final long number = LAST_NUMBER.incrementAndGet();

    /** Nanoseconds from one run to the next: between their times if positive, from end to begin if negative; or 0. */
    private final long period;

    /** When this is to run, on the looper's clock, at least 1; Long.MAX_VALUE is never. Changed by its own runs. */
    private volatile long time;

    private volatile @Nullable Message message;

    LooperFutureTask(LooperExecutorService service, Callable<V> body, Class<?> taskClass, long time, long period) {
        super(body);
        this.service = service;
        this.taskClass = taskClass;
        this.time = time;
        this.period = period;
    }

    @SuppressWarnings("ReferenceEquality") // a service is its identity
    boolean isOf(LooperExecutorService other) {
        return service == other;
    }

    /**
     * Puts this into the queue.
     *
     * @param atOnce true to go where a post without delay goes: to the end of what is due at the beginning of this millisecond
     * @return false if it is not there, because the looper has quit or the service was shut down meanwhile; then it has
     *     been cancelled and has left the service
     */
    boolean send(boolean atOnce) {
        Handler handler = service.handler;
        Message carrier = Message.obtain(null, this);
        message = carrier;
        if (!(atOnce ? handler.sendMessage(carrier) : handler.sendAtNanos(carrier, time))) {
            return false;
        }
        // Whoever cancelled this or shut the service down before the message was in the queue has not found it there.
        // Whoever does so from now on will.
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
    @SuppressWarnings("ReferenceEquality") // the very message
    public void released(Message ended) {
        if (message == ended) {
            message = null;
            if (!service.isWithdrawing()) {
                super.cancel(false);
            }
            service.leave();
        }
    }

    @Override
    public Class<?> taskClass() {
        return taskClass;
    }

    /** Cancels this and removes its message; an interrupt is for the task only, if it is running. */
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

    /** In the order of their times, and those with the same time in the order of their making. */
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
