package dev.unjank.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.linux.Scheduling;
import dev.unjank.linux.Tasks;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an important waiter does to the scheduling of real threads. */
@SuppressWarnings({"LockNotBeforeTry", "WaitNotInLoop"}) // of a test that fails nobody uses the locks any more
class LendingTest {
    private static final Scheduling LOW = new Scheduling(Scheduling.OTHER, 10, 0, false);

    private final VipLock lock = new VipLock();

    @BeforeEach
    void mayLend() {
        assumeTrue(Tier.current() == Tier.REAL_TIME, Tier::explanation);
    }

    /** A thread of low priority that owns locks until it is told to release them. */
    private static final class Owner {
        final AtomicInteger tid = new AtomicInteger();
        final CountDownLatch owns = new CountDownLatch(1);
        final CountDownLatch told = new CountDownLatch(1);

        Owner(Threads threads, VipLock... locks) throws InterruptedException {
            threads.start(() -> {
                tid.set(Tasks.current());
                Tasks.schedule(Tasks.SELF, LOW);
                for (VipLock lock : locks) {
                    lock.lock();
                }
                owns.countDown();
                told.await();
                for (VipLock lock : locks) {
                    lock.unlock();
                }
                assertThat(Tasks.scheduling(Tasks.SELF)).isEqualTo(LOW);
            });
            owns.await();
        }

        Scheduling scheduling() {
            return Tasks.scheduling(tid.get());
        }
    }

    private static Thread waiter(Threads threads, Importance importance, VipLock lock) {
        return threads.start(importance, () -> {
                    lock.lock();
                    lock.unlock();
                })
                .thread();
    }

    @Test
    void theOwnerIsScheduledAsWellAsTheWaiterUntilItReleases() throws Exception {
        try (Threads threads = new Threads()) {
            Owner owner = new Owner(threads, lock);
            Threads.untilQueued(lock, waiter(threads, Importance.ORDINARY, lock));
            assertThat(owner.scheduling()).isEqualTo(LOW);

            Threads.untilQueued(lock, waiter(threads, Importance.VIP, lock));
            assertThat(owner.scheduling()).isEqualTo(Scheduling.bestNice());
            owner.told.countDown();
        }
    }

    @Test
    void aRealTimeWaiterLendsItsClass() throws Exception {
        try (Threads threads = new Threads()) {
            Owner owner = new Owner(threads, lock);
            Thread waiter = threads.start(() -> {
                        Tasks.schedule(Tasks.SELF, new Scheduling(Scheduling.FIFO, 0, 3, false));
                        lock.lock();
                        lock.unlock();
                    })
                    .thread();
            Threads.untilQueued(lock, waiter);

            assertThat(owner.scheduling()).isEqualTo(Scheduling.realTime(3));
            owner.told.countDown();
        }
    }

    @Test
    void itReachesAlongAChain() throws Exception {
        VipLock far = new VipLock();
        try (Threads threads = new Threads()) {
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
            Threads.untilQueued(far, between);
            Threads.untilQueued(lock, waiter(threads, Importance.VIP, lock));

            assertThat(last.scheduling()).isEqualTo(Scheduling.bestNice());
            last.told.countDown();
        }
    }

    @Test
    void whoWasLentToLendsOnWhenItBeginsToWait() throws Exception {
        VipLock far = new VipLock();
        try (Threads threads = new Threads()) {
            Owner last = new Owner(threads, far);
            CountDownLatch owns = new CountDownLatch(1);
            CountDownLatch told = new CountDownLatch(1);
            Thread between = threads.start(() -> {
                        lock.lock();
                        owns.countDown();
                        told.await();
                        far.lock();
                        far.unlock();
                        lock.unlock();
                    })
                    .thread();
            owns.await();
            Threads.untilQueued(lock, waiter(threads, Importance.VIP, lock));
            assertThat(last.scheduling()).isEqualTo(LOW);
            told.countDown();
            Threads.untilQueued(far, between);

            assertThat(last.scheduling()).isEqualTo(Scheduling.bestNice());
            last.told.countDown();
        }
    }

