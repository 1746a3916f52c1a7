package dev.unjank.looper;

import dev.unjank.looper.spi.Clock;
import dev.unjank.looper.util.Nullable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;

/**
 * One looper under a watchdog. The looper and its senders record what they are doing, without blocking. The watchdog
 * reads that and the queue, and remembers which stalls it has reported.
 */
final class WatchedLooper implements BarrierObserver {
    private static final VarHandle CURRENT;

    static {
        try {
            CURRENT = MethodHandles.lookup().findVarHandle(WatchedLooper.class, "current", DispatchRecord.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** A stall that has been reported and is not over. */
    private record Open(
            LooperStall.Kind kind,
            long since,
            String cause,
            @Nullable DispatchRecord delivery,
            @Nullable Message barrier) {}

    final Looper looper;
    private final MessageQueue queue;
    private final Clock clock;
    private final long bound;
    private final Consumer<? super LooperStall> listener;

    /** The innermost current delivery, or null. Written by the looper. */
    @SuppressWarnings("unused") // through its handle
    private @Nullable DispatchRecord current;

    // The fields below belong to the watchdog.
    private final List<Open> open = new ArrayList<>();
    /** The end of the last stall: the waiting that it caused is not a stall of its own. */
    private long lastEnd = Long.MIN_VALUE;

    WatchedLooper(Looper looper, long bound, Consumer<? super LooperStall> listener) {
        this.looper = looper;
        this.queue = looper.getQueue();
        this.clock = queue.clock;
        this.bound = bound;
        this.listener = listener;
    }

    // ---- the senders and the looper

    @Override
    public Object sending(Message message) {
        return MessageDescription.name(Thread.currentThread());
    }

    @Override
    public Object postingBarrier() {
        return PostSiteObserver.here();
    }

    @Override
    public @Nullable Object starting(Message message, @Nullable Object sender) {
        Handler target = message.target;
        if (target == null) {
            return null;
        }
        DispatchRecord delivery = new DispatchRecord(currentPlain(), clock.nanos(), target, message, sender);
        setCurrentRelease(delivery);
        return delivery;
    }

    @Override
    public void finished(Message message, @Nullable Object note, @Nullable Throwable thrown) {
        if (note instanceof DispatchRecord delivery) {
            delivery.end(clock.nanos());
            setCurrentRelease(delivery.outer);
        }
    }

    /** Plain: read by the looper, its only writer. */
    private @Nullable DispatchRecord currentPlain() {
        return current;
    }

    /** Release: the contents of the delivery come before it. */
    private void setCurrentRelease(@Nullable DispatchRecord delivery) {
        CURRENT.setRelease(this, delivery);
    }

    private @Nullable DispatchRecord currentAcquire() {
        return (DispatchRecord) CURRENT.getAcquire(this);
    }

    // ---- the watchdog

    /** Reports the ends of stalls, and then new stalls. */
    void check() {
        long now = clock.nanos();
        QueueScan survey = QueueScan.of(queue, this, now);
        for (Iterator<Open> i = open.iterator(); i.hasNext(); ) {
            Open stall = i.next();
            if (isOver(stall, survey)) {
                i.remove();
                DispatchRecord delivery = stall.delivery;
                long length = delivery == null ? now - stall.since : delivery.length(now);
                lastEnd = stall.since + length;
                report(new LooperStall(stall.kind, looper, length, true, stall.cause, List.of(), List.of(), ""));
            }
        }
        checkDelivery(now, survey);
        for (QueueScan.Barrier barrier : survey.barriers) {
            checkBarrier(barrier, survey);
        }
        // waiting that is caused by a reported stall is not reported again
        long wait = Math.min(survey.oldestWait, lastEnd == Long.MIN_VALUE ? Long.MAX_VALUE : now - lastEnd);
        if (wait > bound && open.isEmpty()) {
            String cause = survey.due + " due, " + QueueScan.senders(queue, this, now);
            begin(
                    new Open(LooperStall.Kind.BACKLOG, now - wait, cause, null, null),
                    wait,
                    WaitChain.of(looper.getThread()),
                    List.of());
        }
    }

    private void checkDelivery(long now, QueueScan survey) {
        DispatchRecord delivery = currentAcquire();
        if (delivery == null || delivery.length(now) <= bound || isOpen(delivery, null)) {
            return;
        }
        WaitChain chain = WaitChain.of(looper.getThread());
        if (delivery.isOver()) {
            chain = new WaitChain(List.of(), "It ended while its stack was being taken.");
        }
        String behind = survey.due == 0 ? "" : "; " + survey.due + " more are due";
        begin(
                new Open(LooperStall.Kind.DELIVERY, delivery.start, delivery + behind, delivery, null),
                delivery.length(now),
                chain,
                List.of());
    }

    private void checkBarrier(QueueScan.Barrier barrier, QueueScan survey) {
        if (barrier.standing() <= bound || isOpen(null, barrier.message())) {
            return;
        }
        List<StackTraceElement> postedAt = barrier.postedAt();
        String cause = "token " + barrier.token() + ", " + survey.due + " due";
        begin(
                new Open(LooperStall.Kind.BARRIER, survey.now - barrier.standing(), cause, null, barrier.message()),
                barrier.standing(),
                new WaitChain(List.of(), postedAt.isEmpty() ? "It was posted before the watchdog started watching." : ""),
                postedAt);
    }

    private void begin(Open stall, long length, WaitChain chain, List<StackTraceElement> postedAt) {
        open.add(stall);
        report(new LooperStall(
                stall.kind, looper, length, false, stall.cause, chain.threads(), postedAt, chain.remark()));
    }

    private void report(LooperStall stall) {
        JfrEvents.stall(stall);
        listener.accept(stall);
    }

    private boolean isOpen(@Nullable DispatchRecord delivery, @Nullable Message barrier) {
        return open.stream().anyMatch(o -> o.delivery == delivery && o.barrier == barrier);
    }

    private boolean isOver(Open stall, QueueScan survey) {
        if (stall.delivery != null) {
            return stall.delivery.isOver();
        }
        return stall.barrier != null ? !stall.barrier.isQueued() : survey.oldestWait <= bound;
    }

    /** True if there is nothing more to watch: the thread has ended and no message waits for it. */
    boolean isDone() {
        return !looper.isDrivenByHand() && !looper.getThread().isAlive() && !queue.glimpse(m -> true);
    }
}
