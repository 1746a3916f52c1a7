package dev.unjank.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.linux.LinuxThreads;
import dev.unjank.linux.Scheduling;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The effects of an important waiter on the scheduling of real threads. */
@SuppressWarnings({"LockNotBeforeTry", "WaitNotInLoop"}) // no thread uses the locks of a failed test any more
class PriorityDonationTest {
    private static final Scheduling LOW = new Scheduling(Scheduling.OTHER, 10, 0, false);

    private final VipLock lock = new VipLock();

    @BeforeEach
    void mayLend() {
        assumeTrue(PriorityTier.current() == PriorityTier.REAL_TIME, PriorityTier::explanation);
    }

    /** A thread of low priority that owns locks until it is asked to release them. */
    private static final class Owner {
        final AtomicInteger tid = new AtomicInteger();
        final CountDownLatch owns = new CountDownLatch(1);
        final CountDownLatch proceed = new CountDownLatch(1);

        Owner(TestThreads threads, VipLock... locks) throws InterruptedException {
            threads.start(() -> {
                tid.set(LinuxThreads.current());
                LinuxThreads.schedule(LinuxThreads.SELF, LOW);
                for (VipLock lock : locks) {
                    lock.lock();
                }
                owns.countDown();
                proceed.await();
                for (VipLock lock : locks) {
                    lock.unlock();
                }
                assertThat(LinuxThreads.scheduling(LinuxThreads.SELF)).isEqualTo(LOW);
            });
            owns.await();
        }

        Scheduling scheduling() {
            return LinuxThreads.scheduling(tid.get());
        }
    }

    private static Thread waiter(TestThreads threads, Importance importance, VipLock lock) {
        return threads.start(importance, () -> {
                    lock.lock();
                    lock.unlock();
                })
                .thread();
    }

    @Test
    void theOwnerIsScheduledAsWellAsTheWaiterUntilItReleases() throws Exception {
        try (TestThreads threads = new TestThreads()) {
            Owner owner = new Owner(threads, lock);
            TestThreads.untilQueued(lock, waiter(threads, Importance.ORDINARY, lock));
            assertThat(owner.scheduling()).isEqualTo(LOW);

            TestThreads.untilQueued(lock, waiter(threads, Importance.VIP, lock));
            assertThat(owner.scheduling()).isEqualTo(Scheduling.bestNice());
            owner.proceed.countDown();
        }
    }

    @Test
    void aRealTimeWaiterLendsItsClass() throws Exception {
        try (TestThreads threads = new TestThreads()) {
            Owner owner = new Owner(threads, lock);
            Thread waiter = threads.start(() -> {
                        LinuxThreads.schedule(LinuxThreads.SELF, new Scheduling(Scheduling.FIFO, 0, 3, false));
                        lock.lock();
                        lock.unlock();
                    })
                    .thread();
            TestThreads.untilQueued(lock, waiter);

            assertThat(owner.scheduling()).isEqualTo(Scheduling.realTime(3));
            owner.proceed.countDown();
        }
    }

    @Test
    void itReachesAlongAChain() throws Exception {
        VipLock far = new VipLock();
        try (TestThreads threads = new TestThreads()) {
            Owner last = new Owner(threads, far);
            CountDownLatch owns = new CountDownLatch(1);
            Thread between = threads.start(() -> {
                        lock.lock();
                        owns.countDown();
                        far.lock();
                        far.unlock();
                        lock.unlock();
                    })
                    .thread();
            owns.await();
            TestThreads.untilQueued(far, between);
            TestThreads.untilQueued(lock, waiter(threads, Importance.VIP, lock));

            assertThat(last.scheduling()).isEqualTo(Scheduling.bestNice());
            last.proceed.countDown();
        }
    }

    @Test
    void aBoostedThreadPassesItsDonationOnWhenItBeginsToWait() throws Exception {
        VipLock far = new VipLock();
        try (TestThreads threads = new TestThreads()) {
            Owner last = new Owner(threads, far);
            CountDownLatch owns = new CountDownLatch(1);
            CountDownLatch proceed = new CountDownLatch(1);
            Thread between = threads.start(() -> {
                        lock.lock();
                        owns.countDown();
                        proceed.await();
                        far.lock();
                        far.unlock();
                        lock.unlock();
                    })
                    .thread();
            owns.await();
            TestThreads.untilQueued(lock, waiter(threads, Importance.VIP, lock));
            assertThat(last.scheduling()).isEqualTo(LOW);
            proceed.countDown();
            TestThreads.untilQueued(far, between);

            assertThat(last.scheduling()).isEqualTo(Scheduling.bestNice());
            last.proceed.countDown();
        }
    }

