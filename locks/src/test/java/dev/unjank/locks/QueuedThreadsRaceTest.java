package dev.unjank.locks;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A waiting thread is listed until it leaves, while others arrive, give up, release and barge. */
class QueuedThreadsRaceTest {
    /**
     * The seeded fault: a thread that has been woken to compete for a permit is not listed, although it still waits.
     */
    @SuppressWarnings("serial") // is not serialized
    private static final class ForgetsWokenThreads extends VipSemaphore.Sync {
        private static final long serialVersionUID = 1;

        ForgetsWokenThreads() {
            super(0, WaitQueue.of(Duration.ofSeconds(1)));
        }

        @Override
        List<Thread> queuedThreads() {
            return super.queuedThreads().stream()
                    .filter(ForgetsWokenThreads::sleeps)
                    .toList();
        }

        private static boolean sleeps(Thread thread) {
            LockThread known = LockThread.of(thread.threadId());
            Waiter waiter = known == null ? null : known.waiting;
            return waiter != null && waiter.stateVolatile() == Waiter.WAITING;
        }
    }

    /** A semaphore, a thread that waits for it again and again, and two threads that disturb it. */
    private static final class Scene {
        private final VipSemaphore semaphore;
        private final AtomicBoolean stop = new AtomicBoolean();

        /** Odd while the waiter is inside a call that acquires. */
        private final AtomicInteger calls = new AtomicInteger();

        private int observations;

        Scene(VipSemaphore semaphore) {
            this.semaphore = semaphore;
        }

        /** Whether the waiter was ever listed, then not listed, then listed again within one call. */
        boolean doesAThreadReturn(Duration limit) {
            try (TestThreads threads = new TestThreads()) {
                Thread waiter = threads.start(this::waits).thread();
                threads.start(this::arrivesAndGivesUp);
                threads.start(this::releasesAndBarges);
                long end = System.nanoTime() + limit.toNanos();
                boolean returned = false;
                while (!returned && System.nanoTime() < end) {
                    returned = observe(waiter, end);
                }
                stop.set(true);
                while (waiter.isAlive()) {
                    semaphore.release();
                    Thread.onSpinWait();
                }
                return returned;
            }
        }

        private boolean observe(Thread waiter, long end) {
            int call = calls.get();
            boolean wasListed = false;
            boolean hasLeft = false;
            while (call % 2 == 1 && System.nanoTime() < end) {
                boolean isListed = semaphore.getQueuedThreads().contains(waiter);
                if (calls.get() != call) {
                    return false;
                }
                if (isListed && hasLeft) {
                    return true;
                }
                hasLeft |= wasListed && !isListed;
                wasListed |= isListed;
                observations++;
            }
            return false;
        }

        private void waits() {
            while (!stop.get()) {
                calls.incrementAndGet();
                semaphore.acquireUninterruptibly();
                calls.incrementAndGet();
            }
        }

        private void arrivesAndGivesUp() throws InterruptedException {
            while (!stop.get()) {
                boolean ignored = semaphore.tryAcquire(1, 10, TimeUnit.MICROSECONDS);
            }
        }

        private void releasesAndBarges() {
            while (!stop.get()) {
                semaphore.release();
                boolean ignored = semaphore.tryAcquire();
            }
        }
    }

    @Test
    void aThreadThatHasLeftDoesNotReturn() {
        Scene scene = new Scene(new VipSemaphore(0));
        assertThat(scene.doesAThreadReturn(Duration.ofSeconds(2))).isFalse();
        assertThat(scene.observations).isGreaterThan(100);
    }

    @Test
    void aFaultIsFound() {
        Scene scene = new Scene(new VipSemaphore(new ForgetsWokenThreads()));
        assertThat(scene.doesAThreadReturn(Duration.ofSeconds(60))).isTrue();
    }
}
