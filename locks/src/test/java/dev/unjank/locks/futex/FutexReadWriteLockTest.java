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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("LockNotBeforeTry") // if a test fails, the locks are no longer used
class FutexReadWriteLockTest {
    private final Arena arena = Arena.ofShared();
    private final MemorySegment word = arena.allocate(JAVA_INT);
    private Lock read;
    private Lock write;

    @BeforeEach
    void possible() {
        assumeTrue(Futex.obstacle() == null, Futex::obstacle);
        FutexReadWriteLock lock = new FutexReadWriteLock(word, Scope.PROCESS);
        read = lock.readLock();
        write = lock.writeLock();
    }

    @AfterEach
    void free() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }

    private int state() {
        return word.get(JAVA_INT, 0);
    }

    private void untilWaiting(int bits) {
        TestThreads.until(() -> (state() & bits) == bits);
    }

    @Test
    void manyReadersOrOneWriter() {
        read.lock();
        read.lock();
        assertThat(state()).isEqualTo(2);
        assertThat(write.tryLock()).isFalse();
        read.unlock();
        read.unlock();
        assertThat(write.tryLock()).isTrue();
        assertThat(state()).isEqualTo(FutexReadWriteLock.WRITER);
        assertThat(read.tryLock()).isFalse();
        assertThat(write.tryLock()).isFalse();
        write.unlock();
        assertThat(state()).isZero();
    }

    @Test
    void aWriterThatWaitsGoesBeforeNewReaders() {
        try (TestThreads threads = new TestThreads()) {
            read.lock();
            threads.start(() -> {
                write.lock();
                write.unlock();
            });
            untilWaiting(FutexReadWriteLock.WRITERS_WAIT);
            assertThat(read.tryLock()).isFalse();
            read.unlock();
        }
        assertThat(state()).isZero();
    }

    @Test
    void allReadersThatWaitAreWokenTogether() {
        AtomicInteger inside = new AtomicInteger();
        try (TestThreads threads = new TestThreads()) {
            write.lock();
            for (int i = 0; i < 3; i++) {
                threads.start(() -> {
                    read.lock();
                    inside.incrementAndGet();
                    TestThreads.until(() -> inside.get() == 3);
                    read.unlock();
                });
            }
            untilWaiting(FutexReadWriteLock.READERS_WAIT);
            write.unlock();
        }
        assertThat(state()).isZero();
    }

    /** It comes after a writer's release and before its wake-up, which then finds a thread inside and wakes none. */
    @Test
    void aReaderThatComesInWakesThoseThatMay() {
        try (TestThreads threads = new TestThreads()) {
            write.lock();
            TestThreads.Task<Void> sleeper = threads.start(() -> {
                read.lock();
                read.unlock();
            });
            untilWaiting(FutexReadWriteLock.READERS_WAIT);
            word.set(JAVA_INT, 0, FutexReadWriteLock.READERS_WAIT); // released
            read.lock();
            sleeper.get();
            assertThat(state()).isEqualTo(1);
            read.unlock();
        }
        assertThat(state()).isZero();
    }

    @Test
    void ofSeveralWritersEachGetsItsTurn() {
        int[] inside = {0, 0};
        try (TestThreads threads = new TestThreads()) {
            read.lock();
            for (int i = 0; i < 4; i++) {
                threads.start(() -> {
                    write.lock();
                    assertThat(inside[0]++).isZero();
                    inside[1]++;
                    inside[0]--;
                    write.unlock();
                });
            }
            untilWaiting(FutexReadWriteLock.WRITERS_WAIT);
            read.unlock();
        }
        assertThat(inside[1]).isEqualTo(4);
        assertThat(state()).isZero();
    }

    @Test
    void aWriterThatHasGivenUpBlocksNoReader() throws Exception {
        try (TestThreads threads = new TestThreads()) {
            read.lock();
            assertThat(threads.call(() -> write.tryLock(3, TimeUnit.MILLISECONDS))
                            .get())
                    .isFalse();
            read.unlock();
            assertThat(state()).isZero();
            assertThat(read.tryLock()).isTrue();
            read.unlock();
        }
    }

    @Test
    void anInterruptibleWaitIsInterrupted() {
        try (TestThreads threads = new TestThreads()) {
            write.lock();
            for (Lock side : new Lock[] {read, write}) {
                TestThreads.Task<Boolean> waiter = threads.call(() -> {
                    try {
                        side.lockInterruptibly();
                        return false;
                    } catch (InterruptedException e) {
                        return true;
                    }
                });
                untilWaiting(side.equals(read) ? FutexReadWriteLock.READERS_WAIT : FutexReadWriteLock.WRITERS_WAIT);
                waiter.thread().interrupt();
                assertThat(waiter.get()).isTrue();
            }
            write.unlock();
        }
        assertThat(state()).isZero();
    }

    @Test
    void onlyTheHolderReleasesIt() {
        assertThatThrownBy(read::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThatThrownBy(write::unlock).isInstanceOf(IllegalMonitorStateException.class);
        write.lock();
        assertThatThrownBy(read::unlock).isInstanceOf(IllegalMonitorStateException.class);
        try (TestThreads threads = new TestThreads()) {
            threads.start(() -> assertThatThrownBy(write::unlock).isInstanceOf(IllegalMonitorStateException.class));
        }
        write.unlock();
    }

    @Test
    void aWordThatIsChangedIsNamed() {
        word.set(JAVA_INT, 0, FutexReadWriteLock.WRITER - 1);
        assertThatThrownBy(read::lock).isInstanceOf(IllegalStateException.class).hasMessageContaining("too many");
        word.set(JAVA_INT, 0, 0);
        write.lock();
        word.set(JAVA_INT, 0, 5);
        assertThatThrownBy(write::unlock)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("0x5");
    }

    @Test
    void memoryThatIsFreeIsRefused() {
        arena.close();

        assertThatThrownBy(read::lock).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
        assertThatThrownBy(write::lock)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void aVirtualThreadIsRefused() {
        try (TestThreads threads = new TestThreads()) {
            threads.start(Thread.ofVirtual(), Importance.ORDINARY, () -> {
                assertThatThrownBy(read::lock).isInstanceOf(UnsupportedOperationException.class);
                assertThatThrownBy(write::tryLock).isInstanceOf(UnsupportedOperationException.class);
                return null;
            });
        }
    }
}
