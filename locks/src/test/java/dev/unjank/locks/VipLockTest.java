package dev.unjank.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings({"LockNotBeforeTry", "WaitNotInLoop"}) // if a test fails, the locks are no longer used
class VipLockTest {
    private static final long BOUND = Duration.ofMillis(50).toNanos();

    private final AtomicLong clock = new AtomicLong();
    private final VipLock lock = new VipLock(new VipLock.Sync(new WaitQueue(BOUND, clock::get)));
    private final List<String> order = Collections.synchronizedList(new ArrayList<>());

    /**
     * Starts a thread that waits for the lock, records its name when it has it, and releases it; returns when it waits.
     */
    private void waiter(TestThreads threads, Importance importance, String name) {
        waiter(threads, Thread.ofPlatform(), importance, name);
    }

    private void waiter(TestThreads threads, Thread.Builder builder, Importance importance, String name) {
        Thread thread = threads.start(builder.name(name), importance, () -> {
                    lock.lock();
                    order.add(name);
                    lock.unlock();
                    return name;
                })
                .thread();
        TestThreads.untilQueued(lock, thread);
        clock.incrementAndGet();
    }

    @Test
    void theTextIsThatOfTheJdksLocks() {
        VipReadWriteLock both = new VipReadWriteLock();
        for (var pair : Map.of(
                        new VipLock(),
                        (Lock) new ReentrantLock(),
                        both.writeLock(),
                        new ReentrantReadWriteLock().writeLock())
                .entrySet()) {
            assertThat(state(pair.getKey())).isEqualTo(state(pair.getValue())).isEqualTo("[Unlocked]");
            pair.getKey().lock();
            pair.getValue().lock();
            assertThat(state(pair.getKey()))
                    .isEqualTo(state(pair.getValue()))
                    .isEqualTo("[Locked by thread " + Thread.currentThread().getName() + "]");
            pair.getKey().unlock();
            pair.getValue().unlock();
        }
        ReentrantReadWriteLock theirs = new ReentrantReadWriteLock();
        both.writeLock().lock();
        theirs.writeLock().lock();
        for (int reads = 0; reads < 3; reads++) {
            assertThat(state(both)).isEqualTo(state(theirs)).isEqualTo("[Write locks = 1, Read locks = " + reads + "]");
            assertThat(state(both.readLock()))
                    .isEqualTo(state(theirs.readLock()))
                    .isEqualTo("[Read locks = " + reads + "]");
            both.readLock().lock();
            theirs.readLock().lock();
        }
        both.writeLock().lock();
        theirs.writeLock().lock();
        assertThat(state(both)).isEqualTo(state(theirs)).startsWith("[Write locks = 2,");
        for (ReadWriteLock lock : List.of(both, theirs)) {
            lock.writeLock().unlock();
            lock.writeLock().unlock();
            for (int reads = 0; reads < 3; reads++) {
                lock.readLock().unlock();
            }
        }
    }

    private static String state(Object lock) {
        return lock.toString().substring(lock.toString().indexOf('['));
    }

    @Test
    void importantWaitersComeFirstAndEqualsAreFirstComeFirstServed() throws Exception {
        try (TestThreads threads = new TestThreads()) {
            lock.lock();
            waiter(threads, Importance.ORDINARY, "a");
            waiter(threads, Importance.VIP, "v1");
            waiter(threads, Importance.ORDINARY, "b");
            waiter(threads, Importance.REAL_TIME, "r");
            waiter(threads, Importance.VIP, "v2");
            lock.unlock();
        }

        assertThat(order).containsExactly("r", "v1", "v2", "a", "b");
    }

    @Test
    void virtualThreadsAreOrderedToo() throws Exception {
        try (TestThreads threads = new TestThreads()) {
            lock.lock();
            waiter(threads, Thread.ofVirtual(), Importance.ORDINARY, "a");
            waiter(threads, Thread.ofVirtual(), Importance.VIP, "v");
            lock.unlock();
        }

        assertThat(order).containsExactly("v", "a");
    }