    @Test
    void itReachesThroughOneThatWasSignalledAndWaitsForTheLock() throws Exception {
        VipLock far = new VipLock();
        Condition condition = far.newCondition();
        AtomicInteger tid = new AtomicInteger();
        CountDownLatch signalled = new CountDownLatch(1);
        CountDownLatch told = new CountDownLatch(1);
        try (Threads threads = new Threads()) {
            Thread between = threads.start(() -> {
                        lock.lock();
                        far.lock();
                        condition.await();
                        far.unlock();
                        lock.unlock();
                    })
                    .thread();
            Threads.until(() -> lock.isLocked() && !far.isLocked() && Threads.sleeps(between));
            threads.start(() -> {
                tid.set(Tasks.current());
                far.lock();
                condition.signal();
                signalled.countDown();
                told.await();
                far.unlock();
                assertThat(Tasks.scheduling(Tasks.SELF)).isEqualTo(new Scheduling(Scheduling.OTHER, 0, 0, false));
            });
            signalled.await();
            Threads.untilQueued(lock, waiter(threads, Importance.VIP, lock));

            assertThat(Tasks.scheduling(tid.get())).isEqualTo(Scheduling.bestNice());
            told.countDown();
        }
    }

    @Test
    void theLoanOfOneLockEndsWithItAndThatOfAnotherDoesNot() throws Exception {
        VipLock other = new VipLock();
        AtomicInteger tid = new AtomicInteger();
        CountDownLatch owns = new CountDownLatch(1);
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(1);
        try (Threads threads = new Threads()) {
            threads.start(() -> {
                tid.set(Tasks.current());
                lock.lock();
                other.lock();
                owns.countDown();
                first.await();
                lock.unlock();
                assertThat(Tasks.scheduling(Tasks.SELF)).isEqualTo(Scheduling.bestNice());
                second.await();
                other.unlock();
                assertThat(Tasks.scheduling(Tasks.SELF)).isEqualTo(new Scheduling(Scheduling.OTHER, 0, 0, false));
            });
            owns.await();
            Threads.untilQueued(lock, waiter(threads, Importance.VIP, lock));
            Threads.untilQueued(other, waiter(threads, Importance.VIP, other));
            assertThat(Tasks.scheduling(tid.get())).isEqualTo(Scheduling.bestNice());
            first.countDown();
            second.countDown();
        }
    }

    @Test
    void whoGetsTheLockBeforeAnImportantWaiterIsLentToAsWell() throws Exception {
        VipLock impatient = new VipLock(java.time.Duration.ZERO); // every ordinary waiter has waited too long
        CountDownLatch told = new CountDownLatch(1);
        AtomicReference<Scheduling> seen = new AtomicReference<>();
        try (Threads threads = new Threads()) {
            impatient.lock();
            Thread ordinary = threads.start(() -> {
                        impatient.lock();
                        seen.set(Tasks.scheduling(Tasks.SELF));
                        impatient.unlock();
                        told.countDown();
                    })
                    .thread();
            Threads.untilQueued(impatient, ordinary);
            Threads.untilQueued(impatient, waiter(threads, Importance.VIP, impatient));
            impatient.unlock();
            told.await();
        }

        assertThat(seen.get()).isEqualTo(Scheduling.bestNice());
    }

    @Test
    void whoWaitsForAConditionHasGivenTheLoanBack() throws Exception {
        Condition condition = lock.newCondition();
        AtomicInteger tid = new AtomicInteger();
        CountDownLatch owns = new CountDownLatch(1);
        CountDownLatch told = new CountDownLatch(1);
        try (Threads threads = new Threads()) {
            Thread thread = threads.start(() -> {
                        tid.set(Tasks.current());
                        Tasks.schedule(Tasks.SELF, LOW);
                        lock.lock();
                        owns.countDown();
                        told.await();
                        condition.await();
                        lock.unlock();
                    })
                    .thread();
            owns.await();
            Threads.untilQueued(lock, waiter(threads, Importance.VIP, lock));
            assertThat(Tasks.scheduling(tid.get())).isEqualTo(Scheduling.bestNice());
            told.countDown();
            // in this order: it may sleep still to be told, until it has released the lock
            Threads.until(() -> !lock.isLocked() && thread.getState() == Thread.State.WAITING);
            assertThat(Tasks.scheduling(tid.get())).isEqualTo(LOW);
            lock.lock();
            condition.signal();
            lock.unlock();
        }
    }

