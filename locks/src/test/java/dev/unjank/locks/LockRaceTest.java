package dev.unjank.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.linux.LinuxThreads;
import dev.unjank.linux.Scheduling;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * Random operations on a few locks: mutual exclusion holds, no thread sleeps beside a free lock, and every donation is
 * returned. The operations of a thread come from a seed; their interleaving does not.
 */
@SuppressWarnings({"LockNotBeforeTry", "WaitNotInLoop"}) // no thread uses the locks of a failed test any more
class LockRaceTest {
    private static final int LOCKS = 3;
    private static final int PERMITS = 3;
    private static final long MINUTES = 3;

    /** An exclusive lock, and the data it guards. */
    private static final class Guarded {
        final VipLock lock;
        final Condition condition;
        final AtomicInteger inside = new AtomicInteger();
        long entries;

        Guarded(VipLock lock) {
            this.lock = lock;
            condition = lock.newCondition();
        }

        void enter() {
            assertThat(inside.getAndIncrement()).as("others inside").isZero();
            entries++;
        }

        void leave() {
            assertThat(inside.decrementAndGet()).isZero();
        }
    }

    private final VipReadWriteLock both = new VipReadWriteLock();
    private final AtomicInteger readers = new AtomicInteger();
    private final AtomicLong reads = new AtomicLong();
    private final AtomicLong rounds = new AtomicLong();
    private final VipSemaphore semaphore = new VipSemaphore(PERMITS);
    private final AtomicInteger taken = new AtomicInteger();
    private final List<Guarded> all = new ArrayList<>();

    LockRaceTest() {
        for (int i = 0; i < LOCKS; i++) {
            all.add(new Guarded(new VipLock()));
        }
        all.add(new Guarded(both.writeLock()));
    }

    @Test
    void mutualExclusionProgressAndReturnOfDonations() {
        race(8, round -> round < 6_000);
    }

    @Test
    @Tag("long")
    void theSameForMinutes(TestReporter reporter) {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES);
        race(16, _ -> System.nanoTime() < end);
        reporter.publishEntry("rounds", rounds + ", of them read " + reads);
    }

    private void race(int count, IntPredicate goesOn) {
        List<Thread> members = new ArrayList<>();
        try (TestThreads threads = new TestThreads(TimeUnit.MINUTES.toSeconds(MINUTES + 1))) {
            for (int i = 0; i < count; i++) {
                Random random = new Random(i);
                Thread.Builder builder = i % 4 == 3 ? Thread.ofVirtual() : Thread.ofPlatform();
                members.add(threads.start(builder.name("racer " + i), Importance.ORDINARY, () -> {
                            Scheduling before = scheduling();
                            for (int round = 0; goesOn.test(round); round++) {
                                importance(random).run(() -> act(random));
                                Thread.interrupted();
                                rounds.incrementAndGet();
                            }
                            assertThat(scheduling()).isEqualTo(before);
                            return true;
                        })
                        .thread());
            }
            threads.start(() -> {
                Random random = new Random(count);
                while (members.stream().anyMatch(Thread::isAlive)) {
                    members.get(random.nextInt(count)).interrupt();
                    LockSupport.parkNanos(1_000);
                }
            });
        }

        assertThat(all).allSatisfy(guarded -> {
            assertThat(guarded.entries).isPositive();
            assertThat(guarded.lock.isLocked()).isFalse();
            assertThat(guarded.lock.hasQueuedThreads()).isFalse();
        });
        assertThat(reads).hasPositiveValue();
        assertThat(both.getReadLockCount()).isZero();
        assertThat(semaphore.availablePermits()).isEqualTo(PERMITS);
        assertThat(semaphore.hasQueuedThreads()).isFalse();
    }

    private static Importance importance(Random random) {
        int dice = random.nextInt(20);
        return dice == 0 ? Importance.REAL_TIME : dice < 6 ? Importance.VIP : Importance.ORDINARY;
    }

    /** Null where it is unknown. */
    private static @Nullable Scheduling scheduling() {
        return Thread.currentThread().isVirtual() || LinuxThreads.obstacle() != null
                ? null
                : LinuxThreads.scheduling(LinuxThreads.SELF);
    }

    private void act(Random random) {
        try {
            switch (random.nextInt(6)) {
                case 0 -> read(random);
                case 1 -> permits(random);
                default -> write(random);
            }
        } catch (InterruptedException e) {
            // expected; the interrupted operation has not happened
        }
    }

    private void write(Random random) throws InterruptedException {
        int which = random.nextInt(all.size());
        Guarded guarded = all.get(which);
        if (!take(guarded.lock, random)) {
            return;
        }
        try {
            guarded.enter();
            assertThat(guarded.lock != both.writeLock() || readers.get() == 0)
                    .as("readers beside a writer")
                    .isTrue();
            if (which + 1 < all.size() && random.nextInt(20) == 0) {
                Guarded next = all.get(which + 1); // always in this order
                next.lock.lock();
                next.enter();
                next.leave();
                next.lock.unlock();
            }
            if (random.nextInt(50) == 0) {
                await(guarded, random);
            }
            if (random.nextInt(30) == 0) {
                guarded.condition.signal();
            } else if (random.nextInt(100) == 0) {
                guarded.condition.signalAll();
            }
            guarded.leave();
        } finally {
            guarded.lock.unlock();
        }
    }

    private void read(Random random) throws InterruptedException {
        Lock lock = both.readLock();
        if (!take(lock, random)) {
            return;
        }
        try {
            readers.incrementAndGet();
            reads.incrementAndGet();
            assertThat(all.getLast().inside).as("writers beside a reader").hasValue(0);
            if (random.nextInt(10) == 0) {
                lock.lock();
                lock.unlock();
            }
            readers.decrementAndGet();
        } finally {
            lock.unlock();
        }
    }

    private void permits(Random random) throws InterruptedException {
        int wanted = 1 + random.nextInt(PERMITS);
        switch (random.nextInt(6)) {
            case 0 -> {
                if (!semaphore.tryAcquire(wanted)) {
                    return;
                }
            }
            case 1 -> {
                if (!semaphore.tryAcquire(wanted, random.nextInt(200), TimeUnit.MICROSECONDS)) {
                    return;
                }
            }
            case 2 -> semaphore.acquireUninterruptibly(wanted);
            default -> semaphore.acquire(wanted);
        }
        assertThat(taken.addAndGet(wanted)).as("permits acquired").isLessThanOrEqualTo(PERMITS);
        taken.addAndGet(-wanted);
        semaphore.release(wanted);
    }

    private static boolean take(Lock lock, Random random) throws InterruptedException {
        switch (random.nextInt(8)) {
            case 0 -> {
                return lock.tryLock(random.nextInt(200), TimeUnit.MICROSECONDS);
            }
            case 1 -> {
                return lock.tryLock();
            }
            case 2 -> lock.lockInterruptibly();
            default -> lock.lock();
        }
        return true;
    }

    private static void await(Guarded guarded, Random random) {
        guarded.leave();
        guarded.lock.lock(); // twice, which is to be twice afterwards
        try {
            long ignored = guarded.condition.awaitNanos(random.nextInt(300_000));
        } catch (InterruptedException e) {
            // as good an end as any
        } finally {
            guarded.lock.unlock();
        }
        guarded.enter();
    }
}
