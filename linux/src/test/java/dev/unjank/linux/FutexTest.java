package dev.unjank.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.linux.Futex.Scope;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FutexTest {
    private static final long LONG = TimeUnit.SECONDS.toNanos(50);
    private static final long PAUSE_NANOS = 50_000;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment word = arena.allocate(JAVA_INT);

    @BeforeEach
    void possible() {
        assumeTrue(Futex.obstacle() == null, Futex::obstacle);
    }

    @AfterEach
    void free() {
        arena.close();
    }

    private static long in(long nanos) {
        return System.nanoTime() + nanos;
    }

    /** Wakes until a thread was woken: before, it was not asleep yet. */
    private static void wakeOne(MemorySegment word, Scope scope) {
        while (Futex.wake(word, 1, scope) == 0) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private static Thread start(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    @Test
    void aSleepBeginsOnlyWithTheExpectedValue() {
        assertThat(Futex.await(word, 1, Scope.PROCESS, Futex.NO_DEADLINE)).isEqualTo(Errno.EAGAIN);
    }

    @ParameterizedTest
    @EnumSource
    void aSleepEndsAtItsDeadline(Scope scope) {
        long deadline = in(2_000_000);

        assertThat(Futex.await(word, 0, scope, deadline)).isEqualTo(Errno.ETIMEDOUT);

        assertThat(System.nanoTime()).isGreaterThanOrEqualTo(deadline);
    }

    @Test
    void aDeadlineThatIsOverEndsItAtOnce() {
        assertThat(Futex.await(word, 0, Scope.PROCESS, -5)).isEqualTo(Errno.ETIMEDOUT);
    }

    @ParameterizedTest
    @EnumSource
    void aSleeperIsWoken(Scope scope) throws Exception {
        AtomicInteger answer = new AtomicInteger(-1);
        Thread sleeper = start(() -> answer.set(Futex.await(word, 0, scope, in(LONG))));

        wakeOne(word, scope);
        sleeper.join();

        assertThat(answer).hasValue(0);
        assertThat(Futex.wake(word, 1, scope)).isZero();
    }

    @Test
    void aWakeUpReachesOnlyMatchingWaiters() throws Exception {
        AtomicInteger woken = new AtomicInteger();
        List<Thread> sleepers = new ArrayList<>();
        for (int bits : new int[] {1, 2}) {
            sleepers.add(start(() -> {
                if (Futex.await(word, 0, Scope.PROCESS, in(LONG), bits) == 0) {
                    woken.addAndGet(bits);
                }
            }));
        }

        while (Futex.wake(word, Integer.MAX_VALUE, Scope.PROCESS, 2) == 0) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        sleepers.get(1).join();
        assertThat(woken).hasValue(2);
        wakeOne(word, Scope.PROCESS);
        sleepers.get(0).join();
        assertThat(woken).hasValue(3);
    }

    @Test
    void sleepersMoveToAnotherWordAndAreWokenThere() throws Exception {
        MemorySegment other = arena.allocate(JAVA_INT);
        CountDownLatch began = new CountDownLatch(2);
        List<Thread> sleepers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            sleepers.add(start(() -> {
                began.countDown();
                Futex.await(word, 0, Scope.PROCESS, in(LONG));
            }));
        }
        began.await();

        assertThat(Futex.requeue(word, 1, other, Scope.PROCESS)).isEqualTo(-1);
        for (Thread ignored : sleepers) {
            while (Futex.wake(other, 1, Scope.PROCESS) == 0) {
                assertThat(Futex.requeue(word, 0, other, Scope.PROCESS)).isNotNegative();
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        for (Thread sleeper : sleepers) {
            sleeper.join();
        }
        assertThat(Futex.wake(word, 1, Scope.PROCESS)).isZero();
    }

    @Test
    void aVirtualThreadSleepsToo() throws Exception {
        AtomicInteger answer = new AtomicInteger(-1);
        Thread sleeper = Thread.startVirtualThread(() -> answer.set(Futex.await(word, 0, Scope.PROCESS, in(LONG))));

        wakeOne(word, Scope.PROCESS);
        sleeper.join();

        assertThat(answer).hasValue(0);
    }

    @Test
    void thereIsPriorityInheritance() {
        assumeTrue(Futex.piObstacle() == null, Futex::piObstacle);

        assertThat(Futex.lockPi(word, Scope.PROCESS, Futex.NO_DEADLINE)).isZero();
        assertThat(word.get(JAVA_INT, 0) & Futex.PI_OWNER).isEqualTo(LinuxThreads.current());
        assertThat(Futex.lockPi(word, Scope.PROCESS, Futex.NO_DEADLINE)).isEqualTo(Errno.EDEADLK);
        assertThat(Futex.unlockPi(word, Scope.PROCESS)).isZero();
        assertThat(Futex.unlockPi(word, Scope.PROCESS)).isEqualTo(Errno.EPERM);
        assertThat(Futex.tryLockPi(word, Scope.PROCESS)).isZero();
        assertThat(Futex.unlockPi(word, Scope.PROCESS)).isZero();
        assertThat(word.get(JAVA_INT, 0)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aWaiterForAnOwnedWordGivesUpOrGetsIt(Scope scope) throws Exception {
        assumeTrue(Futex.piObstacle() == null, Futex::piObstacle);
        AtomicInteger inTime = new AtomicInteger(-1);
        AtomicInteger tooLate = new AtomicInteger(-1);
        AtomicInteger release = new AtomicInteger(-1);
        CountDownLatch gaveUp = new CountDownLatch(1);
        assertThat(Futex.lockPi(word, scope, Futex.NO_DEADLINE)).isZero();
        Thread other = start(() -> {
            tooLate.set(Futex.lockPi(word, scope, in(1_000_000)));
            gaveUp.countDown();
            inTime.set(Futex.lockPi(word, scope, in(LONG)));
            release.set(Futex.unlockPi(word, scope));
        });

        gaveUp.await();
        assertThat(Futex.unlockPi(word, scope)).isZero();
        other.join();

        assertThat(tooLate).hasValue(Errno.ETIMEDOUT);
        assertThat(inTime).hasValue(0);
        assertThat(release).hasValue(0);
    }

    @Test
    @SuppressWarnings("MustBeClosed") // closed below, which is what is tested
    void memoryThatIsFreeIsRefused() {
        Arena closed = Arena.ofShared();
        MemorySegment gone = closed.allocate(JAVA_INT);
        closed.close();

        assertThatThrownBy(() -> Futex.await(gone, 0, Scope.PROCESS, Futex.NO_DEADLINE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> Futex.wake(gone, 1, Scope.PROCESS)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @SuppressWarnings("MustBeClosed") // closed below, which is what is tested
    void memoryIsNotFreedUnderASleeper() throws Exception {
        Arena inUse = Arena.ofShared();
        MemorySegment slept = inUse.allocate(JAVA_INT, 1).fill((byte) 0);
        MemorySegment other = arena.allocate(JAVA_INT);
        Thread sleeper = start(() -> Futex.await(slept, 0, Scope.PROCESS, in(LONG)));
        // asleep, and for sure: what was moved to the other word is woken there, and only there
        while (!isMoved(slept, other)) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }

        assertThatThrownBy(inUse::close).isInstanceOf(IllegalStateException.class);
        wakeOne(other, Scope.PROCESS);
        sleeper.join();
        inUse.close();
    }

    private static boolean isMoved(MemorySegment from, MemorySegment to) {
        return Futex.requeue(from, 0, to, Scope.PROCESS) == 1;
    }

    @Test
    @SuppressWarnings("restricted") // used by the kernel only
    void memoryThatIsNotThereIsAnErrorWithAName() {
        MemorySegment nowhere = MemorySegment.ofAddress(64).reinterpret(4);

        assertThatThrownBy(() -> Futex.await(nowhere, 0, Scope.PROCESS, Futex.NO_DEADLINE))
                .isInstanceOf(SystemCallException.class)
                .hasMessage("futex: EFAULT")
                .extracting(e -> ((SystemCallException) e).error())
                .isEqualTo(Errno.EFAULT);
    }

    @Test
    void aWordThatIsNotAlignedIsAnErrorWithAName() {
        MemorySegment askew = arena.allocate(8, 4).asSlice(1, 4);

        assertThatThrownBy(() -> Futex.wake(askew, 1, Scope.PROCESS)).hasMessage("futex: EINVAL");
    }
}