    @Test
    void whatTheOwnerStartsInheritsNothing() throws Exception {
        AtomicReference<Scheduling> child = new AtomicReference<>();
        CountDownLatch owns = new CountDownLatch(1);
        CountDownLatch told = new CountDownLatch(1);
        try (Threads threads = new Threads()) {
            threads.start(() -> {
                lock.lock();
                owns.countDown();
                told.await();
                Thread started = Thread.ofPlatform().start(() -> child.set(Tasks.scheduling(Tasks.SELF)));
                started.join();
                lock.unlock();
            });
            owns.await();
            Threads.untilQueued(lock, waiter(threads, Importance.VIP, lock));
            told.countDown();
        }

        assertThat(child.get().nice()).isZero();
    }

    /** An important thread that waits until it is interrupted. */
    private static Thread impatient(Threads threads, VipLock lock) throws InterruptedException {
        Thread thread = threads.start(Importance.VIP, () -> {
                    try {
                        lock.lockInterruptibly();
                        lock.unlock();
                    } catch (InterruptedException e) {
                        // has given up
                    }
                })
                .thread();
        Threads.untilQueued(lock, thread);
        return thread;
    }

    private static void interrupt(Thread thread) throws InterruptedException {
        thread.interrupt();
        thread.join();
    }

    @Test
    void aWaiterWhoseTimeIsOverEndsItsLoan() throws Exception {
        try (Threads threads = new Threads()) {
            Owner owner = new Owner(threads, lock);
            threads.start(Importance.VIP, () -> {
                        assertThat(lock.tryLock(50, TimeUnit.MILLISECONDS)).isFalse();
                        assertThat(owner.scheduling()).isEqualTo(LOW);
                    })
                    .get();
            owner.told.countDown();
        }
    }

    @Test
    void aWaiterThatIsInterruptedEndsItsLoanAndThatOfAnotherStays() throws Exception {
        try (Threads threads = new Threads()) {
            Owner owner = new Owner(threads, lock);
            Thread first = impatient(threads, lock);
            Thread second = impatient(threads, lock);
            assertThat(owner.scheduling()).isEqualTo(Scheduling.bestNice());

            interrupt(first);
            assertThat(owner.scheduling()).isEqualTo(Scheduling.bestNice());
            interrupt(second);
            assertThat(owner.scheduling()).isEqualTo(LOW);
            owner.told.countDown();
        }
    }

    @Test
    void aRealTimeWaiterThatGivesUpLeavesTheLoanOfTheNextBest() throws Exception {
        try (Threads threads = new Threads()) {
            Owner owner = new Owner(threads, lock);
            Thread vip = impatient(threads, lock);
            Thread realTime = threads.start(() -> {
                        Tasks.schedule(Tasks.SELF, new Scheduling(Scheduling.FIFO, 0, 3, false));
                        try {
                            lock.lockInterruptibly();
                        } catch (InterruptedException e) {
                            // has given up
                        }
                    })
                    .thread();
            Threads.untilQueued(lock, realTime);
            assertThat(owner.scheduling()).isEqualTo(Scheduling.realTime(3));

            interrupt(realTime);
            assertThat(owner.scheduling()).isEqualTo(Scheduling.bestNice());
            interrupt(vip);
            assertThat(owner.scheduling()).isEqualTo(LOW);
            owner.told.countDown();
        }
    }