    @Test
    void aWaiterBeyondTheBoundComesFirst() throws Exception {
        try (TestThreads threads = new TestThreads()) {
            lock.lock();
            waiter(threads, Importance.ORDINARY, "a");
            waiter(threads, Importance.ORDINARY, "b");
            clock.addAndGet(BOUND - 2); // a will have waited longer than the bound, b exactly as long
            waiter(threads, Importance.VIP, "v");
            lock.unlock();
        }

        assertThat(order).containsExactly("a", "v", "b");
    }

    @Test
    void aVipIsGivenTheLock() throws Exception {
        CountDownLatch seen = new CountDownLatch(1);
        try (TestThreads threads = new TestThreads()) {
            lock.lock();
            Thread vip = threads.start(Importance.VIP, () -> {
                        lock.lock();
                        seen.await();
                        lock.unlock();
                    })
                    .thread();
            TestThreads.untilQueued(lock, vip);
            lock.unlock();

            assertThat(lock.getOwner()).isEqualTo(vip); // from the very moment of the release
            assertThat(lock.tryLock()).isFalse();
            seen.countDown();
        }
    }

    @Test
    void anOrdinaryWaiterHasToTakeIt() throws Exception {
        try (TestThreads threads = new TestThreads()) {
            lock.lock();
            waiter(threads, Importance.ORDINARY, "a");
            for (int i = 0; i < 1_000; i++) {
                lock.unlock();
                lock.lock(); // now and then before the other
            }
            lock.unlock();
        }

        assertThat(order).containsExactly("a");
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    void isReentrant() {
        lock.lock();
        lock.lock();
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.getHoldCount()).isEqualTo(3);
        lock.unlock();
        lock.unlock();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
        assertThat(lock.getHoldCount()).isZero();
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    void onlyTheOwnerReleasesIt() throws Exception {
        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(lock::unlock)
                .withMessageContaining("no thread");
        lock.lock();
        try (TestThreads threads = new TestThreads()) {
            threads.start(() -> assertThatExceptionOfType(IllegalMonitorStateException.class)
                    .isThrownBy(lock::unlock)
                    .withMessageContaining("does not own the lock"));
        }
        lock.unlock();
    }

    @Test
    void aCancelledWaiterIsUnlinked() throws Exception {
        AtomicReference<Waiter> last = new AtomicReference<>();
        WaitQueue queue = new WaitQueue(BOUND, clock::get) {
            @Override
            void push(Waiter waiter) {
                super.push(waiter);
                last.set(waiter);
            }
        };
        VipLock held = new VipLock(new VipLock.Sync(queue));
        held.lock();
        try (TestThreads threads = new TestThreads()) {
            threads.start(() -> {
                for (int i = 0; i < 500; i++) {
                    assertThat(held.tryLock(1, TimeUnit.MICROSECONDS)).isFalse();
                }
            });
        }
        int left = 0;
        for (Waiter waiter = last.get(); waiter != null; waiter = waiter.belowOpaque()) {
            left++;
        }

        assertThat(left).isPositive().isLessThan(100);
        assertThat(held.hasQueuedThreads()).isFalse();
        held.unlock();
        assertThat(held.isLocked()).isFalse();
    }

    @Test
    void anActiveWaiterIsNotUnlinkedBesideCancelledOnes() throws Exception {
        try (TestThreads threads = new TestThreads()) {
            lock.lock();
            waiter(threads, Importance.ORDINARY, "a");
            threads.start(() -> {
                        for (int i = 0; i < 500; i++) {
                            lock.tryLock(1, TimeUnit.MICROSECONDS);
                        }
                    })
                    .get();
            waiter(threads, Importance.ORDINARY, "b");
            lock.unlock();
        }

        assertThat(order).containsExactly("a", "b");
    }

    @Test
    void anInterruptEndsAWaitThatAllowsIt() throws Exception {
        try (TestThreads threads = new TestThreads()) {
            lock.lock();
            Thread thread = threads.start(() -> {
                        assertThatExceptionOfType(InterruptedException.class).isThrownBy(lock::lockInterruptibly);
                        assertThat(Thread.interrupted()).isFalse();
                    })
                    .thread();
            TestThreads.untilQueued(lock, thread);
            thread.interrupt();
        }
        assertThat(lock.hasQueuedThreads()).isFalse();
        lock.unlock();
    }

    @Test
    void anInterruptDoesNotEndAnotherButIsKept() throws Exception {
        try (TestThreads threads = new TestThreads()) {
            lock.lock();
            Thread thread = threads.start(() -> {
                        lock.lock();
                        assertThat(Thread.interrupted()).isTrue();
                        lock.unlock();
                    })
                    .thread();
            TestThreads.untilQueued(lock, thread);
            thread.interrupt();
            TestThreads.untilQueued(lock, thread);
            lock.unlock();
        }
    }

    @Test
    void aThreadInterruptedBeforehandDoesNotGetIt() throws Exception {
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(lock::lockInterruptibly);
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> lock.tryLock(1, TimeUnit.SECONDS));
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    void toolsSeeOwnerAndWaiter() throws Exception {
        ThreadMXBean threadBean = ManagementFactory.getThreadMXBean();
        try (TestThreads threads = new TestThreads()) {
            lock.lock();
            Thread waiter = threads.start(() -> {
                        lock.lock();
                        lock.unlock();
                    })
                    .thread();
            TestThreads.untilQueued(lock, waiter);

            ThreadInfo info = threadBean.getThreadInfo(waiter.threadId());
            assertThat(info.getLockOwnerId()).isEqualTo(Thread.currentThread().threadId());
            assertThat(info.getLockInfo().getClassName()).isEqualTo(VipLock.Sync.class.getName());
            assertThat(threadBean
                            .getThreadInfo(new long[] {Thread.currentThread().threadId()}, false, true)[0]
                            .getLockedSynchronizers())
                    .hasSize(1);
            lock.unlock();
        }
    }

    @Test
    void flightRecorderSeesWhatIsWaitedFor(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("parks.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.ThreadPark").withThreshold(Duration.ZERO);
            recording.start();
            try (TestThreads threads = new TestThreads()) {
                lock.lock();
                waiter(threads, Importance.VIP, "who waits");
                lock.unlock();
            }
            recording.stop();
            recording.dump(file);
        }

        assertThat(RecordingFile.readAllEvents(file)).anySatisfy(park -> {
            assertThat(park.getThread("eventThread").getJavaName()).isEqualTo("who waits");
            assertThat(park.getClass("parkedClass").getName()).isEqualTo(VipLock.Sync.class.getName());
        });
    }

