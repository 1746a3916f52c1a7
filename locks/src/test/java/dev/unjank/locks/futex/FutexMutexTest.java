package dev.unjank.locks.futex;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.linux.Futex;
import dev.unjank.linux.Futex.Scope;
import dev.unjank.locks.Importance;
import dev.unjank.locks.TestThreads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The states of the word, one by one, and refused operations. */
@SuppressWarnings({"LockNotBeforeTry", "WaitNotInLoop"}) // no thread uses the locks of a failed test any more
class FutexMutexTest {
    private final Arena arena = Arena.ofShared();
    private final MemorySegment word = arena.allocate(JAVA_INT);
    private FutexMutex mutex;

    @BeforeEach
    void possible() {
        assumeTrue(Futex.obstacle() == null, Futex::obstacle);
        mutex = new FutexMutex(word, Scope.PROCESS);
    }

    @AfterEach
    void free() {
        if (word.scope().isAlive()) {
            arena.close();
        }
    }

    private int state() {
        return word.get(JAVA_INT, 0);
    }

    @Test
    void takenAndReleasedByOneThread() {
        mutex.lock();
        assertThat(state()).isEqualTo(FutexMutex.HELD);
        assertThat(mutex.isLocked()).isTrue();
        assertThat(mutex.tryLock()).as("it is not reentrant").isFalse();
        mutex.unlock();
        assertThat(state()).isEqualTo(FutexMutex.FREE);
        assertThat(mutex.tryLock()).isTrue();
        mutex.unlock();
    }

    @Test
    void aWaiterMarksTheWordAndIsWoken() {
        try (TestThreads threads = new TestThreads()) {
            mutex.lock();
            threads.start(() -> {
                mutex.lock();
                assertThat(state()).isEqualTo(FutexMutex.WAITED_FOR);
                mutex.unlock();
            });
            TestThreads.until(() -> state() == FutexMutex.WAITED_FOR);
            mutex.unlock();
        }
        assertThat(state()).isEqualTo(FutexMutex.FREE);
    }

    @Test
    void aTimedWaitGivesUp() throws Exception {
        try (TestThreads threads = new TestThreads()) {
            mutex.lock();
            assertThat(threads.call(() -> mutex.tryLock(3, TimeUnit.MILLISECONDS))
                            .get())
                    .isFalse();
            assertThat(threads.call(() -> mutex.tryLock(-1, TimeUnit.MILLISECONDS))
                            .get())
                    .isFalse();
            mutex.unlock();
            assertThat(threads.call(() -> {
                                boolean taken = mutex.tryLock(-1, TimeUnit.MILLISECONDS);
                                mutex.unlock();
                                return taken;
                            })
                            .get())
                    .isTrue();
        }
    }

    @Test
    void anInterruptibleWaitIsInterrupted() {
        try (TestThreads threads = new TestThreads()) {
            mutex.lock();
            TestThreads.Task<Boolean> waiter = threads.call(() -> {
                try {
                    mutex.lockInterruptibly();
                    return false;
                } catch (InterruptedException e) {
                    return !Thread.currentThread().isInterrupted();
                }
            });
            TestThreads.until(() -> state() == FutexMutex.WAITED_FOR);
            waiter.thread().interrupt();
            assertThat(waiter.get()).isTrue();
            mutex.unlock();
        }
    }

    @Test
    void anUninterruptibleWaitKeepsTheInterrupt() {
        try (TestThreads threads = new TestThreads()) {
            mutex.lock();
            TestThreads.Task<Boolean> waiter = threads.call(() -> {
                mutex.lock();
                mutex.unlock();
                return Thread.currentThread().isInterrupted();
            });
            TestThreads.until(() -> state() == FutexMutex.WAITED_FOR);
            waiter.thread().interrupt();
            mutex.unlock();
            assertThat(waiter.get()).isTrue();
        }
    }