    @Test
    void theNextImportantWaiterLendsToAnOwnerToWhichOnlyTheFirstHadLent() throws Exception {
        VipLock impatient = new VipLock(java.time.Duration.ZERO); // every ordinary waiter has waited too long
        CountDownLatch owns = new CountDownLatch(1);
        CountDownLatch told = new CountDownLatch(1);
        AtomicInteger tid = new AtomicInteger();
        try (Threads threads = new Threads()) {
            impatient.lock();
            Thread ordinary = threads.start(() -> {
                        tid.set(Tasks.current());
                        Tasks.schedule(Tasks.SELF, LOW);
                        impatient.lock();
                        owns.countDown();
                        told.await();
                        impatient.unlock();
                    })
                    .thread();
            Threads.untilQueued(impatient, ordinary);
            Thread first = impatient(threads, impatient);
            Thread second = impatient(threads, impatient);
            impatient.unlock();
            owns.await();
            assertThat(Tasks.scheduling(tid.get())).isEqualTo(Scheduling.bestNice());

            interrupt(first);
            assertThat(Tasks.scheduling(tid.get())).isEqualTo(Scheduling.bestNice());
            interrupt(second);
            assertThat(Tasks.scheduling(tid.get())).isEqualTo(LOW);
            told.countDown();
        }
    }

    @Test
    void aWaiterThatGivesUpEndsItsLoanAlongAChain() throws Exception {
        VipLock far = new VipLock();
        try (Threads threads = new Threads()) {
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
            Threads.untilQueued(far, between);
            Thread vip = impatient(threads, lock);
            assertThat(last.scheduling()).isEqualTo(Scheduling.bestNice());

            interrupt(vip);
            assertThat(last.scheduling()).isEqualTo(LOW);
            last.told.countDown();
        }
    }

    @Test
    void anOwnerThatGivesUpItsOwnWaitEndsTheLoanThatItPassedOn() throws Exception {
        VipLock far = new VipLock();
        try (Threads threads = new Threads()) {
            Owner last = new Owner(threads, far);
            CountDownLatch owns = new CountDownLatch(1);
            CountDownLatch gaveUp = new CountDownLatch(1);
            CountDownLatch told = new CountDownLatch(1);
            Thread between = threads.start(() -> {
                        lock.lock();
                        owns.countDown();
                        try {
                            far.lockInterruptibly();
                        } catch (InterruptedException e) {
                            gaveUp.countDown();
                        }
                        told.await();
                        lock.unlock();
                    })
                    .thread();
            owns.await();
            Threads.untilQueued(far, between);
            Threads.untilQueued(lock, waiter(threads, Importance.VIP, lock));
            assertThat(last.scheduling()).isEqualTo(Scheduling.bestNice());

            between.interrupt();
            gaveUp.await();
            assertThat(last.scheduling()).isEqualTo(LOW);
            told.countDown();
            last.told.countDown();
        }
    }

    @Test
    void aWriterThatGivesUpEndsItsLoansToTheReaders() throws Exception {
        VipReadWriteLock both = new VipReadWriteLock();
        AtomicInteger tid = new AtomicInteger();
        CountDownLatch reads = new CountDownLatch(1);
        CountDownLatch told = new CountDownLatch(1);
        try (Threads threads = new Threads()) {
            threads.start(() -> {
                tid.set(Tasks.current());
                Tasks.schedule(Tasks.SELF, LOW);
                both.readLock().lock();
                reads.countDown();
                told.await();
                both.readLock().unlock();
                assertThat(Tasks.scheduling(Tasks.SELF)).isEqualTo(LOW);
            });
            reads.await();
            Thread writer = impatient(threads, both.writeLock());
            assertThat(Tasks.scheduling(tid.get())).isEqualTo(Scheduling.bestNice());

            interrupt(writer);
            assertThat(Tasks.scheduling(tid.get())).isEqualTo(LOW);
            told.countDown();
        }
    }

    @Test
    void toAVirtualThreadNothingIsLent() throws Exception {
        CountDownLatch owns = new CountDownLatch(1);
        CountDownLatch told = new CountDownLatch(1);
        try (Threads threads = new Threads()) {
            threads.start(Thread.ofVirtual().name("owner"), Importance.ORDINARY, () -> {
                lock.lock();
                owns.countDown();
                told.await();
                lock.unlock();
                return Tasks.scheduling(Tasks.SELF);
            });
            owns.await();
            Threads.untilQueued(lock, waiter(threads, Importance.VIP, lock));
            told.countDown();
        }

        assertThat(lock.isLocked()).isFalse();
    }
}
