package dev.unjank.looper;

import dev.unjank.looper.spi.Clock;
import dev.unjank.looper.spi.Waker;
import dev.unjank.looper.spi.WakerProvider;
import dev.unjank.looper.util.Nullable;
import dev.unjank.looper.wake.ChannelWaker;
import dev.unjank.looper.wake.WakerFactory;
import java.util.Objects;
import java.util.function.Supplier;

/** The immutable settings of a looper: the kind of its queue, its clock and its waker. Any number of loopers may share the same options. */
public final class LooperOptions {
    private final @Nullable QueueKind queue;
    private final Clock clock;
    private final @Nullable Supplier<? extends Waker> waker;

    private LooperOptions(@Nullable QueueKind queue, Clock clock, @Nullable Supplier<? extends Waker> waker) {
        this.queue = queue;
        this.clock = clock;
        this.waker = waker;
    }

    /**
     * Returns the options of {@link Looper#prepare()}: the queue that {@link QueueKind#PROPERTY} names when the looper is created, the
     * system's clock, and the best waker for the thread that creates the looper, see {@link WakerProvider}.
     *
     * @return the defaults
     */
    public static LooperOptions defaults() {
        return new LooperOptions(null, Clock.system(), null);
    }

    /**
     * Chooses the queue.
     *
     * @param kind the kind of queue; it overrides the system property
     * @return these options with that queue
     */
    public LooperOptions withQueue(QueueKind kind) {
        return new LooperOptions(Objects.requireNonNull(kind, "kind"), clock, waker);
    }

    /**
     * Chooses the clock.
     *
     * @param clock the clock that determines when messages are due
     * @return these options with that clock
     */
    public LooperOptions withClock(Clock clock) {
        return new LooperOptions(queue, Objects.requireNonNull(clock, "clock"), waker);
    }

    /**
     * Chooses the waker. It overrides the system property {@link WakerProvider#PROPERTY}.
     *
     * @param waker creates one waker for each looper, on the thread that creates the looper
     * @return these options with that waker
     */
    public LooperOptions withWaker(Supplier<? extends Waker> waker) {
        return new LooperOptions(queue, clock, Objects.requireNonNull(waker, "waker"));
    }

    private QueueKind kind() {
        return queue == null ? QueueKind.fromProperty() : queue;
    }

    /** Returns these options with the queue of the system property, if they do not name one. Throws if a property is wrong. */
    LooperOptions resolved() {
        if (waker == null) {
            WakerFactory.checkProperty();
        }
        return withQueue(kind());
    }

    MessageQueue newQueue(boolean manual) {
        Waker plain = waker == null ? WakerFactory.forCurrentThread() : Objects.requireNonNull(waker.get(), "waker");
        Waker itsWaker = new ChannelWaker(plain, manual);
        return kind() == QueueKind.MONITOR ? new MonitorQueue(clock, itsWaker) : new LockFreeQueue(clock, itsWaker);
    }
}
