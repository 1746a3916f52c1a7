package dev.unjank.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.linux.LinuxThreads;
import dev.unjank.linux.Scheduling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;

/** Read-write locks and semaphores with important threads. */
@SuppressWarnings("LockNotBeforeTry") // no thread uses the locks of a failed test any more
class ReadWritePriorityTest {
    private static final long BOUND = Duration.ofMillis(50).toNanos();

    private final AtomicLong clock = new AtomicLong();
    private final VipReadWriteLock lock =
            new VipReadWriteLock(new VipReadWriteLock.Sync(new WaitQueue(BOUND, clock::get)));
    private final VipSemaphore semaphore = new VipSemaphore(new VipSemaphore.Sync(0, new WaitQueue(BOUND, clock::get)));
    private final List<String> order = Collections.synchronizedList(new ArrayList<>());

    private Thread waiter(TestThreads threads, Importance importance, String name, Lock wanted) {
        Thread thread = threads.start(Thread.ofPlatform().name(name), importance, () -> {
                    wanted.lock();
                    order.add(name);
                    wanted.unlock();
                    return name;
                })
                .thread();
        TestThreads.until(() -> lock.getQueuedThreads().contains(thread) && TestThreads.sleeps(thread));
        clock.incrementAndGet();
        return thread;
    }

    private Thread waiter(TestThreads threads, Importance importance, String name, int permits) {
        Thread thread = threads.start(Thread.ofPlatform().name(name), importance, () -> {
                    semaphore.acquire(permits);
                    order.add(name);
                    semaphore.release(permits);
                    return name;
                })
                .thread();
        TestThreads.until(() -> semaphore.getQueuedThreads().contains(thread) && TestThreads.sleeps(thread));
        clock.incrementAndGet();
        return thread;
    }

    @Test
    void readersAndWritersAreInOneQueue() {
        try (TestThreads threads = new TestThreads()) {
            lock.writeLock().lock();
            waiter(threads, Importance.ORDINARY, "writer", lock.writeLock());
            waiter(threads, Importance.VIP, "vip reader", lock.readLock());
            waiter(threads, Importance.REAL_TIME, "real-time writer", lock.writeLock());
            waiter(threads, Importance.ORDINARY, "reader", lock.readLock());
            lock.writeLock().unlock();
        }

        assertThat(order).containsExactly("real-time writer", "vip reader", "writer", "reader");
    }

    @Test
    void anImportantReaderGoesInBeforeAnOrdinaryWriterWhileOthersRead() throws Exception {
        lock.readLock().lock();
        try (TestThreads threads = new TestThreads()) {
            waiter(threads, Importance.ORDINARY, "writer", lock.writeLock());
            threads.start(Importance.VIP, () -> {
                        lock.readLock().lock();
                        order.add("vip reader");
                        lock.readLock().unlock();
                    })
                    .get();
            assertThat(lock.hasQueuedThreads()).isTrue();
            lock.readLock().unlock();
        }

        assertThat(order).containsExactly("vip reader", "writer");
    }

    @Test
    void anOverdueWriterGoesFirst() {
        try (TestThreads threads = new TestThreads()) {
            lock.writeLock().lock();
            waiter(threads, Importance.ORDINARY, "writer", lock.writeLock());
            clock.addAndGet(BOUND);
            waiter(threads, Importance.VIP, "vip reader", lock.readLock());
            lock.writeLock().unlock();
        }

        assertThat(order).containsExactly("writer", "vip reader");
    }

    @Test
    void permitsAreGivenByImportance() {
        try (TestThreads threads = new TestThreads()) {
            waiter(threads, Importance.ORDINARY, "a", 1);
            waiter(threads, Importance.VIP, "v", 1);
            waiter(threads, Importance.REAL_TIME, "r", 1);
            waiter(threads, Importance.ORDINARY, "b", 1);
            semaphore.release();
        }

        assertThat(order).containsExactly("r", "v", "a", "b");
    }

