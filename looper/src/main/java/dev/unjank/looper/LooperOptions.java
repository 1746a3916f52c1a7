package dev.unjank.looper;

import java.util.Objects;
import java.util.function.Supplier;

/**
 * What a looper is made of: the kind of its queue, its clock and its waker. Immutable; the same options may serve any
 * number of loopers.
 */
public final class LooperOptions {
    private final @Nullable QueueKind queue;
    private final Clock clock;
    private final Supplier<? extends Waker> waker;

    private LooperOptions(@Nullable QueueKind queue, Clock clock, Supplier<? extends Waker> waker) {
        this.queue = queue;
        this.clock = clock;
        this.waker = waker;
    }

    /**
     * Returns the options of a plain {@link Looper#prepare()}: the queue that {@link QueueKind#PROPERTY} names when
     * the looper is made, the system's clock, and a parking waker.
     *
     * @return the defaults
     */
    public static LooperOptions defaults() {
        return new LooperOptions(null, Clock.system(), Waker::parking);
    }

    /**
     * Chooses the queue.
     *
     * @param kind the kind of queue, whatever the system property says
     * @return these options with that queue
     */
    public LooperOptions withQueue(QueueKind kind) {
        return new LooperOptions(Objects.requireNonNull(kind, "kind"), clock, waker);
    }

    /**
     * Chooses the clock.
     *
     * @param newClock the clock that tells what is due
     * @return these options with that clock
     */
    public LooperOptions withClock(Clock newClock) {
        return new LooperOptions(queue, Objects.requireNonNull(newClock, "clock"), waker);
    }

    /**
     * Chooses the waker.
     *
     * @param newWaker makes one waker for each looper
     * @return these options with that waker
     */
    public LooperOptions withWaker(Supplier<? extends Waker> newWaker) {
        return new LooperOptions(queue, clock, Objects.requireNonNull(newWaker, "waker"));
    }

    private QueueKind kind() {
        return queue == null ? QueueKind.fromProperty() : queue;
    }

    /** These options with the queue that the system property names now, if they name none. */
    LooperOptions resolved() {
        return withQueue(kind());
    }

    MessageQueue newQueue() {
        Waker itsWaker = Objects.requireNonNull(waker.get(), "waker");
        return kind() == QueueKind.MONITOR ? new MonitorQueue(clock, itsWaker) : new LockFreeQueue(clock, itsWaker);
    }
}