    @Test
    void itReachesThroughOneThatWasSignalledAndWaitsForTheLock() throws Exception {
        VipLock far = new VipLock();
        Condition condition = far.newCondition();
        AtomicInteger tid = new AtomicInteger();
        CountDownLatch signalled = new CountDownLatch(1);
        CountDownLatch proceed = new CountDownLatch(1);
        try (TestThreads threads = new TestThreads()) {
            Thread between = threads.start(() -> {
                        lock.lock();
                        far.lock();
                        condition.await();
                        far.unlock();
                        lock.unlock();
                    })
                    .thread();
            TestThreads.until(() -> lock.isLocked() && !far.isLocked() && TestThreads.sleeps(between));
            threads.start(() -> {
                tid.set(LinuxThreads.current());
                far.lock();
                condition.signal();
                signalled.countDown();
                proceed.await();
                far.unlock();
                assertThat(LinuxThreads.scheduling(LinuxThreads.SELF))
                        .isEqualTo(new Scheduling(Scheduling.OTHER, 0, 0, false));
            });
            signalled.await();
            TestThreads.untilQueued(lock, waiter(threads, Importance.VIP, lock));

            assertThat(LinuxThreads.scheduling(tid.get())).isEqualTo(Scheduling.bestNice());
            proceed.countDown();
        }
    }

    @Test
    void theDonationOfOneLockEndsWithItAndThatOfAnotherDoesNot() throws Exception {
        VipLock other = new VipLock();
        AtomicInteger tid = new AtomicInteger();
        CountDownLatch owns = new CountDownLatch(1);
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(1);
        try (TestThreads threads = new TestThreads()) {
            threads.start(() -> {
                tid.set(LinuxThreads.current());
                lock.lock();
                other.lock();
                owns.countDown();
                first.await();
                lock.unlock();
                assertThat(LinuxThreads.scheduling(LinuxThreads.SELF)).isEqualTo(Scheduling.bestNice());
                second.await();
                other.unlock();
                assertThat(LinuxThreads.scheduling(LinuxThreads.SELF))
                        .isEqualTo(new Scheduling(Scheduling.OTHER, 0, 0, false));
            });
            owns.await();
            TestThreads.untilQueued(lock, waiter(threads, Importance.VIP, lock));
            TestThreads.untilQueued(other, waiter(threads, Importance.VIP, other));
            assertThat(LinuxThreads.scheduling(tid.get())).isEqualTo(Scheduling.bestNice());
            first.countDown();
            second.countDown();
        }
    }

    @Test
    void aThreadThatGetsTheLockBeforeAnImportantWaiterIsBoosted() throws Exception {
        VipLock impatient = new VipLock(java.time.Duration.ZERO); // every ordinary waiter has waited too long
        CountDownLatch proceed = new CountDownLatch(1);
        AtomicReference<Scheduling> seen = new AtomicReference<>();
        try (TestThreads threads = new TestThreads()) {
            impatient.lock();
            Thread ordinary = threads.start(() -> {
                        impatient.lock();
                        seen.set(LinuxThreads.scheduling(LinuxThreads.SELF));
                        impatient.unlock();
                        proceed.countDown();
                    })
                    .thread();
            TestThreads.untilQueued(impatient, ordinary);
            TestThreads.untilQueued(impatient, waiter(threads, Importance.VIP, impatient));
            impatient.unlock();
            proceed.await();
        }

        assertThat(seen.get()).isEqualTo(Scheduling.bestNice());
    }

    @Test
    void aWaiterForAConditionHasReturnedTheDonation() throws Exception {
        Condition condition = lock.newCondition();
        AtomicInteger tid = new AtomicInteger();
        CountDownLatch owns = new CountDownLatch(1);
        CountDownLatch proceed = new CountDownLatch(1);
        try (TestThreads threads = new TestThreads()) {
            Thread thread = threads.start(() -> {
                        tid.set(LinuxThreads.current());
                        LinuxThreads.schedule(LinuxThreads.SELF, LOW);
                        lock.lock();
                        owns.countDown();
                        proceed.await();
                        condition.await();
                        lock.unlock();
                    })
                    .thread();
            owns.await();
            TestThreads.untilQueued(lock, waiter(threads, Importance.VIP, lock));
            assertThat(LinuxThreads.scheduling(tid.get())).isEqualTo(Scheduling.bestNice());
            proceed.countDown();
            // in this order: it may still be waiting for the notification, until it has released the lock
            TestThreads.until(() -> !lock.isLocked() && thread.getState() == Thread.State.WAITING);
            assertThat(LinuxThreads.scheduling(tid.get())).isEqualTo(LOW);
            lock.lock();
            condition.signal();
            lock.unlock();
        }
    }

