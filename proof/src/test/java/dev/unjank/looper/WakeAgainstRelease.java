package dev.unjank.looper;

import dev.unjank.looper.spi.Waker;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A sender wakes the looper while the loop ends and frees the waker: it is freed once, and not used after that. */
@JCStressTest
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "Freed, and no thread inside.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Used after it was freed, or not freed exactly once.")
@State
public class WakeAgainstRelease {
    private static final int TIME_INSIDE = 10;

    private final FreedOnce waker = new FreedOnce();
    private final LockFreeQueue queue = new LockFreeQueue(() -> 1_000_000, waker);

    public WakeAgainstRelease() {
        queue.poll(1, true);
    }

    @Actor
    public void sender() {
        queue.enqueue(QueueUnderTest.message(1, 1));
    }

    @Actor
    public void looper() {
        queue.quit(false);
        queue.release();
    }

    @Arbiter
    public void afterwards(II_Result r) {
        waker.report(r);
    }

    /** A resource that must not be used after it has been freed. */
    private static final class FreedOnce implements Waker {
        private final AtomicInteger timesFreed = new AtomicInteger();
        private volatile int wrongUses;

        @Override
        public void await(long nanos) {
            throw new AssertionError("no thread sleeps in a proof");
        }

        @Override
        public void wake() {
            for (int i = 0; i < TIME_INSIDE; i++) {
                Thread.onSpinWait();
            }
            if (timesFreed.get() > 0) {
                wrongUses = 1;
            }
        }

        @Override
        public void close() {
            timesFreed.incrementAndGet();
        }

        void report(II_Result r) {
            r.r1 = wrongUses;
            r.r2 = timesFreed.get();
        }
    }

    /** Seeded: a sender checks whether the gate is open, and then enters. */
    @JCStressTest
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "Freed, and no thread inside.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Used after it was freed, or not freed exactly once.")
    @State
    public static class Seeded {
        private final FreedOnce waker = new FreedOnce();
        private volatile boolean closed;

        @Actor
        public void sender() {
            if (!closed) {
                waker.wake();
            }
        }

        @Actor
        public void looper() {
            closed = true;
            waker.close();
        }

        @Arbiter
        public void afterwards(II_Result r) {
            waker.report(r);
        }
    }

    /**
     * Seeded: a leaving thread decrements the count, and then checks whether it was the last one and the gate is
     * closed.
     */
    @JCStressTest
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "Freed, and no thread inside.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Used after it was freed, or not freed exactly once.")
    @State
    public static class SeededLeaving {
        private final FreedOnce waker = new FreedOnce();
        private final AtomicInteger inside = new AtomicInteger(1);
        private volatile boolean closed;

        @Actor
        public void sender() {
            waker.wake();
            inside.decrementAndGet();
            for (int i = 0; i < TIME_INSIDE; i++) {
                Thread.onSpinWait();
            }
            freeIfLast();
        }

        @Actor
        public void looper() {
            closed = true;
            freeIfLast();
        }

        private void freeIfLast() {
            if (closed && inside.get() == 0) {
                waker.close();
            }
        }

        @Arbiter
        public void afterwards(II_Result r) {
            waker.report(r);
        }
    }
}
