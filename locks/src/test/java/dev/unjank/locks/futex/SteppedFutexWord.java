package dev.unjank.locks.futex;

import dev.unjank.linux.Futex;
import dev.unjank.linux.Futex.Scope;
import dev.unjank.locks.InterleavingExplorer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A word whose accesses are steps of {@link InterleavingExplorer}, with the kernel's part; or with a mistake. */
final class SteppedFutexWord extends FutexWord {

    /** A fault that a lock or the kernel could have. */
    enum Fault {
        NONE,
        /** The kernel puts a thread to sleep without checking the word once more. */
        SLEEPS_WITHOUT_LOOKING,
        /** A mutex that is taken after a sleep is not marked as waited for. */
        FORGETS_OTHER_SLEEPERS,
        /** A writer that enters after a sleep does not mark that others may wait. */
        FORGETS_OTHER_WRITERS,
        /** A signal does not change the condition's number. */
        SIGNALS_WITHOUT_COUNTING,
        /** All sleepers are requeued to a mutex that is not marked. */
        MOVES_WITHOUT_MARKING,
        /** A mutex is taken by a read and a write. */
        TAKES_IN_TWO_STEPS
    }

    private final InterleavingExplorer all;
    private final Fault fault;
    private final List<Sleeper> sleepers = new ArrayList<>();
    private int value;

    /** One that sleeps. */
    private static final class Sleeper {
        final int bits;

        /** Null when it has been woken. */
        @Nullable
        SteppedFutexWord on;

        Sleeper(SteppedFutexWord on, int bits) {
            this.on = on;
            this.bits = bits;
        }
    }

    SteppedFutexWord(InterleavingExplorer all, Fault fault) {
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
        all.step("read");
        return value;
    }

    @Override
    boolean cas(int expected, int replacement) {
        all.step("cas");
        if (value != expected) {
            return false;
        }
        if (fault == Fault.TAKES_IN_TWO_STEPS) {
            all.step("cas, later");
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
        all.step("swap");
        int before = value;
        value = fault == Fault.MOVES_WITHOUT_MARKING && replacement == FutexMutex.WAITED_FOR ? before : replacement;
        return before;
    }

    @Override
    int getAndAdd(int difference) {
        all.step("add");
        int before = value;
        value = fault == Fault.SIGNALS_WITHOUT_COUNTING ? before : before + difference;
        return before;
    }

    @Override
    void await(int expected, long deadline, int bits) {
        all.step("sleep");
        if (value == expected || fault == Fault.SLEEPS_WITHOUT_LOOKING) {
            Thread me = Thread.currentThread();
            Sleeper sleeper = new Sleeper(this, bits);
            sleepers.add(sleeper);
            all.await(() -> sleeper.on == null || (deadline != Futex.NO_DEADLINE && me.isInterrupted()));
            SteppedFutexWord on = sleeper.on;
            if (on != null) {
                on.sleepers.remove(sleeper);
            }
        }
    }

    @Override
    int wake(int most, int bits) {
        all.step("wake");
        List<Sleeper> woken = sleepers.stream()
                .filter(sleeper -> (sleeper.bits & bits) != 0)
                .limit(most)
                .toList();
        woken.forEach(sleeper -> sleeper.on = null);
        sleepers.removeAll(woken);
        return woken.size();
    }

    @Override
    boolean moveSleepers(int expected, FutexWord to) {
        all.step("move");
        if (value != expected && fault != Fault.SIGNALS_WITHOUT_COUNTING) {
            return false;
        }
        SteppedFutexWord other = (SteppedFutexWord) to;
        sleepers.forEach(sleeper -> sleeper.on = other);
        other.sleepers.addAll(sleepers);
        sleepers.clear();
        return true;
    }

    @Override
    public String toString() {
        return "0x" + Integer.toHexString(value);
    }
}