    @Test
    void threadsThatTheOwnerStartsInheritNothing() throws Exception {
        AtomicReference<Scheduling> child = new AtomicReference<>();
        CountDownLatch owns = new CountDownLatch(1);
        CountDownLatch proceed = new CountDownLatch(1);
        try (TestThreads threads = new TestThreads()) {
            threads.start(() -> {
                lock.lock();
                owns.countDown();
                proceed.await();
                Thread started = Thread.ofPlatform().start(() -> child.set(LinuxThreads.scheduling(LinuxThreads.SELF)));
                started.join();
                lock.unlock();
            });
            owns.await();
            TestThreads.untilQueued(lock, waiter(threads, Importance.VIP, lock));
            proceed.countDown();
        }

        assertThat(child.get().nice()).isZero();
    }

    /** An important thread that waits until it is interrupted. */
    private static Thread impatient(TestThreads threads, VipLock lock) throws InterruptedException {
        Thread thread = threads.start(Importance.VIP, () -> {
                    try {
                        lock.lockInterruptibly();
                        lock.unlock();
                    } catch (InterruptedException e) {
                        // has given up
                    }
                })
                .thread();
        TestThreads.untilQueued(lock, thread);
        return thread;
    }

    private static void interrupt(Thread thread) throws InterruptedException {
        thread.interrupt();
        thread.join();
    }

    @Test
    void aWaiterThatTimesOutRevokesItsDonation() throws Exception {
        try (TestThreads threads = new TestThreads()) {
            Owner owner = new Owner(threads, lock);
            threads.start(Importance.VIP, () -> {
                        assertThat(lock.tryLock(50, TimeUnit.MILLISECONDS)).isFalse();
                        assertThat(owner.scheduling()).isEqualTo(LOW);
                    })
                    .get();
            owner.proceed.countDown();
        }
    }

    @Test
    void anInterruptedWaiterRevokesOnlyItsOwnDonation() throws Exception {
        try (TestThreads threads = new TestThreads()) {
            Owner owner = new Owner(threads, lock);
            Thread first = impatient(threads, lock);
            Thread second = impatient(threads, lock);
            assertThat(owner.scheduling()).isEqualTo(Scheduling.bestNice());

            interrupt(first);
            assertThat(owner.scheduling()).isEqualTo(Scheduling.bestNice());
            interrupt(second);
            assertThat(owner.scheduling()).isEqualTo(LOW);
            owner.proceed.countDown();
        }
    }

    @Test
    void aRealTimeWaiterThatGivesUpLeavesTheNextBestDonation() throws Exception {
        try (TestThreads threads = new TestThreads()) {
            Owner owner = new Owner(threads, lock);
            Thread vip = impatient(threads, lock);
            Thread realTime = threads.start(() -> {
                        LinuxThreads.schedule(LinuxThreads.SELF, new Scheduling(Scheduling.FIFO, 0, 3, false));
                        try {
                            lock.lockInterruptibly();
                        } catch (InterruptedException e) {
                            // has given up
                        }
                    })
                    .thread();
            TestThreads.untilQueued(lock, realTime);
            assertThat(owner.scheduling()).isEqualTo(Scheduling.realTime(3));

            interrupt(realTime);
            assertThat(owner.scheduling()).isEqualTo(Scheduling.bestNice());
            interrupt(vip);
            assertThat(owner.scheduling()).isEqualTo(LOW);
            owner.proceed.countDown();
        }
    }

