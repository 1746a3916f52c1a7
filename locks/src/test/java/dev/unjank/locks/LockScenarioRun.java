package dev.unjank.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.locks.InterleavingExplorer.Scene;
import dev.unjank.locks.SteppedLocks.Bound;
import dev.unjank.locks.SteppedLocks.Fault;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** One run: the locks, the threads inside, and the participants. Only one thread of a scenario runs at a time. */
@SuppressWarnings({"LockNotBeforeTry", "WaitNotInLoop"}) // what throws ends the scene
final class LockScenarioRun {
    private static final int PERMITS = 3;

    private final InterleavingExplorer all;
    private final VipLock lock;
    private final VipLock other;
    private final Condition condition;
    private final VipReadWriteLock both;
    private final VipSemaphore semaphore;
    private final List<LockThread> standings = new ArrayList<>();
    private List<Runnable> threads = List.of();
    private int writers;
    private int readers;
    private int entries;
    private int extra;
    private int permits;
    private int released;
    private int acquired;
    private boolean hasGivenUp;

    LockScenarioRun(InterleavingExplorer all, Fault fault, Bound bound) {
        this.all = all;
        SteppedLocks locks = new SteppedLocks(all, fault, bound);
        lock = locks.lock();
        other = locks.lock();
        condition = lock.newCondition();
        both = locks.readWriteLock();
        semaphore = locks.semaphore(0);
    }

    /** The part of a thread. */
    interface Part {
        void play(LockScenarioRun play) throws InterruptedException;
    }

    LockScenarioRun of(Part... parts) {
        threads =
                Arrays.stream(parts).<Runnable>map(part -> () -> perform(part)).toList();
        return this;
    }

    private void perform(Part part) {
        standings.add(LockThread.current());
        try {
            part.play(this);
        } catch (InterruptedException e) {
            // as expected
        }
    }

    /** The scenario; at its end the given numbers of threads have been inside. */
    Scene scene(int entered) {
        return new Scene(threads, () -> {
            assertThat(entries).as("entries").isEqualTo(entered + extra);
            for (VipLock each : List.of(lock, other, both.writeLock())) {
                assertThat(each.isLocked()).as("locked").isFalse();
            }
            assertThat(both.getReadLockCount()).isZero();
            assertThat(semaphore.availablePermits()).as("permits").isEqualTo(released - acquired);
            // of these threads only: the list of a lock's waiters walks the threads of all earlier runs
            assertThat(standings).allSatisfy(standing -> {
                assertThat(standing.waiting).as("waiter").isNull();
                assertThat(standing.donatedImportance())
                        .as("donated importance")
                        .isEqualTo(Importance.ORDINARY);
            });
        });
    }

    private void enter() {
        assertThat(writers++ + readers).as("others inside").isZero();
        entries++;
        all.step("inside");
    }

    private void leave(Lock left) {
        writers--;
        left.unlock();
    }

    void pass() {
        lock.lock();
        enter();
        leave(lock);
    }

    void passAsVip() {
        Importance.VIP.run(this::pass);
    }

    void passAtOnce() {
        if (lock.tryLock()) {
            extra++;
            enter();
            leave(lock);
        }
    }

    void passInTime() {
        try {
            if (lock.tryLock(1, TimeUnit.SECONDS)) {
                extra++;
                enter();
                leave(lock);
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    void passUnlessInterrupted() throws InterruptedException {
        lock.lockInterruptibly();
        extra++;
        enter();
        leave(lock);
    }

    /** The important thread is the second. */
    void passAndSeeWhatIsLent() {
        lock.lock();
        enter();
        if (all.sleeps(1)) {
            assertThat(LockThread.current().donatedImportance())
                    .as("what the owner is lent while an important thread sleeps")
                    .isEqualTo(Importance.VIP);
        }
        leave(lock);
    }

    private void giveUpInTime(VipLock wanted) {
        Importance.VIP.run(() -> {
            try {
                if (wanted.tryLock(1, TimeUnit.SECONDS)) {
                    wanted.unlock();
                } else {
                    hasGivenUp = true;
                }
            } catch (InterruptedException e) {
                hasGivenUp = true;
            }
        });
    }

    /** An important thread that may give up. */
    void waitInTimeAsVip() {
        giveUpInTime(lock);
    }

    void waitForOtherInTimeAsVip() {
        giveUpInTime(other);
    }

    /** The important thread that may give up is the only one. */
    void passAndSeeThatNothingIsLeft() {
        lock.lock();
        enter();
        seeThatNothingIsLeft();
        leave(lock);
    }

    void passAtOnceAndSeeThatNothingIsLeft() {
        if (lock.tryLock()) {
            extra++;
            enter();
            seeThatNothingIsLeft();
            leave(lock);
        }
    }

    private void seeThatNothingIsLeft() {
        if (hasGivenUp) {
            assertThat(LockThread.current().donatedImportance())
                    .as("what the owner is lent by a waiter that has given up")
                    .isEqualTo(Importance.ORDINARY);
        }
    }

    /** The first thread has had the lock; the second is important, and waits without a limit. */
    void passAtOnceAndSeeWhatTheOtherLends() {
        if (lock.tryLock()) {
            extra++;
            enter();
            if (hasGivenUp && all.isDone(0) && all.sleeps(1)) {
                assertThat(LockThread.current().donatedImportance())
                        .as("what the owner is lent by the waiter that is left")
                        .isEqualTo(Importance.VIP);
            }
            leave(lock);
        }
    }

    void passBoth() {
        other.lock();
        pass();
        other.unlock();
    }

    void passOtherAsVip() {
        Importance.VIP.run(other::lock);
        other.unlock();
    }

    void awaitPermit() {
        lock.lock();
        entries++;
        while (permits == 0) {
            condition.awaitUninterruptibly();
        }
        permits--;
        lock.unlock();
    }

    /** Passes the permit on, if it got one. */
    void awaitPermitInTime() throws InterruptedException {
        lock.lock();
        entries++;
        if (condition.await(1, TimeUnit.SECONDS) && permits > 0) {
            condition.signal();
        }
        lock.unlock();
    }

    void givePermit() {
        lock.lock();
        entries++;
        permits++;
        condition.signal();
        lock.unlock();
    }

    void read() {
        both.readLock().lock();
        assertThat(writers).as("writers inside").isZero();
        readers++;
        entries++;
        all.step("inside");
        readers--;
        both.readLock().unlock();
    }

    void readAsVip() {
        Importance.VIP.run(this::read);
    }

    void write() {
        both.writeLock().lock();
        enter();
        leave(both.writeLock());
    }

    void writeInTime() throws InterruptedException {
        if (both.writeLock().tryLock(1, TimeUnit.SECONDS)) {
            extra++;
            enter();
            leave(both.writeLock());
        }
    }

    private void acquired(int wanted) {
        acquired += wanted;
        assertThat(acquired).as("permits acquired").isLessThanOrEqualTo(released);
    }

    void acquire(int wanted) {
        semaphore.acquireUninterruptibly(wanted);
        acquired(wanted);
    }

    void acquireInTime() throws InterruptedException {
        if (semaphore.tryAcquire(2, 1, TimeUnit.SECONDS)) {
            acquired(2);
        }
    }

    void release() {
        for (int i = 0; i < PERMITS; i++) {
            released++;
            semaphore.release();
        }
    }
}
