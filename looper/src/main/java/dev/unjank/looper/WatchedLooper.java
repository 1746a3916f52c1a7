package dev.unjank.looper;

import static dev.unjank.looper.queue.NodeState.isQueued;

import dev.unjank.looper.spi.Clock;
import dev.unjank.looper.util.Nullable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;

/**
 * A looper that a watchdog watches. The looper and its senders record their current work, without blocking. The
 * watchdog reads these records and the queue, and remembers the stalls that it has reported.
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
    private record OpenStall(
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

    // The fields below are used only by the watchdog.
    private final List<OpenStall> open = new ArrayList<>();
    /** The end of the last stall: waits caused by that stall are not reported as further stalls. */
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
        return PostSiteObserver.callerStack();
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

    /** A plain read suffices: only the looper calls this, and only the looper writes the field. */
    private @Nullable DispatchRecord currentPlain() {
        return current;
    }

    /** Release: a thread that sees the delivery also sees its contents, which are written first. */
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
        QueueScan scan = QueueScan.of(queue, this, now);
        for (Iterator<OpenStall> i = open.iterator(); i.hasNext(); ) {
            OpenStall stall = i.next();
            if (isOver(stall, scan)) {
                i.remove();
                DispatchRecord delivery = stall.delivery;
                long length = delivery == null ? now - stall.since : delivery.length(now);
                lastEnd = stall.since + length;
                report(new LooperStall(stall.kind, looper, length, true, stall.cause, List.of(), List.of(), ""));
            }
        }
        checkDelivery(now, scan);
        for (QueueScan.Barrier barrier : scan.barriers) {
            checkBarrier(barrier, scan);
        }
        // waits that are caused by a reported stall are not reported again
        long wait = Math.min(scan.oldestWait, lastEnd == Long.MIN_VALUE ? Long.MAX_VALUE : now - lastEnd);
        if (wait > bound && open.isEmpty()) {
            String cause = scan.due + " due, " + QueueScan.describeSenders(queue, this, now);
            begin(
                    new OpenStall(LooperStall.Kind.BACKLOG, now - wait, cause, null, null),
                    wait,
                    WaitChain.of(looper.getThread()),
                    List.of());
        }
    }

    private void checkDelivery(long now, QueueScan scan) {
        DispatchRecord delivery = currentAcquire();
        if (delivery == null || delivery.length(now) <= bound || isOpen(delivery, null)) {
            return;
        }
        WaitChain chain = WaitChain.of(looper.getThread());
        if (delivery.isOver()) {
            chain = new WaitChain(List.of(), "It ended while its stack was being taken.");
        }
        String behind = scan.due == 0 ? "" : "; " + scan.due + " more are due";
        begin(
                new OpenStall(LooperStall.Kind.DELIVERY, delivery.start, delivery + behind, delivery, null),
                delivery.length(now),
                chain,
                List.of());
    }

    private void checkBarrier(QueueScan.Barrier barrier, QueueScan scan) {
        if (barrier.ageNanos() <= bound || isOpen(null, barrier.message())) {
            return;
        }
        List<StackTraceElement> postedAt = barrier.postedAt();
        String cause = "token " + barrier.token() + ", " + scan.due + " due";
        begin(
                new OpenStall(LooperStall.Kind.BARRIER, scan.now - barrier.ageNanos(), cause, null, barrier.message()),
                barrier.ageNanos(),
                new WaitChain(
                        List.of(), postedAt.isEmpty() ? "It was posted before the watchdog started watching." : ""),
                postedAt);
    }

    private void begin(OpenStall stall, long length, WaitChain chain, List<StackTraceElement> postedAt) {
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

    private boolean isOver(OpenStall stall, QueueScan scan) {
        if (stall.delivery != null) {
            return stall.delivery.isOver();
        }
        return stall.barrier != null ? !isQueued(stall.barrier) : scan.oldestWait <= bound;
    }

    /** Returns true if the thread has ended and no message waits, so that this looper need not be watched any more. */
    boolean isDone() {
        return !looper.isManual() && !looper.getThread().isAlive() && !queue.scanUnlocked(m -> true);
    }
}
