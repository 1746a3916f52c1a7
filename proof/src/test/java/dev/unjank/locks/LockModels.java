package dev.unjank.locks;

import dev.unjank.locks.FaultyLockSync.Fault;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.Condition;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/**
 * The locks as the model checker sees them. A critical section looks like a single step, or exclusion is broken; a
 * thread that is not woken makes a deadlock, which the checker reports. A method without {@link Operation} waits for an
 * action of another thread: it is not for random scenarios.
 */
final class LockModels {
    private LockModels() {}

    private static <T> T asVip(Callable<T> task) {
        try {
            return Importance.VIP.call(task);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** The sequential models. A thread that would have to wait cannot have been the next. */
    public static final class Sequential {
        private int count;
        private int signals;
        private int permits = LockModels.PERMITS;

        public int ordinary() {
            return count++;
        }

        public int vip() {
            return count++;
        }

        public int barging() {
            return count++;
        }

        public int again() {
            return count += 2;
        }

        public int downgrade() {
            return ++count;
        }

        public int read() {
            return count;
        }

        public int readAsVip() {
            return count;
        }

        public int readTwice() {
            return count;
        }

        public void one() {}

        public void await() {
            if (signals-- == 0) {
                throw new IllegalStateException();
            }
        }

        public void awaitAsVip() {
            await();
        }

        public void signal() {
            signals++;
        }

        public void signalAll() {
            signals += 2;
        }

        public void acquire(int wanted) {
            if (!tryAcquire(wanted)) {
                throw new IllegalStateException();
            }
        }

        public void acquireAsVip(int wanted) {
            acquire(wanted);
        }

        public boolean tryAcquire(int wanted) {
            boolean has = wanted <= permits;
            permits -= has ? wanted : 0;
            return has;
        }

        public void release(int given) {
            permits += given;
        }

        public int available() {
            return permits;
        }

        public int drain() {
            int all = permits;
            permits = 0;
            return all;
        }
    }

    private static final int PERMITS = 2;

    /** A counter under a lock, and signals that are counted. */
    public static class Lock {
        private final VipLock lock;
        private final Condition condition;
        private int count;
        private int signals;

        public Lock() {
            this(Fault.NONE, FaultyLockSync.PATIENT);
        }

        Lock(Fault fault, long bound) {
            this(new FaultyLockSync(fault, bound, () -> 0));
        }

        Lock(FaultyLockSync sync) {
            lock = new VipLock(sync);
            condition = lock.newCondition();
        }

        @Operation
        public int ordinary() {
            lock.lock();
            try {
                return count++;
            } finally {
                lock.unlock();
            }
        }

        @Operation
        public int vip() {
            return asVip(this::ordinary);
        }

        /** Before all that wait, if it is lucky. */
        @Operation
        public int barging() {
            if (!lock.tryLock()) {
                lock.lock();
            }
            try {
                return count++;
            } finally {
                lock.unlock();
            }
        }

        @Operation
        public int again() {
            lock.lock();
            try {
                ordinary();
                ordinary();
                return count;
            } finally {
                lock.unlock();
            }
        }

        public void await() {
            lock.lock();
            try {
                while (signals == 0) {
                    condition.awaitUninterruptibly();
                }
                signals--;
            } finally {
                lock.unlock();
            }
        }

        public void awaitAsVip() {
            Importance.VIP.run(this::await);
        }

        public void signal() {
            lock.lock();
            try {
                signals++;
                condition.signal();
            } finally {
                lock.unlock();
            }
        }

        public void signalAll() {
            lock.lock();
            try {
                signals += 2;
                condition.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Every thread is overdue: the lock is granted to all, and no thread is woken to take it. */
    public static final class GivenToAll extends Lock {
        public GivenToAll() {
            super(Fault.NONE, FaultyLockSync.IMPATIENT);
        }
    }

    /** With a fault. */
    public static final class DoesNotAnswer extends Lock {
        public DoesNotAnswer() {
            super(Fault.DOES_NOT_ANSWER, FaultyLockSync.PATIENT);
        }
    }

    /** With a fault. */
    public static final class LosesTheSignal extends Lock {
        public LosesTheSignal() {
            super(Fault.LOSES_THE_SIGNAL, FaultyLockSync.PATIENT);
        }
    }

    /** A counter that several read at the same time, and its copy. */
    public static class ReadWrite {
        private final VipReadWriteLock lock;
        private int count;
        private int copy;

        public ReadWrite() {
            this(Fault.NONE);
        }

        ReadWrite(Fault fault) {
            lock = new VipReadWriteLock(new FaultyReadWriteSync(fault));
        }

        @Operation
        public int ordinary() {
            lock.writeLock().lock();
            try {
                copy++;
                return count++;
            } finally {
                lock.writeLock().unlock();
            }
        }

        @Operation
        public int vip() {
            return asVip(this::ordinary);
        }

        @Operation
        public int read() {
            lock.readLock().lock();
            try {
                return count == copy ? count : -1;
            } finally {
                lock.readLock().unlock();
            }
        }

        @Operation
        public int readAsVip() {
            return asVip(this::read);
        }

        @Operation
        public int readTwice() {
            lock.readLock().lock();
            try {
                int first = read();
                return read() == first ? first : -1;
            } finally {
                lock.readLock().unlock();
            }
        }

        /** Goes on reading what it has written. */
        @Operation
        public int downgrade() {
            lock.writeLock().lock();
            try {
                copy++;
                count++;
                lock.readLock().lock();
            } finally {
                lock.writeLock().unlock();
            }
            try {
                return count == copy ? count : -1;
            } finally {
                lock.readLock().unlock();
            }
        }
    }

    /** With a fault. */
    public static final class WritesBesideReaders extends ReadWrite {
        public WritesBesideReaders() {
            super(Fault.TAKES_TOO_MUCH);
        }
    }

    /** A counter where one may pass at a time, and has to have both permits. */
    public static final class Passing {
        private final VipSemaphore semaphore = new VipSemaphore(new FaultySemaphoreSync(Fault.NONE, PERMITS));
        private int count;

        @Operation
        public int ordinary() {
            semaphore.acquireUninterruptibly(PERMITS);
            try {
                return count++;
            } finally {
                semaphore.release();
                semaphore.release();
            }
        }

        @Operation
        public int vip() {
            return asVip(this::ordinary);
        }

        /** Takes one of the two for a moment. */
        @Operation
        public void one() {
            semaphore.acquireUninterruptibly();
            semaphore.release();
        }
    }

    /** Permits that come and go. */
    public static class Permits {
        private final VipSemaphore semaphore;

        public Permits() {
            this(Fault.NONE);
        }

        Permits(Fault fault) {
            semaphore = new VipSemaphore(new FaultySemaphoreSync(fault, PERMITS));
        }

        public void acquire(int wanted) {
            semaphore.acquireUninterruptibly(wanted);
        }

        public void acquireAsVip(int wanted) {
            Importance.VIP.run(() -> acquire(wanted));
        }

        @Operation
        public boolean tryAcquire(@Param(gen = IntGen.class, conf = "1:3") int wanted) {
            return semaphore.tryAcquire(wanted);
        }

        @Operation
        public void release(@Param(gen = IntGen.class, conf = "1:2") int given) {
            semaphore.release(given);
        }

        @Operation
        public int available() {
            return semaphore.availablePermits();
        }

        @Operation
        public int drain() {
            return semaphore.drainPermits();
        }
    }

    /** With a fault. */
    public static final class TakesTooMany extends Permits {
        public TakesTooMany() {
            super(Fault.TAKES_TOO_MUCH);
        }
    }
}