    @Test
    void aDeadlockIsReportedOnce() throws Exception {
        VipLock other = new VipLock();
        CountDownLatch both = new CountDownLatch(2);
        try (DeadlockReports reports = new DeadlockReports();
                TestThreads threads = new TestThreads()) {
            Thread one = threads.start(
                            Thread.ofPlatform().name("one"), Importance.ORDINARY, () -> inTurn(lock, other, both))
                    .thread();
            Thread two = threads.start(Thread.ofPlatform().name("two"), Importance.VIP, () -> inTurn(other, lock, both))
                    .thread();
            TestThreads.until(() -> !reports.seen().isEmpty());
            TestThreads.untilQueued(other, one);
            TestThreads.untilQueued(lock, two);
            assertThat(ManagementFactory.getThreadMXBean().findDeadlockedThreads())
                    .containsExactlyInAnyOrder(one.threadId(), two.threadId());
            assertThat(reports.seen()).hasSize(1).first().asString().contains("thread one", "thread two", "waits for");
            one.interrupt();
            two.interrupt();
        }
    }

    /** Takes a lock, and then another until it is interrupted. */
    private static boolean inTurn(VipLock first, VipLock second, CountDownLatch both) throws InterruptedException {
        first.lock();
        try {
            both.countDown();
            both.await();
            second.lockInterruptibly();
            second.unlock();
            return true;
        } catch (InterruptedException e) {
            return false;
        } finally {
            first.unlock();
        }
    }
}