    @Test
    void theNextImportantWaiterDonatesWhenTheFirstGivesUp() throws Exception {
        VipLock impatient = new VipLock(java.time.Duration.ZERO); // every ordinary waiter has waited too long
        CountDownLatch owns = new CountDownLatch(1);
        CountDownLatch proceed = new CountDownLatch(1);
        AtomicInteger tid = new AtomicInteger();
        try (TestThreads threads = new TestThreads()) {
            impatient.lock();
            Thread ordinary = threads.start(() -> {
                        tid.set(LinuxThreads.current());
                        LinuxThreads.schedule(LinuxThreads.SELF, LOW);
                        impatient.lock();
                        owns.countDown();
                        proceed.await();
                        impatient.unlock();
                    })
                    .thread();
            TestThreads.untilQueued(impatient, ordinary);
            Thread first = impatient(threads, impatient);
            Thread second = impatient(threads, impatient);
            impatient.unlock();
            owns.await();
            assertThat(LinuxThreads.scheduling(tid.get())).isEqualTo(Scheduling.bestNice());

            interrupt(first);
            assertThat(LinuxThreads.scheduling(tid.get())).isEqualTo(Scheduling.bestNice());
            interrupt(second);
            assertThat(LinuxThreads.scheduling(tid.get())).isEqualTo(LOW);
            proceed.countDown();
        }
    }

    @Test
    void aWaiterThatGivesUpRevokesItsDonationAlongAChain() throws Exception {
        VipLock far = new VipLock();
        try (TestThreads threads = new TestThreads()) {
            Owner last = new Owner(threads, far);
            CountDownLatch owns = new CountDownLatch(1);
            Thread between = threads.start(() -> {
                        lock.lock();
                        owns.countDown();
                        far.lock();
                        far.unlock();
                        lock.unlock();
                    })
                    .thread();
            owns.await();
            TestThreads.untilQueued(far, between);
            Thread vip = impatient(threads, lock);
            assertThat(last.scheduling()).isEqualTo(Scheduling.bestNice());

            interrupt(vip);
            assertThat(last.scheduling()).isEqualTo(LOW);
            last.proceed.countDown();
        }
    }

    @Test
    void anOwnerThatGivesUpItsOwnWaitRevokesThePassedOnDonation() throws Exception {
        VipLock far = new VipLock();
        try (TestThreads threads = new TestThreads()) {
            Owner last = new Owner(threads, far);
            CountDownLatch owns = new CountDownLatch(1);
            CountDownLatch gaveUp = new CountDownLatch(1);
            CountDownLatch proceed = new CountDownLatch(1);
            Thread between = threads.start(() -> {
                        lock.lock();
                        owns.countDown();
                        try {
                            far.lockInterruptibly();
                        } catch (InterruptedException e) {
                            gaveUp.countDown();
                        }
                        proceed.await();
                        lock.unlock();
                    })
                    .thread();
            owns.await();
            TestThreads.untilQueued(far, between);
            TestThreads.untilQueued(lock, waiter(threads, Importance.VIP, lock));
            assertThat(last.scheduling()).isEqualTo(Scheduling.bestNice());

            between.interrupt();
            gaveUp.await();
            assertThat(last.scheduling()).isEqualTo(LOW);
            proceed.countDown();
            last.proceed.countDown();
        }
    }

    @Test
    void aWriterThatGivesUpRevokesItsDonationsToTheReaders() throws Exception {
        VipReadWriteLock both = new VipReadWriteLock();
        AtomicInteger tid = new AtomicInteger();
        CountDownLatch reads = new CountDownLatch(1);
        CountDownLatch proceed = new CountDownLatch(1);
        try (TestThreads threads = new TestThreads()) {
            threads.start(() -> {
                tid.set(LinuxThreads.current());
                LinuxThreads.schedule(LinuxThreads.SELF, LOW);
                both.readLock().lock();
                reads.countDown();
                proceed.await();
                both.readLock().unlock();
                assertThat(LinuxThreads.scheduling(LinuxThreads.SELF)).isEqualTo(LOW);
            });
            reads.await();
            Thread writer = impatient(threads, both.writeLock());
            assertThat(LinuxThreads.scheduling(tid.get())).isEqualTo(Scheduling.bestNice());

            interrupt(writer);
            assertThat(LinuxThreads.scheduling(tid.get())).isEqualTo(LOW);
            proceed.countDown();
        }
    }

    @Test
    void aVirtualThreadIsNotBoosted() throws Exception {
        CountDownLatch owns = new CountDownLatch(1);
        CountDownLatch proceed = new CountDownLatch(1);
        try (TestThreads threads = new TestThreads()) {
            threads.start(Thread.ofVirtual().name("owner"), Importance.ORDINARY, () -> {
                lock.lock();
                owns.countDown();
                proceed.await();
                lock.unlock();
                return LinuxThreads.scheduling(LinuxThreads.SELF);
            });
            owns.await();
            TestThreads.untilQueued(lock, waiter(threads, Importance.VIP, lock));
            proceed.countDown();
        }

        assertThat(lock.isLocked()).isFalse();
    }
}
