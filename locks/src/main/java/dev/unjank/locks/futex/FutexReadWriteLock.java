package dev.unjank.locks.futex;

import dev.unjank.linux.Futex;
import dev.unjank.linux.Futex.Scope;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

/**
 * A lock for many readers or one writer on one 32-bit futex word, which may lie in memory shared between processes.
 *
 * <pre>
 * bits      name             meaning
 * 0 to 29   holders          0: free; 1 to 0x3ffffffe: the number of readers; 0x3fffffff: a writer
 * 30        READERS_WAIT     readers may sleep
 * 31        WRITERS_WAIT     writers may sleep
 *
 * change                                                            by
 * holders 0 -> writer, with any waiters                             a writer; after a sleep it sets WRITERS_WAIT, as others may sleep
 * holders n -> n + 1, if there is no writer and no writer waits     a reader; it clears READERS_WAIT, and wakes all readers
 * sets its own bit, if it cannot enter                              a thread that is about to sleep
 * holders -> 0, or n -> n - 1                                       a thread that leaves; the last one clears a bit and wakes:
 *   WRITERS_WAIT [| READERS_WAIT] -> [READERS_WAIT]                   one writer; if none slept, on to the readers
 *   READERS_WAIT -> 0                                                 all readers
 * </pre>
 *
 * Every change is a volatile read-modify-write. Readers sleep with bit 1, writers with bit 2 ({@code
 * FUTEX_WAIT_BITSET}), so that a wake-up reaches only readers or only writers, though all sleep on the same word.
 *
 * <p><b>No wake-up is lost.</b> A thread sleeps only if the word has exactly the value in which the thread's bit is set
 * and which does not permit it to enter; a thread that frees the lock clears the bit before it wakes others. A thread
 * that gives up after a sleep may have consumed another thread's wake-up, so it passes the wake-up on ({@code giveUp}).
 *
 * <p><b>Not supported.</b> Writers go first, so a steady stream of writers starves readers. The lock is not reentrant
 * in any combination, and a reader cannot become a writer without releasing the lock. If a holder dies, the lock stays
 * held. The writer is known only to the object through which it took the lock; readers are only counted.
 *
 * <p>For platform threads only: see {@link dev.unjank.locks.futex}.
 */
public final class FutexReadWriteLock implements ReadWriteLock {
    static final int HOLDERS = 0x3fff_ffff;
    static final int WRITER = HOLDERS;
    static final int READERS_WAIT = 0x4000_0000;
    static final int WRITERS_WAIT = 0x8000_0000;

    private static final int MOST_READERS = WRITER - 1;
    private static final int TO_READERS = 1;
    private static final int TO_WRITERS = 2;

    private final FutexWord word;
    private final ReadLock readLock = new ReadLock();
    private final WriteLock writeLock = new WriteLock();

    /**
     * The id of the thread that took the write lock through this object, or 0. Other threads read it only to compare it
     * with their own id.
     */
    private long writer;

    /**
     * Creates a lock for the threads of this process, on a new word.
     *
     * @throws UnsupportedOperationException if this system has no futexes
     */
    public FutexReadWriteLock() {
        this(NativeFutexWord.ofProcess(Futex.obstacle()));
    }

    /**
     * Creates a lock over a word.
     *
     * @param word 4 bytes at an address divisible by 4, outside the heap; 0 before its first use
     * @param scope the scope of the threads that use the word; all of them must use the same scope
     * @throws IllegalArgumentException if the memory cannot hold a lock
     * @throws UnsupportedOperationException if this system has no futexes
     */
    public FutexReadWriteLock(MemorySegment word, Scope scope) {
        this(new NativeFutexWord(word, scope, Futex.obstacle()));
    }

    FutexReadWriteLock(FutexWord word) {
        this.word = word;
    }

    @Override
    public Lock readLock() {
        return readLock;
    }

    @Override
    public Lock writeLock() {
        return writeLock;
    }

    /**
     * The common base class of the read lock and the write lock: a thread tries to enter, sets its bit, sleeps, and
     * tries again.
     */
    private abstract class Side implements Lock {
        private final int waitBit;
        private final int wakeBit;

        Side(int waitBit, int wakeBit) {
            this.waitBit = waitBit;
            this.wakeBit = wakeBit;
        }

        /** Returns whether a thread of this side can enter a lock with this word. */
        abstract boolean isOpen(int seen);

        /** Returns the word after the thread has entered. */
        abstract int entered(int seen, boolean hasSlept);

        @Override
        public void lock() {
            enter(Deadline.ENDLESS);
        }

        @Override
        public void lockInterruptibly() throws InterruptedException {
            lock(Deadline.UNTIL_INTERRUPTED);
        }

        @Override
        public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
            return lock(Deadline.until(unit.toNanos(time)));
        }

        private boolean lock(Deadline deadline) throws InterruptedException {
            deadline.checkInterrupt();
            boolean isIn = enter(deadline);
            if (!isIn) {
                deadline.checkInterrupt();
            }
            return isIn;
        }

        @Override
        public boolean tryLock() {
            word.requirePlatformThread();
            for (int seen = word.volatileValue(); isOpen(seen); seen = word.volatileValue()) {
                if (comesIn(seen, false)) {
                    return true;
                }
            }
            return false;
        }

