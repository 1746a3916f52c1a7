package dev.unjank.locks.futex;

import dev.unjank.linux.Futex;
import dev.unjank.linux.Futex.Scope;

/** A word that threads change, and sleep on. Every access to it is one of these, so that a test can step from one to the next. */
abstract class FutexWord {

    /**
     * Refuses a virtual thread.
     *
     * @throws UnsupportedOperationException if the calling thread is one
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

    /** Sleeps while the word has the expected value, until a wake-up with one of these bits, or the deadline, or for no reason. */
    abstract void await(int expected, long deadline, int bits);

    /** The same, for any wake-up. */
    final void await(int expected, long deadline) {
        await(expected, deadline, Futex.ANY);
    }

    /** Wakes so many of those that sleep for such a wake-up; says how many it were. */
    abstract int wake(int most, int bits);

    /** Wakes one. */
    final void wakeOne() {
        int ignored = wake(1, Futex.ANY);
    }

    /** Has all that sleep here sleep on another word, if this one has the expected value; says whether it had. */
    abstract boolean moveSleepers(int expected, FutexWord to);

    @Override
    public String toString() {
        return "0x" + Integer.toHexString(volatileValue());
    }
}
