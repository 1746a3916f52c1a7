package dev.unjank.locks.futex;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.linux.Futex;
import dev.unjank.linux.Futex.Scope;
import dev.unjank.linux.LinuxThreads;
import dev.unjank.linux.Scheduling;
import dev.unjank.locks.Importance;
import dev.unjank.locks.TestThreads;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("LockNotBeforeTry") // if a test fails, the locks are no longer used
class PiMutexTest {
    private static final int ROUNDS = 10_000;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment word = arena.allocate(JAVA_INT);
    private PiMutex mutex;

    @BeforeEach
    void possible() {
        assumeTrue(Futex.piObstacle() == null, Futex::piObstacle);
        mutex = new PiMutex(word, Scope.PROCESS, TimeUnit.HOURS.toNanos(1));
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

    private boolean hasWaiters() {
        return (state() & Futex.PI_WAITERS) != 0;
    }

    @Test
    void theWordNamesTheOwner() {
        mutex.lock();
        assertThat(state()).isEqualTo(LinuxThreads.current());
        assertThat(mutex.isLocked()).isTrue();
        assertThat(mutex.isHeldByCurrentThread()).isTrue();
        mutex.unlock();
        assertThat(state()).isZero();
        assertThat(mutex.tryLock()).isTrue();
        assertThat(mutex.tryLock()).isFalse();
        mutex.unlock();
    }

    @Test
    void twiceIsRefusedByName() {
        mutex.lock();
        assertThatThrownBy(mutex::lock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("EDEADLK");
        mutex.unlock();
    }

    @Test
    void onlyTheOwnerReleases() {
        assertThatThrownBy(mutex::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("EPERM");
        mutex.lock();
        try (TestThreads threads = new TestThreads()) {
            threads.start(() -> assertThatThrownBy(mutex::unlock)
                    .isInstanceOf(IllegalMonitorStateException.class)
                    .hasMessageContaining("EPERM"));
        }
        mutex.unlock();
    }

    @Test
    void itIsHandedOverToAWaiter() {
        try (TestThreads threads = new TestThreads()) {
            mutex.lock();
            AtomicInteger tid = new AtomicInteger();
            CountDownLatch proceed = new CountDownLatch(1);
            threads.start(() -> {
                tid.set(LinuxThreads.current());
                mutex.lock();
                proceed.await();
                mutex.unlock();
            });
            TestThreads.until(this::hasWaiters);
            mutex.unlock();
            assertThat(state() & Futex.PI_OWNER).as("at once").isEqualTo(tid.get());
            proceed.countDown();
        }
        assertThat(state()).isZero();
    }

    @Test
    void timedAndInterruptedWaitsGiveUp() throws Exception {
        try (TestThreads threads = new TestThreads()) {
            mutex.lock();
            assertThat(threads.call(() -> mutex.tryLock(25, TimeUnit.MILLISECONDS))
                            .get())
                    .isFalse();
            assertThat(threads.call(mutex::tryLock).get()).isFalse();
            TestThreads.Task<Boolean> waiter = threads.call(() -> {
                try {
                    mutex.lockInterruptibly();
                    return false;
                } catch (InterruptedException e) {
                    return true;
                }
            });
            TestThreads.until(this::hasWaiters);
            waiter.thread().interrupt();
            assertThat(waiter.get()).isTrue();
            mutex.unlock();
        }
        assertThat(mutex.tryLock(1, TimeUnit.SECONDS)).isTrue();
        mutex.unlock();
    }

    /** A thread that takes it and ends. */
    private void takeAndDie() {
        try (TestThreads threads = new TestThreads()) {
            threads.start(mutex::lock);
        }
        TestThreads.until(() -> !Files.exists(Path.of("/proc/self/task/" + (state() & Futex.PI_OWNER))));
    }

    @Test
    void aThreadThatComesAfterTheDeathOfTheOwnerGetsAnExceptionAndOwnsIt() throws Exception {
        takeAndDie();

        assertThatThrownBy(mutex::lock).isInstanceOf(OwnerDiedException.class).hasMessageContaining("owns it now");
        assertThat(mutex.isHeldByCurrentThread()).isTrue();
        mutex.unlock();
        assertThat(state()).isZero();

        takeAndDie();
        assertThatThrownBy(mutex::tryLock).isInstanceOf(OwnerDiedException.class);
        mutex.unlock();

        takeAndDie();
        assertThatThrownBy(() -> mutex.tryLock(1, TimeUnit.SECONDS)).isInstanceOf(OwnerDiedException.class);
        mutex.unlock();

        mutex.lock(); // after the exception, it is a mutex like any other
        mutex.unlock();
    }

    @Test
    void aWaiterAtTheDeathOfTheOwnerGetsAnExceptionAndOwnsIt() {
        try (TestThreads threads = new TestThreads()) {
            CountDownLatch owns = new CountDownLatch(1);
            CountDownLatch die = new CountDownLatch(1);
            threads.start(() -> {
                mutex.lock();
                owns.countDown();
                die.await();
            });
            TestThreads.until(() -> owns.getCount() == 0);
            for (int i = 0; i < 2; i++) {
                threads.start(() -> {
                    try {
                        mutex.lock();
                    } catch (OwnerDiedException e) {
                        assertThat(state() & Futex.PI_OWNER_DIED).isZero();
                        assertThat(mutex.isHeldByCurrentThread()).isTrue();
                    }
                    mutex.unlock();
                });
            }
            TestThreads.until(this::hasWaiters);
            die.countDown();
        }
        assertThat(state() & Futex.PI_OWNER).isZero();
        mutex.lock();
        mutex.unlock();
    }

    @Test
    void aWordWithoutALiveOwnerCountsAsOwnerDied() {
        int unusedTid = 1 << 22; // the last number that Linux might give
        assumeTrue(!Files.exists(Path.of("/proc", String.valueOf(unusedTid))), "a thread of number " + unusedTid);
        word.set(JAVA_INT, 0, unusedTid);

        assertThatThrownBy(mutex::lock).isInstanceOf(OwnerDiedException.class);
        mutex.unlock();
    }

    @Test
    void aWordThatCanBeNoThreadsNumberIsNamedAndLeftAlone() {
        int wrong = (1 << 22) + 1;
        word.set(JAVA_INT, 0, wrong);

        assertThatThrownBy(mutex::lock)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(Integer.toHexString(wrong));
        assertThatThrownBy(mutex::tryLock).isInstanceOf(IllegalStateException.class);
        assertThat(state() & Futex.PI_OWNER).isEqualTo(wrong); // the kernel may have noted a waiter
    }

    @Test
    void aWordThatIsChangedWhileOthersWaitIsNamed() {
        try (TestThreads threads = new TestThreads()) {
            mutex.lock();
            threads.start(() -> {
                mutex.lock();
                mutex.unlock();
            });
            TestThreads.until(this::hasWaiters);
            int right = state();
            word.set(JAVA_INT, 0, 1 | Futex.PI_WAITERS); // as if init owned it

            assertThatThrownBy(mutex::unlock)
                    .isInstanceOf(IllegalMonitorStateException.class)
                    .hasMessageContaining("EPERM");
            threads.call(() -> {
                        assertThatThrownBy(mutex::lock)
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageContaining("EINVAL");
                        return null;
                    })
                    .get();
            word.set(JAVA_INT, 0, right);
            mutex.unlock();
        }
        assertThat(state()).isZero();
    }

    /** The moment after the owner's end: the kernel has given the mutex to a waiter that has not run yet. */
    @Test
    void aThreadThatComesBeforeTheHeirHasRunWaitsForIt() {
        try (TestThreads threads = new TestThreads()) {
            mutex.lock();
            threads.start(() -> {
                mutex.lock();
                mutex.unlock();
            });
            TestThreads.until(this::hasWaiters);
            int right = state();
            word.set(JAVA_INT, 0, Futex.PI_OWNER | Futex.PI_WAITERS); // a number that no thread has

            assertThat(mutex.tryLock()).isFalse();
            Thread late = threads.start(() -> {
                        mutex.lock();
                        mutex.unlock();
                    })
                    .thread();
            TestThreads.until(() -> late.getState() == Thread.State.TIMED_WAITING); // between two calls
            word.set(JAVA_INT, 0, right);
            mutex.unlock();
        }
        assertThat(state()).isZero();
    }

    /** The kernel has refused the dead owner's word, and the refused thread finds the heir's. */
    @Test
    void aThreadThatComesWhileTheHeirRunsIsNotRefused() throws Exception {
        try (TestThreads threads = new TestThreads()) {
            mutex.lock();
            threads.start(() -> {
                mutex.lock();
                mutex.unlock();
            });
            TestThreads.until(this::hasWaiters);
            int right = state();
            CyclicBarrier both = new CyclicBarrier(2);
            AtomicInteger refused = new AtomicInteger();
            AtomicInteger got = new AtomicInteger(); // what is thrown would leave the other at the barrier
            threads.start(() -> {
                for (int i = 0; i < ROUNDS; i++) {
                    both.await();
                    try {
                        if (mutex.tryLock(40, TimeUnit.MICROSECONDS)) {
                            got.incrementAndGet();
                        }
                    } catch (IllegalStateException e) {
                        refused.incrementAndGet();
                    }
                    both.await();
                }
            });
            Random random = new Random(1);
            for (int i = 0; i < ROUNDS; i++) {
                word.set(JAVA_INT, 0, Futex.PI_OWNER | Futex.PI_WAITERS);
                both.await();
                long end = System.nanoTime() + random.nextInt(20_000);
                while (System.nanoTime() < end) {
                    Thread.onSpinWait();
                }
                word.set(JAVA_INT, 0, right);
                both.await();
            }
            mutex.unlock();
            assertThat(refused).hasValue(0);
            assertThat(got).hasValue(0);
        }
        assertThat(state()).isZero();
    }

    @Test
    void aWordWithoutALiveOwnerWhileOthersWaitIsReported() {
        mutex = new PiMutex(word, Scope.PROCESS, TimeUnit.MILLISECONDS.toNanos(5));
        try (TestThreads threads = new TestThreads()) {
            mutex.lock();
            threads.start(() -> {
                mutex.lock();
                mutex.unlock();
            });
            TestThreads.until(this::hasWaiters);
            int right = state();
            word.set(JAVA_INT, 0, Futex.PI_OWNER | Futex.PI_WAITERS);

            threads.call(() -> {
                        assertThatThrownBy(mutex::lock)
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageContaining("EINVAL");
                        return null;
                    })
                    .get();
            word.set(JAVA_INT, 0, right);
            mutex.unlock();
        }
    }

    @Test
    void aWordThatNamesAThreadOfTheKernelIsNamed() throws IOException {
        int kernelThread = 2;
        assumeTrue(
                Files.exists(Path.of("/proc/2/comm"))
                        && Files.readString(Path.of("/proc/2/comm")).startsWith("kthreadd"),
                "no thread of the kernel to be seen here");
        word.set(JAVA_INT, 0, kernelThread);

        assertThatThrownBy(mutex::lock)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("EPERM");
    }

    @Test
    void memoryThatIsFreeIsRefused() {
        arena.close();

        assertThatThrownBy(mutex::lock)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void aVirtualThreadIsRefused() {
        try (TestThreads threads = new TestThreads()) {
            threads.start(Thread.ofVirtual(), Importance.ORDINARY, () -> {
                assertThatThrownBy(mutex::lock).isInstanceOf(UnsupportedOperationException.class);
                assertThatThrownBy(mutex::unlock).isInstanceOf(UnsupportedOperationException.class);
                return null;
            });
        }
    }

    @Test
    void thereAreNoConditions() {
        assertThatThrownBy(mutex::newCondition).isInstanceOf(UnsupportedOperationException.class);
    }

    /** The kernel's own priority of a thread: 20 + nice of ordinary ones, below 0 for real-time ones. */
    private static int priority(int tid) throws IOException {
        String stat = Files.readString(Path.of("/proc/self/task/" + tid + "/stat"));
        return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[15]);
    }

    @Test
    void theOwnerHasThePriorityOfARealTimeWaiter() throws Exception {
        try (TestThreads threads = new TestThreads()) {
            mutex.lock();
            int me = LinuxThreads.current();
            int before = priority(me);
            assertThat(before).isNotNegative();
            TestThreads.Task<Boolean> waiter = threads.call(() -> {
                try {
                    LinuxThreads.schedule(LinuxThreads.SELF, Scheduling.realTime(3));
                } catch (IllegalStateException e) {
                    return false;
                }
                mutex.lock();
                mutex.unlock();
                return true;
            });
            TestThreads.until(() -> hasWaiters() || waiter.result().isDone());
            assumeTrue(hasWaiters(), "needs leave to use real-time classes");
            // /proc shows -1 - the real-time priority
            TestThreads.until(() -> {
                try {
                    return priority(me) == -4;
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            mutex.unlock();
            assertThat(priority(me)).isEqualTo(before);
        }
    }
}
