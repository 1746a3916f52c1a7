package dev.unjank.looper;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;

/**
 * One looper under a watchdog. The looper and its senders write down what they are doing, without waiting for anybody;
 * the watchdog looks at that and at the queue, and remembers what it has reported.
 */
final class Watched implements BarrierObserver {
    private static final VarHandle CURRENT;

    static {
        try {
            CURRENT = MethodHandles.lookup().findVarHandle(Watched.class, "current", Delivery.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** A stall that has been reported and is not over. */
    private record Open(
            Stall.Kind kind,
            long since,
            String cause,
            @Nullable Delivery delivery,
            @Nullable Message barrier) {}

    final Looper looper;
    private final MessageQueue queue;
    private final Clock clock;
    private final long bound;
    private final Consumer<? super Stall> listener;

    /** The innermost delivery that is under way, or null. Written by the looper. */
    @SuppressWarnings("unused") // through its handle
    private @Nullable Delivery current;

    // These belong to the watchdog.
    private final List<Open> open = new ArrayList<>();
    /** The end of the last stall: waiting that it has caused is not a stall of its own. */
    private long lastEnd = Long.MIN_VALUE;

    Watched(Looper looper, long bound, Consumer<? super Stall> listener) {
        this.looper = looper;
        this.queue = looper.getQueue();
        this.clock = queue.clock;
        this.bound = bound;
        this.listener = listener;
    }

    // ---- the senders and the looper

    @Override
    public Object sending(Message message) {
        return Described.name(Thread.currentThread());
    }

    @Override
    public Object postingBarrier() {
        return PostedAt.here();
    }

    @Override
    public @Nullable Object starting(Message message, @Nullable Object sender) {
        Handler target = message.target;
        if (target == null) {
            return null;
        }
        Delivery delivery = new Delivery(currentPlain(), clock.nanos(), target, message, sender);
        setCurrentRelease(delivery);
        return delivery;
    }

    @Override
    public void finished(Message message, @Nullable Object note, @Nullable Throwable thrown) {
        if (note instanceof Delivery delivery) {
            delivery.end(clock.nanos());
            setCurrentRelease(delivery.outer);
        }
    }

    /** Plain: by the looper, which alone writes it. */
    private @Nullable Delivery currentPlain() {
        return current;
    }

    /** Release: what the delivery is comes before it. */
    private void setCurrentRelease(@Nullable Delivery delivery) {
        CURRENT.setRelease(this, delivery);
    }

    private @Nullable Delivery currentAcquire() {
        return (Delivery) CURRENT.getAcquire(this);
    }

    // ---- the watchdog

    /** Reports stalls that have ended, and then those that are new. */
    void check() {
        long now = clock.nanos();
        QueueSurvey survey = QueueSurvey.of(queue, this, now);
        for (Iterator<Open> i = open.iterator(); i.hasNext(); ) {
            Open stall = i.next();
            if (isOver(stall, survey)) {
                i.remove();
                Delivery delivery = stall.delivery;
                long length = delivery == null ? now - stall.since : delivery.length(now);
                lastEnd = stall.since + length;
                report(new Stall(stall.kind, looper, length, true, stall.cause, List.of(), List.of(), ""));
            }
        }
        checkDelivery(now, survey);
        for (QueueSurvey.Barrier barrier : survey.barriers) {
            checkBarrier(barrier, survey);
        }
        // whatever waits because of a stall that is reported already is not reported again
        long wait = Math.min(survey.oldestWait, lastEnd == Long.MIN_VALUE ? Long.MAX_VALUE : now - lastEnd);
        if (wait > bound && open.isEmpty()) {
            String cause = survey.due + " due, " + QueueSurvey.senders(queue, this, now);
            begin(
                    new Open(Stall.Kind.BACKLOG, now - wait, cause, null, null),
                    wait,
                    WaitChain.of(looper.getThread()),
                    List.of());
        }
    }

    private void checkDelivery(long now, QueueSurvey survey) {
        Delivery delivery = currentAcquire();
        if (delivery == null || delivery.length(now) <= bound || isOpen(delivery, null)) {
            return;
        }
        WaitChain chain = WaitChain.of(looper.getThread());
        if (delivery.isOver()) {
            chain = new WaitChain(List.of(), "It ended while its stack was taken.");
        }
        String behind = survey.due == 0 ? "" : "; " + survey.due + " more are due";
        begin(
                new Open(Stall.Kind.DELIVERY, delivery.start, delivery + behind, delivery, null),
                delivery.length(now),
                chain,
                List.of());
    }

    private void checkBarrier(QueueSurvey.Barrier barrier, QueueSurvey survey) {
        if (barrier.standing() <= bound || isOpen(null, barrier.message())) {
            return;
        }
        List<StackTraceElement> postedAt = barrier.postedAt();
        String cause = "token " + barrier.token() + ", " + survey.due + " due";
        begin(
                new Open(Stall.Kind.BARRIER, survey.now - barrier.standing(), cause, null, barrier.message()),
                barrier.standing(),
                new WaitChain(List.of(), postedAt.isEmpty() ? "It was posted before the watchdog came." : ""),
                postedAt);
    }

    private void begin(Open stall, long length, WaitChain chain, List<StackTraceElement> postedAt) {
        open.add(stall);
        report(new Stall(stall.kind, looper, length, false, stall.cause, chain.threads(), postedAt, chain.remark()));
    }

    private void report(Stall stall) {
        FlightEvents.stall(stall);
        listener.accept(stall);
    }

    private boolean isOpen(@Nullable Delivery delivery, @Nullable Message barrier) {
        return open.stream().anyMatch(o -> o.delivery == delivery && o.barrier == barrier);
    }

    private boolean isOver(Open stall, QueueSurvey survey) {
        if (stall.delivery != null) {
            return stall.delivery.isOver();
        }
        return stall.barrier != null ? !stall.barrier.isQueued() : survey.oldestWait <= bound;
    }

    /** True if there is nothing more to watch: the thread is gone and nothing waits for it. */
    boolean isDone() {
        return !looper.isDrivenByHand() && !looper.getThread().isAlive() && !queue.glimpse(m -> true);
    }
}
