package dev.unjank.locks.futex;

import dev.unjank.linux.Futex;
import dev.unjank.linux.Futex.Scope;

/**
 * A 32-bit word on which threads can sleep (futex). All accesses are methods of this class, so that a test can step
 * through them.
 */
abstract class FutexWord {

    /**
     * Rejects virtual threads.
     *
     * @throws UnsupportedOperationException if the calling thread is virtual
     */
    void requirePlatformThread() {
        if (Thread.currentThread().isVirtual()) {
            throw new UnsupportedOperationException("a virtual thread cannot own or wait for a futex lock");
        }
    }

    abstract Scope scope();

    abstract int volatileValue();

    abstract boolean cas(int expected, int replacement);

    abstract int getAndSet(int replacement);

    abstract int getAndAdd(int difference);

    /**
     * Sleeps if the word has the expected value, until a wake-up with one of these bits, or until the deadline; may
     * return spuriously.
     */
    abstract void await(int expected, long deadline, int bits);

    /** Sleeps if the word has the expected value, until any wake-up, or until the deadline; may return spuriously. */
    final void await(int expected, long deadline) {
        await(expected, deadline, Futex.ANY);
    }

    /** Wakes at most {@code most} threads that sleep with one of these bits; returns the number of threads woken. */
    abstract int wake(int most, int bits);

    /** Wakes one thread. */
    final void wakeOne() {
        int ignored = wake(1, Futex.ANY);
    }

    /** Requeues all sleeping threads to another word if this word has the expected value; returns whether it had. */
    abstract boolean moveSleepers(int expected, FutexWord to);

    @Override
    public String toString() {
        return "0x" + Integer.toHexString(volatileValue());
    }
}
