package dev.unjank.locks.futex;

import dev.unjank.linux.Futex;
import dev.unjank.linux.Futex.Scope;

/** A word whose accesses are steps of {@link Interleavings}, with the kernel's part; or with a mistake. */
final class SteppedWord extends Word {

    /** A mistake that somebody could have made, in a lock or in the kernel. */
    enum Fault {
        NONE,
        /** The kernel has a thread sleep without looking at the word once more. */
        SLEEPS_WITHOUT_LOOKING,
        /** A mutex that is taken after a sleep is not marked as one that others may wait for. */
        FORGETS_OTHER_SLEEPERS,
        /** A writer that enters after a sleep does not mark that others may wait. */
        FORGETS_OTHER_WRITERS,
        /** A signal does not change the condition's number. */
        SIGNALS_WITHOUT_COUNTING,
        /** All that sleep are moved to a mutex, which nobody marks. */
        MOVES_WITHOUT_MARKING,
        /** A mutex is taken by looking and then writing. */
        TAKES_IN_TWO_STEPS
    }

    private final Interleavings all;
    private final Fault fault;
    private int value;

    SteppedWord(Interleavings all, Fault fault) {
        this.all = all;
        this.fault = fault;
    }

    @Override
    void requirePlatformThread() {
        // here all threads are virtual
    }

    @Override
    Scope scope() {
        return Scope.PROCESS;
    }

    /** Without a step: for the end of a scene. */
    int value() {
        return value;
    }

    @Override
    int volatileValue() {
        all.step();
        return value;
    }

    @Override
    boolean cas(int expected, int replacement) {
        all.step();
        if (value != expected) {
            return false;
        }
        if (fault == Fault.TAKES_IN_TWO_STEPS) {
            all.step();
        }
        value = switch (fault) {
            case FORGETS_OTHER_SLEEPERS ->
                expected == FutexMutex.FREE && replacement == FutexMutex.WAITED_FOR ? FutexMutex.HELD : replacement;
            case FORGETS_OTHER_WRITERS ->
                expected == 0 && (replacement & FutexReadWriteLock.HOLDERS) == FutexReadWriteLock.WRITER
                        ? FutexReadWriteLock.WRITER
                        : replacement;
            default -> replacement;
        };
        return true;
    }

    @Override
    int getAndSet(int replacement) {
        all.step();
        int before = value;
        value = fault == Fault.MOVES_WITHOUT_MARKING && replacement == FutexMutex.WAITED_FOR ? before : replacement;
        return before;
    }

    @Override
    int getAndAdd(int difference) {
        all.step();
        int before = value;
        value = fault == Fault.SIGNALS_WITHOUT_COUNTING ? before : before + difference;
        return before;
    }

    @Override
    void await(int expected, long deadline, int bits) {
        Interleavings.Actor me = all.step();
        if (value == expected || fault == Fault.SLEEPS_WITHOUT_LOOKING) {
            all.sleep(me, this, bits, deadline != Futex.NEVER);
        }
    }

    @Override
    int wake(int most, int bits) {
        all.step();
        int woken = 0;
        for (Interleavings.Actor sleeper : all.sleepers(this)) {
            if (woken < most && (sleeper.bits & bits) != 0) {
                sleeper.sleepsOn = null;
                woken++;
            }
        }
        return woken;
    }

    @Override
    boolean moveSleepers(int expected, Word to) {
        all.step();
        if (value != expected && fault != Fault.SIGNALS_WITHOUT_COUNTING) {
            return false;
        }
        all.sleepers(this).forEach(sleeper -> sleeper.sleepsOn = (SteppedWord) to);
        return true;
    }

    @Override
    public String toString() {
        return "0x" + Integer.toHexString(value);
    }
}
