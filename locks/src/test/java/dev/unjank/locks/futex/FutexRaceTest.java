package dev.unjank.locks.futex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.linux.Futex;
import dev.unjank.locks.TestThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** Random operations: mutual exclusion holds, no thread waits for ever, and at the end the words are free. */
@SuppressWarnings({"LockNotBeforeTry", "WaitNotInLoop"}) // no thread uses the locks of a failed test any more
class FutexRaceTest {
    private static final int MEMBERS = 6;
    private static final long MINUTES = 2;

    private final FutexMutex mutex = possible() ? new FutexMutex() : null;
    private final Condition condition = possible() ? mutex.newCondition() : null;
    private final PiMutex pi = possible() ? new PiMutex() : null;
    private final FutexReadWriteLock readWrite = possible() ? new FutexReadWriteLock() : null;

    private final AtomicLong rounds = new AtomicLong();
    private int inMutex;
    private int inPi;
    private int writing;
    private final AtomicInteger reading = new AtomicInteger();

    private static boolean possible() {
        return Futex.piObstacle() == null;
    }

    @Test
    void mutualExclusionAndProgress() {
        race(round -> round < 20_000);
    }

    @Test
    @Tag("long")
    void theSameForMinutes(TestReporter reporter) {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES);
        race(_ -> System.nanoTime() < end);
        reporter.publishEntry("rounds", rounds.toString());
    }

    private void race(IntPredicate goesOn) {
        assumeTrue(possible(), Futex::piObstacle);
        List<Thread> members = new ArrayList<>();
        try (TestThreads threads = new TestThreads(TimeUnit.MINUTES.toSeconds(MINUTES + 1))) {
            for (int i = 0; i < MEMBERS; i++) {
                Random random = new Random(i);
                members.add(threads.start(() -> {
                            for (int round = 0; goesOn.test(round); round++) {
                                act(random);
                                Thread.interrupted();
                                rounds.incrementAndGet();
                            }
                        })
                        .thread());
            }
            threads.start(() -> {
                Random random = new Random(MEMBERS);
                while (members.stream().anyMatch(Thread::isAlive)) {
                    members.get(random.nextInt(MEMBERS)).interrupt();
                    LockSupport.parkNanos(100_000);
                }
            });
        }
        assertThat(mutex.isLocked()).isFalse();
        assertThat(pi.isLocked()).isFalse();
        assertThat(readWrite.writeLock().tryLock()).isTrue();
        readWrite.writeLock().unlock();
    }

    private void act(Random random) {
        try {
            switch (random.nextInt(4)) {
                case 0 -> {
                    if (take(mutex, random)) {
                        assertThat(inMutex++).isZero();
                        if (random.nextInt(50) == 0) {
                            inMutex--;
                            await(random);
                            assertThat(inMutex++).isZero();
                        } else if (random.nextInt(20) == 0) {
                            condition.signal();
                        } else if (random.nextInt(20) == 0) {
                            condition.signalAll();
                        }
                        inMutex--;
                        mutex.unlock();
                    }
                }
                case 1 -> {
                    if (take(pi, random)) {
                        assertThat(inPi++).isZero();
                        inPi--;
                        pi.unlock();
                    }
                }
                case 2 -> {
                    if (take(readWrite.readLock(), random)) {
                        reading.incrementAndGet();
                        assertThat(writing).isZero();
                        reading.decrementAndGet();
                        readWrite.readLock().unlock();
                    }
                }
                default -> {
                    if (take(readWrite.writeLock(), random)) {
                        assertThat(writing++).isZero();
                        assertThat(reading).hasValue(0);
                        writing--;
                        readWrite.writeLock().unlock();
                    }
                }
            }
        } catch (InterruptedException e) {
            // what it interrupted has not happened
        }
    }

    private static boolean take(Lock lock, Random random) throws InterruptedException {
        switch (random.nextInt(6)) {
            case 0 -> {
                return lock.tryLock(random.nextInt(200), TimeUnit.MICROSECONDS);
            }
            case 1 -> {
                return lock.tryLock();
            }
            case 2 -> lock.lockInterruptibly();
            default -> lock.lock();
        }
        return true;
    }

    private void await(Random random) {
        try {
            long ignored = condition.awaitNanos(random.nextInt(300_000));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // as good an end as any
        }
    }
}
