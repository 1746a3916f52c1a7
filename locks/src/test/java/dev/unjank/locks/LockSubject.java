package dev.unjank.locks;

import java.util.Collection;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * An exclusive lock under the contract tests. Those of the JDK validate the tests: a rule that they break is no
 * contract.
 */
interface LockSubject {
    Lock lock();

    boolean isLocked();

    boolean isMine();

    int holdCount();

    boolean isQueued(Thread thread);

    int queueLength();

    int waitQueueLength(Condition condition);

    /** The locks under the contract. */
    enum Kind {
        VIP_LOCK {
            @Override
            LockSubject make() {
                return new Vip(new VipLock());
            }
        },
        WRITE_LOCK_OF_VIP_READ_WRITE_LOCK {
            @Override
            LockSubject make() {
                return new Vip(new VipReadWriteLock().writeLock());
            }
        },
        REENTRANT_LOCK {
            @Override
            LockSubject make() {
                return new Jdk(new Queue());
            }
        },
        FAIR_REENTRANT_LOCK {
            @Override
            LockSubject make() {
                return new Jdk(new Queue(true));
            }
        },
        WRITE_LOCK_OF_REENTRANT_READ_WRITE_LOCK {
            @Override
            LockSubject make() {
                return new JdkWriteLock(new ReentrantReadWriteLock());
            }
        };

        abstract LockSubject make();
    }

    /** The VipLock. */
    record Vip(VipLock lock) implements LockSubject {
        @Override
        public boolean isLocked() {
            return lock.isLocked();
        }

        @Override
        public boolean isMine() {
            return lock.isHeldByCurrentThread();
        }

        @Override
        public int holdCount() {
            return lock.getHoldCount();
        }

        @Override
        public boolean isQueued(Thread thread) {
            return lock.getQueuedThreads().contains(thread);
        }

        @Override
        public int queueLength() {
            return lock.getQueueLength();
        }

        @Override
        public int waitQueueLength(Condition condition) {
            return lock.getWaitQueueLength(condition);
        }
    }

    /** A VipLock with a visible queue. */
    final class Queue extends ReentrantLock {
        private static final long serialVersionUID = 1;

        Queue() {}

        Queue(boolean isFair) {
            super(isFair);
        }

        Collection<Thread> queued() {
            return getQueuedThreads();
        }
    }

    /** The JDK's. */
    record Jdk(Queue lock) implements LockSubject {
        @Override
        public boolean isLocked() {
            return lock.isLocked();
        }

        @Override
        public boolean isMine() {
            return lock.isHeldByCurrentThread();
        }

        @Override
        public int holdCount() {
            return lock.getHoldCount();
        }

        @Override
        public boolean isQueued(Thread thread) {
            return lock.queued().contains(thread);
        }

        @Override
        public int queueLength() {
            return lock.getQueueLength();
        }

        @Override
        public int waitQueueLength(Condition condition) {
            return lock.getWaitQueueLength(condition);
        }
    }

    /** Another one of the JDK. */
    record JdkWriteLock(ReentrantReadWriteLock both) implements LockSubject {
        @Override
        public Lock lock() {
            return both.writeLock();
        }

        @Override
        public boolean isLocked() {
            return both.isWriteLocked();
        }

        @Override
        public boolean isMine() {
            return both.isWriteLockedByCurrentThread();
        }

        @Override
        public int holdCount() {
            return both.getWriteHoldCount();
        }

        @Override
        public boolean isQueued(Thread thread) {
            return both.hasQueuedThread(thread);
        }

        @Override
        public int queueLength() {
            return both.getQueueLength();
        }

        @Override
        public int waitQueueLength(Condition condition) {
            return both.getWaitQueueLength(condition);
        }
    }
}