    @Test
    void noThreadBargesPastARequestForMorePermits() throws Exception {
        try (TestThreads threads = new TestThreads()) {
            waiter(threads, Importance.VIP, "v", 2);
            semaphore.release();
            waiter(threads, Importance.ORDINARY, "a", 1);
            assertThat(semaphore.availablePermits()).isEqualTo(1);
            assertThat(semaphore.tryAcquire()).isTrue(); // which barges
            semaphore.release(2);
        }

        assertThat(order).containsExactly("v", "a");
    }

    @Test
    void everyReaderIsBoostedWhileAnImportantWriterWaits() throws Exception {
        assumeTrue(PriorityTier.current() != PriorityTier.ORDERING, PriorityTier::explanation);
        List<AtomicInteger> tids = List.of(new AtomicInteger(), new AtomicInteger());
        CountDownLatch read = new CountDownLatch(tids.size());
        CountDownLatch proceed = new CountDownLatch(1);
        try (TestThreads threads = new TestThreads()) {
            for (AtomicInteger tid : tids) {
                threads.start(() -> {
                    tid.set(LinuxThreads.current());
                    lock.readLock().lock();
                    read.countDown();
                    proceed.await();
                    lock.readLock().unlock();
                    assertThat(LinuxThreads.scheduling(LinuxThreads.SELF))
                            .isEqualTo(new Scheduling(Scheduling.OTHER, 0, 0, false));
                });
            }
            read.await();
            waiter(threads, Importance.ORDINARY, "writer", lock.writeLock());
            assertThat(tids)
                    .allSatisfy(
                            tid -> assertThat(LinuxThreads.scheduling(tid.get()).nice())
                                    .isZero());
            waiter(threads, Importance.VIP, "vip writer", lock.writeLock());
            assertThat(tids)
                    .allSatisfy(tid ->
                            assertThat(LinuxThreads.scheduling(tid.get())).isEqualTo(Scheduling.bestNice()));
            proceed.countDown();
        }

        assertThat(order).containsExactly("vip writer", "writer");
    }

    @Test
    void theWriterIsBoostedUntilItGoesOnReading() throws Exception {
        assumeTrue(PriorityTier.current() != PriorityTier.ORDERING, PriorityTier::explanation);
        AtomicInteger tid = new AtomicInteger();
        CountDownLatch writes = new CountDownLatch(1);
        CountDownLatch proceed = new CountDownLatch(1);
        try (TestThreads threads = new TestThreads()) {
            threads.start(() -> {
                tid.set(LinuxThreads.current());
                lock.writeLock().lock();
                lock.readLock().lock();
                writes.countDown();
                proceed.await();
                lock.writeLock().unlock();
                assertThat(LinuxThreads.scheduling(LinuxThreads.SELF).nice()).isZero();
                lock.readLock().unlock();
            });
            writes.await();
            waiter(threads, Importance.VIP, "vip reader", lock.readLock());
            assertThat(LinuxThreads.scheduling(tid.get())).isEqualTo(Scheduling.bestNice());
            proceed.countDown();
        }

        assertThat(order).containsExactly("vip reader");
    }

    @Test
    void aReaderThatWantsToWriteIsReported() {
        try (DeadlockReports reports = new DeadlockReports();
                TestThreads threads = new TestThreads()) {
            Thread reader = threads.start(() -> {
                        lock.readLock().lock();
                        assertThatThrownBy(() -> lock.writeLock().lockInterruptibly())
                                .isInstanceOf(InterruptedException.class);
                        lock.readLock().unlock();
                    })
                    .thread();
            TestThreads.until(() -> !reports.seen().isEmpty());
            assertThat(reports.seen()).hasSize(1).first().asString().contains("Read locks = 1");
            reader.interrupt();
        }
    }

    @Test
    void aHoldIsRemovedWithItsLastShare() {
        VipReadWriteLock other = new VipReadWriteLock();
        for (Lock read : List.of(lock.readLock(), other.readLock(), lock.readLock())) {
            read.lock();
        }
        assertThat(lock.getReadHoldCount()).isEqualTo(2);
        for (Lock read : List.of(lock.readLock(), lock.readLock(), other.readLock())) {
            read.unlock();
        }
        assertThat(lock.writeLock().tryLock()).isTrue();
        lock.writeLock().unlock();
        assertThat(lock.getReadHoldCount()).isZero();
        assertThat(other.getReadLockCount()).isZero();
    }
}