    @Test
    void onlyTheOwnerReleases() {
        assertThatThrownBy(mutex::unlock).isInstanceOf(IllegalMonitorStateException.class);
        mutex.lock();
        try (TestThreads threads = new TestThreads()) {
            threads.start(() -> assertThatThrownBy(mutex::unlock).isInstanceOf(IllegalMonitorStateException.class));
        }
        assertThat(state()).isEqualTo(FutexMutex.HELD);
        mutex.unlock();
        assertThatThrownBy(mutex::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void itsOwnerCannotTakeItAgain() throws Exception {
        mutex.lock();

        assertThatThrownBy(mutex::lock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("already owns this mutex");
        assertThatThrownBy(mutex::lockInterruptibly).isInstanceOf(IllegalMonitorStateException.class);
        assertThatThrownBy(() -> mutex.tryLock(1, TimeUnit.HOURS)).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(mutex.tryLock()).isFalse();
        try (TestThreads threads = new TestThreads()) {
            threads.start(
                    () -> assertThat(mutex.tryLock(1, TimeUnit.NANOSECONDS)).isFalse()); // marks the word as waited for
        }
        assertThatThrownBy(mutex::lock).isInstanceOf(IllegalMonitorStateException.class);
        mutex.unlock();
        assertThat(state()).isEqualTo(FutexMutex.FREE);
    }

    @Test
    void aWordThatNoMutexWritesIsNamedAndLeftAlone() throws Exception {
        word.set(JAVA_INT, 0, 77);

        assertThatThrownBy(mutex::lock)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("0x4d");
        assertThat(mutex.tryLock()).isFalse();
        assertThat(state()).isEqualTo(77);

        word.set(JAVA_INT, 0, 0);
        mutex.lock();
        word.set(JAVA_INT, 0, 77);
        assertThatThrownBy(mutex::unlock)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("0x4d");
    }

    @Test
    void memoryThatIsFreeIsRefused() {
        arena.close();

        assertThatThrownBy(mutex::lock)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(mutex::tryLock).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void memoryIsNotFreedUnderAWaiter() {
        try (TestThreads threads = new TestThreads()) {
            mutex.lock();
            threads.start(() -> {
                mutex.lock();
                mutex.unlock();
            });
            TestThreads.until(() -> state() == FutexMutex.WAITED_FOR);
            TestThreads.until(() -> isAsleep(word));
            assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class);
            mutex.unlock();
        }
    }

    /** Requeues the sleepers of a word to the same word: returns their number. */
    private static boolean isAsleep(MemorySegment word) {
        return Futex.requeue(word, FutexMutex.WAITED_FOR, word, Scope.PROCESS) > 0;
    }

    @Test
    void wordsThatCannotBeLocksAreRefused() {
        assertThatThrownBy(() -> new FutexMutex(MemorySegment.ofArray(new int[1]), Scope.PROCESS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("off-heap");
        assertThatThrownBy(() -> new FutexMutex(word.asReadOnly(), Scope.PROCESS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("writable");
        assertThatThrownBy(() -> new FutexMutex(arena.allocate(8).asSlice(1), Scope.PROCESS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("divisible by 4");
        assertThatThrownBy(() -> new FutexMutex(arena.allocate(2, 4), Scope.PROCESS))
                .isInstanceOf(IllegalArgumentException.class);
        try (Arena confined = Arena.ofConfined()) {
            assertThatThrownBy(() -> new FutexMutex(confined.allocate(4, 4), Scope.PROCESS))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("every thread");
        }
    }

    @Test
    void aVirtualThreadIsRefusedEvenByAFreeMutex() {
        try (TestThreads threads = new TestThreads()) {
            threads.start(Thread.ofVirtual(), Importance.ORDINARY, () -> {
                assertThatThrownBy(mutex::lock).isInstanceOf(UnsupportedOperationException.class);
                assertThatThrownBy(mutex::tryLock).isInstanceOf(UnsupportedOperationException.class);
                return null;
            });
        }
        assertThat(state()).isEqualTo(FutexMutex.FREE);
    }

    @Test
    void aSignalWakesOne() {
        Condition condition = mutex.newCondition();
        int[] woken = {0};
        try (TestThreads threads = new TestThreads()) {
            for (int i = 0; i < 2; i++) {
                threads.start(() -> {
                    mutex.lock();
                    woken[0]++;
                    condition.awaitUninterruptibly();
                    woken[0] += 10;
                    mutex.unlock();
                });
            }
            untilInside(() -> woken[0] == 2);
            inside(condition::signal);
            untilInside(() -> woken[0] == 12);
            inside(condition::signal);
        }
        assertThat(woken[0]).isEqualTo(22);
        assertThat(state()).isEqualTo(FutexMutex.FREE);
    }

    @Test
    void aSignalToAllWakesAllOneAfterTheOther() {
        Condition condition = mutex.newCondition();
        int[] inside = {0, 0};
        try (TestThreads threads = new TestThreads()) {
            for (int i = 0; i < 5; i++) {
                threads.start(() -> {
                    mutex.lock();
                    inside[0]++;
                    condition.await();
                    assertThat(inside[1]++).isZero();
                    inside[1]--;
                    inside[0]--;
                    mutex.unlock();
                });
            }
            untilInside(() -> inside[0] == 5);
            inside(condition::signalAll);
        }
        assertThat(inside[0]).isZero();
        assertThat(state()).isEqualTo(FutexMutex.FREE);
    }

    @Test
    void aConditionIsWaitedForForATimeOrUntilAnInterrupt() {
        Condition condition = mutex.newCondition();
        try (TestThreads threads = new TestThreads()) {
            mutex.lock();
            assertThatThrownBy(() -> {
                        Thread.currentThread().interrupt();
                        condition.await();
                    })
                    .isInstanceOf(InterruptedException.class);
            mutex.unlock();
            threads.start(() -> {
                mutex.lock();
                assertThat(condition.awaitNanos(1_000_000)).isNotPositive();
                assertThat(condition.await(1, TimeUnit.MILLISECONDS)).isFalse();
                assertThat(state()).as("the mutex is held again").isNotEqualTo(FutexMutex.FREE);
                mutex.unlock();
            });
            int[] waits = {0};
            TestThreads.Task<Boolean> waiter = threads.call(() -> {
                mutex.lock();
                waits[0] = 1;
                try {
                    condition.await();
                    return false;
                } catch (InterruptedException e) {
                    return true;
                } finally {
                    mutex.unlock();
                }
            });
            untilInside(() -> waits[0] == 1);
            waiter.thread().interrupt();
            assertThat(waiter.get()).isTrue();
        }
    }

    @Test
    void onlyTheOwnerWaitsAndSignals() {
        Condition condition = mutex.newCondition();

        assertThatThrownBy(condition::await).isInstanceOf(IllegalMonitorStateException.class);
        assertThatThrownBy(condition::signal).isInstanceOf(IllegalMonitorStateException.class);
        assertThatThrownBy(condition::signalAll).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void aSharedMutexNeedsASharedWordForItsCondition() {
        FutexMutex shared = new FutexMutex(arena.allocate(JAVA_INT), Scope.MACHINE);

        assertThatThrownBy(shared::newCondition).isInstanceOf(UnsupportedOperationException.class);
        assertThat(new FutexCondition(shared, arena.allocate(JAVA_INT))).hasToString("FutexCondition[word 0x0]");
    }

    private void inside(Runnable action) {
        mutex.lock();
        try {
            action.run();
        } finally {
            mutex.unlock();
        }
    }

    private void untilInside(BooleanSupplier isSo) {
        TestThreads.until(() -> {
            mutex.lock();
            try {
                return isSo.getAsBoolean();
            } finally {
                mutex.unlock();
            }
        });
    }
}
