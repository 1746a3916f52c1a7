package dev.unjank.looper;

import dev.unjank.looper.spi.Clock;
import dev.unjank.looper.spi.Waker;
import dev.unjank.looper.spi.WakerProvider;
import dev.unjank.looper.util.Nullable;
import dev.unjank.looper.wake.ChannelWaker;
import dev.unjank.looper.wake.WakerFactory;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * The immutable settings of a looper: the kind of its queue, its clock, its waker and its policy for exceptions. Any
 * number of loopers may share the same options.
 */
public final class LooperOptions {
    private final @Nullable QueueKind queue;
    private final Clock clock;
    private final @Nullable Supplier<? extends Waker> waker;
    final ExceptionPolicy exceptionPolicy;

    private LooperOptions(
            @Nullable QueueKind queue,
            Clock clock,
            @Nullable Supplier<? extends Waker> waker,
            ExceptionPolicy exceptionPolicy) {
        this.queue = queue;
        this.clock = clock;
        this.waker = waker;
        this.exceptionPolicy = exceptionPolicy;
    }

    /**
     * Returns the options of {@link Looper#prepare()}: the queue that {@link QueueKind#PROPERTY} names when the looper
     * is created, the system's clock, the best waker for the thread that creates the looper, see {@link WakerProvider},
     * and {@link ExceptionPolicy#QUIT}.
     *
     * @return the defaults
     */
    public static LooperOptions defaults() {
        return new LooperOptions(null, Clock.system(), null, ExceptionPolicy.QUIT);
    }

    /**
     * Chooses the queue.
     *
     * @param kind the kind of queue; it overrides the system property
     * @return these options with that queue
     */
    public LooperOptions withQueue(QueueKind kind) {
        return new LooperOptions(Objects.requireNonNull(kind, "kind"), clock, waker, exceptionPolicy);
    }

    /**
     * Chooses the clock.
     *
     * @param clock the clock that determines when messages are due
     * @return these options with that clock
     */
    public LooperOptions withClock(Clock clock) {
        return new LooperOptions(queue, Objects.requireNonNull(clock, "clock"), waker, exceptionPolicy);
    }

    /**
     * Chooses the waker. It overrides the system property {@link WakerProvider#PROPERTY}.
     *
     * @param waker creates one waker for each looper, on the thread that creates the looper
     * @return these options with that waker
     */
    public LooperOptions withWaker(Supplier<? extends Waker> waker) {
        return new LooperOptions(queue, clock, Objects.requireNonNull(waker, "waker"), exceptionPolicy);
    }

    /**
     * Chooses what the loop does after a message has thrown.
     *
     * @param policy the policy; the default is {@link ExceptionPolicy#QUIT}
     * @return these options with that policy
     */
    public LooperOptions withExceptionPolicy(ExceptionPolicy policy) {
        return new LooperOptions(queue, clock, waker, Objects.requireNonNull(policy, "policy"));
    }

    private QueueKind kind() {
        return queue == null ? QueueKind.fromProperty() : queue;
    }

    /**
     * Returns these options with the queue of the system property, if they do not name one. Throws if a property is
     * wrong.
     */
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
