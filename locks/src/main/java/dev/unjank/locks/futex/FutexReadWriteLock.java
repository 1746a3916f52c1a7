package dev.unjank.locks.futex;

import dev.unjank.linux.Futex;
import dev.unjank.linux.Futex.Scope;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

/**
 * A lock for many readers or one writer on one 32-bit word, which may lie in memory that several processes share.
 *
 * <pre>
 * bits      name             meaning
 * 0 to 29   holders          0: free; 1 to 0x3ffffffe: so many readers; 0x3fffffff: a writer
 * 30        READERS_WAIT     readers may sleep
 * 31        WRITERS_WAIT     writers may sleep
 *
 * change                                                            by
 * holders 0 -> writer, whatever waits                               a writer; after a sleep it sets WRITERS_WAIT, as others may sleep
 * holders n -> n + 1, if there is no writer and no writer waits     a reader; it takes READERS_WAIT away, and wakes all readers
 * sets its own bit, if it cannot enter                              who is about to sleep
 * holders -> 0, or n -> n - 1                                       who leaves; the last one out takes a bit away and wakes:
 *   WRITERS_WAIT [| READERS_WAIT] -> [READERS_WAIT]                   one writer; if none slept, on to the readers
 *   READERS_WAIT -> 0                                                 all readers
 * </pre>
 *
 * Every change is a volatile read-modify-write. Readers sleep with bit 1, writers with bit 2 ({@code FUTEX_WAIT_BITSET}), so that a
 * wake-up is for one kind only, though all sleep on the same word.
 *
 * <p><b>No wake-up is lost.</b> A thread sleeps only on the very value in which it has set its bit and found that it cannot enter; who
 * frees the lock takes the bit away before it wakes. One that gives up after a sleep may have been woken in another's stead, so it hands
 * that on ({@code giveUp}).
 *
 * <p><b>Not promised.</b> That readers ever come while writers keep coming: writers go first. Reentrance, in any combination; nor may a
 * reader become a writer without releasing. An end, if a holder has died. Which thread writes is known to the object through which it
 * took the lock; who reads is not known, only how many.
 *
 * <p>For platform threads: see {@link dev.unjank.locks.futex}.
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

    /** The id of who took it for writing through this object, 0 if nobody. Read by others only to find that it is not theirs. */
    private long writer;

    /**
     * A lock for the threads of this process, on a word of its own.
     *
     * @throws UnsupportedOperationException if this system has no futexes
     */
    public FutexReadWriteLock() {
        this(NativeFutexWord.ofProcess(Futex.obstacle()));
    }

    /**
     * A lock over a word.
     *
     * @param word 4 bytes at an address that 4 divides, outside the heap; 0 where nobody has used it yet
     * @param scope who uses the word; all have to say the same
     * @throws IllegalArgumentException if no lock can lie there
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

    /** What readers and writers have in common: they try, set their bit, sleep, try again. */
    private abstract class Side implements Lock {
        private final int waitBit;
        private final int wakeBit;

        Side(int waitBit, int wakeBit) {
            this.waitBit = waitBit;
            this.wakeBit = wakeBit;
        }

        /** Whether a lock with this word can be entered. */
        abstract boolean isOpen(int seen);

        /** The word with the thread inside. */
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

        private boolean lock(Deadline patience) throws InterruptedException {
            patience.checkInterrupt();
            boolean isIn = enter(patience);
            if (!isIn) {
                patience.checkInterrupt();
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

        /** Comes in, if the word is still as it was seen. */
        boolean comesIn(int seen, boolean hasSlept) {
            return word.cas(seen, entered(seen, hasSlept));
        }

        /** Waits if it has to; false if it has given up. */
        boolean enter(Deadline patience) {
            word.requirePlatformThread();
            boolean hasSlept = false;
            while (true) {
                int seen = word.volatileValue();
                if (isOpen(seen)) {
                    if (comesIn(seen, hasSlept)) {
                        return true;
                    }
                } else if ((seen & HOLDERS) == MOST_READERS) {
                    throw new IllegalStateException("too many readers, or a word that was changed by something else");
                } else if (patience.isAtItsEnd()) {
                    if (hasSlept) {
                        giveUp();
                    }
                    return false;
                } else if ((seen & waitBit) != 0 || word.cas(seen, seen | waitBit)) {
                    word.await(seen | waitBit, patience.wakeUp(), wakeBit);
                    hasSlept = true;
                }
            }
        }

        /** Sees to it that one who sleeps still is woken, now or when the lock is released. */
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
            throw new UnsupportedOperationException("a lock for reading and writing has no conditions here");
        }

        @Override
        public String toString() {
            return FutexReadWriteLock.this + "." + getClass().getSimpleName();
        }
    }

    /** For readers. */
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

        /** Where this one may come in, all readers may: it may be here between a writer's release and its wake-up, and stay long. */
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
                    throw new IllegalMonitorStateException("nobody reads (word " + word + ")");
                }
            } while (!word.cas(seen, seen - 1));
            if ((seen & HOLDERS) == 1) {
                wakeNext();
            }
        }
    }

    /** For writers. */
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
        boolean enter(Deadline patience) {
            boolean isIn = super.enter(patience);
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
                        Thread.currentThread().getName() + " does not write (word " + word + ")");
            }
            writer = 0;
            int seen;
            do {
                seen = word.volatileValue();
                if ((seen & HOLDERS) != WRITER) {
                    throw new IllegalStateException("the word was changed by something else: " + word);
                }
            } while (!word.cas(seen, seen & ~HOLDERS));
            wakeNext();
        }
    }

    /** Wakes somebody if the lock is free and somebody may sleep: one writer before all readers. */
    private void wakeNext() {
        while (true) {
            int seen = word.volatileValue();
            if ((seen & HOLDERS) != 0 || seen == 0) {
                return; // who has come in will wake the next, for the bits are still there
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