        /** Enters if the word is unchanged. */
        boolean comesIn(int seen, boolean hasSlept) {
            return word.cas(seen, entered(seen, hasSlept));
        }

        /** Enters, waiting if necessary; returns false if the thread has given up. */
        boolean enter(Deadline deadline) {
            word.requirePlatformThread();
            boolean hasSlept = false;
            while (true) {
                int seen = word.volatileValue();
                if (isOpen(seen)) {
                    if (comesIn(seen, hasSlept)) {
                        return true;
                    }
                } else if ((seen & HOLDERS) == MOST_READERS) {
                    throw new IllegalStateException("too many readers, or the word was changed by other code");
                } else if (deadline.isExpired()) {
                    if (hasSlept) {
                        giveUp();
                    }
                    return false;
                } else if ((seen & waitBit) != 0 || word.cas(seen, seen | waitBit)) {
                    word.await(seen | waitBit, deadline.wakeUp(), wakeBit);
                    hasSlept = true;
                }
            }
        }

        /**
         * Passes on a wake-up that this thread may have consumed: another sleeping thread is woken now or when the lock
         * is released.
         */
        private void giveUp() {
            while (true) {
                int seen = word.volatileValue();
                if ((seen & HOLDERS) == 0) {
                    if (word.cas(seen, (seen | waitBit) & ~HOLDERS)) {
                        wakeNext();
                        return;
                    }
                } else if ((seen & waitBit) != 0 || word.cas(seen, seen | waitBit)) {
                    return;
                }
            }
        }

        @Override
        public Condition newCondition() {
            throw new UnsupportedOperationException("a FutexReadWriteLock has no conditions");
        }

        @Override
        public String toString() {
            return FutexReadWriteLock.this + "." + getClass().getSimpleName();
        }
    }

    /** The read lock. */
    private final class ReadLock extends Side {
        ReadLock() {
            super(READERS_WAIT, TO_READERS);
        }

        @Override
        boolean isOpen(int seen) {
            return (seen & WRITERS_WAIT) == 0 && (seen & HOLDERS) < MOST_READERS;
        }

        @Override
        int entered(int seen, boolean hasSlept) {
            return (seen + 1) & ~READERS_WAIT;
        }

        /**
         * If this reader can enter, all readers can, so it wakes them. Otherwise a reader that enters between a
         * writer's release and its wake-up, and stays long, would delay them.
         */
        @Override
        boolean comesIn(int seen, boolean hasSlept) {
            boolean isIn = super.comesIn(seen, hasSlept);
            if (isIn && (seen & READERS_WAIT) != 0) {
                word.wake(Integer.MAX_VALUE, TO_READERS);
            }
            return isIn;
        }

        @Override
        public void unlock() {
            int seen;
            do {
                seen = word.volatileValue();
                int holders = seen & HOLDERS;
                if (holders == 0 || holders == WRITER) {
                    throw new IllegalMonitorStateException("no thread holds the read lock (word " + word + ")");
                }
            } while (!word.cas(seen, seen - 1));
            if ((seen & HOLDERS) == 1) {
                wakeNext();
            }
        }
    }

    /** The write lock. */
    private final class WriteLock extends Side {
        WriteLock() {
            super(WRITERS_WAIT, TO_WRITERS);
        }

        @Override
        boolean isOpen(int seen) {
            return (seen & HOLDERS) == 0;
        }

        @Override
        int entered(int seen, boolean hasSlept) {
            return seen | WRITER | (hasSlept ? WRITERS_WAIT : 0);
        }

        @Override
        boolean enter(Deadline deadline) {
            boolean isIn = super.enter(deadline);
            if (isIn) {
                writer = Thread.currentThread().threadId();
            }
            return isIn;
        }

        @Override
        public boolean tryLock() {
            boolean isIn = super.tryLock();
            if (isIn) {
                writer = Thread.currentThread().threadId();
            }
            return isIn;
        }

        @Override
        public void unlock() {
            if (writer != Thread.currentThread().threadId()) {
                throw new IllegalMonitorStateException(
                        Thread.currentThread().getName() + " does not hold the write lock (word " + word + ")");
            }
            writer = 0;
            int seen;
            do {
                seen = word.volatileValue();
                if ((seen & HOLDERS) != WRITER) {
                    throw new IllegalStateException("the word was changed by other code: " + word);
                }
            } while (!word.cas(seen, seen & ~HOLDERS));
            wakeNext();
        }
    }

    /** Wakes threads if the lock is free and threads may sleep: one writer; if none slept, all readers. */
    private void wakeNext() {
        while (true) {
            int seen = word.volatileValue();
            if ((seen & HOLDERS) != 0 || seen == 0) {
                return; // the thread that has entered will wake the next one, since the bits are still set
            }
            if ((seen & WRITERS_WAIT) != 0) {
                if (word.cas(seen, seen & ~WRITERS_WAIT) && word.wake(1, TO_WRITERS) > 0) {
                    return;
                }
            } else if (word.cas(seen, 0)) {
                word.wake(Integer.MAX_VALUE, TO_READERS);
                return;
            }
        }
    }

    @Override
    public String toString() {
        return "FutexReadWriteLock[word " + word + "]";
    }
}
