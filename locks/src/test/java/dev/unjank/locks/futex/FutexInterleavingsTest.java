package dev.unjank.locks.futex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.locks.InterleavingExplorer;
import dev.unjank.locks.InterleavingExplorer.Scene;
import dev.unjank.locks.futex.SteppedFutexWord.Fault;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No order of steps loses a wake-up or breaks mutual exclusion; and the seeded faults are found. */
@SuppressWarnings({"LockNotBeforeTry", "WaitNotInLoop"}) // what throws ends the scene
class FutexInterleavingsTest {
    private static final int FEW = 2;
    private static final int MANY = 4;

    /** The threads inside. Only one thread of a scenario runs at a time. */
    private static final class Room {
        private int writers;
        private int readers;
        private int entries;

        void enter() {
            assertThat(writers++ + readers).as("others inside").isZero();
            entries++;
        }

        void leave() {
            writers--;
        }

        void enterToRead() {
            assertThat(writers).as("writers inside").isZero();
            readers++;
            entries++;
        }

        void leaveFromReading() {
            readers--;
        }
    }

    private static void once(Lock lock, Room room) {
        lock.lock();
        room.enter();
        room.leave();
        lock.unlock();
    }

    private static void read(Lock lock, Room room) {
        lock.lock();
        room.enterToRead();
        room.leaveFromReading();
        lock.unlock();
    }

    private static void unlessInterrupted(Lock lock, Room room, boolean writes) {
        try {
            lock.lockInterruptibly();
        } catch (InterruptedException e) {
            return;
        }
        if (writes) {
            room.enter();
            room.leave();
        } else {
            room.enterToRead();
            room.leaveFromReading();
        }
        lock.unlock();
    }

    private static Scene mutexOfThree(InterleavingExplorer all, Fault fault) {
        SteppedFutexWord word = new SteppedFutexWord(all, fault);
        FutexMutex mutex = new FutexMutex(word);
        Room room = new Room();
        return new Scene(Collections.nCopies(3, () -> once(mutex, room)), () -> {
            assertThat(word.value()).isEqualTo(FutexMutex.FREE);
            assertThat(room.entries).isEqualTo(3);
        });
    }

    /** One of two waiters is interrupted: the other is still woken. */
    private static Scene mutexWithInterrupt(InterleavingExplorer all, Fault fault) {
        SteppedFutexWord word = new SteppedFutexWord(all, fault);
        FutexMutex mutex = new FutexMutex(word);
        Room room = new Room();
        return new Scene(
                List.of(
                        () -> once(mutex, room),
                        () -> unlessInterrupted(mutex, room, true),
                        () -> once(mutex, room),
                        () -> all.interrupt(1)),
                () -> assertThat(word.value()).isEqualTo(FutexMutex.FREE));
    }

    private static Scene conditionOfTwo(InterleavingExplorer all, Fault fault, boolean toAll) {
        SteppedFutexWord word = new SteppedFutexWord(all, fault);
        FutexMutex mutex = new FutexMutex(word);
        FutexCondition condition = new FutexCondition(mutex, new SteppedFutexWord(all, fault));
        int[] permits = {0};
        Runnable waiter = () -> {
            mutex.lock();
            while (permits[0] == 0) {
                condition.awaitUninterruptibly();
            }
            permits[0]--;
            mutex.unlock();
        };
        List<Runnable> threads = new ArrayList<>(List.of(waiter, waiter));
        threads.add(() -> {
            mutex.lock();
            permits[0] = 2;
            if (toAll) {
                condition.signalAll();
            } else {
                condition.signal();
                condition.signal();
            }
            mutex.unlock();
        });
        return new Scene(threads, () -> assertThat(word.value()).isEqualTo(FutexMutex.FREE));
    }

    private static Scene twoWritersAndAReader(InterleavingExplorer all, Fault fault) {
        SteppedFutexWord word = new SteppedFutexWord(all, fault);
        FutexReadWriteLock lock = new FutexReadWriteLock(word);
        Room room = new Room();
        return new Scene(
                List.of(
                        () -> once(lock.writeLock(), room),
                        () -> once(lock.writeLock(), room),
                        () -> read(lock.readLock(), room)),
                () -> assertThat(word.value()).isZero());
    }

    private static Scene threeWriters(InterleavingExplorer all, Fault fault) {
        SteppedFutexWord word = new SteppedFutexWord(all, fault);
        FutexReadWriteLock lock = new FutexReadWriteLock(word);
        Room room = new Room();
        return new Scene(
                Collections.nCopies(3, () -> once(lock.writeLock(), room)),
                () -> assertThat(word.value()).isZero());
    }

    private static Scene readersAndAWriterThatGivesUp(InterleavingExplorer all, Fault fault) {
        SteppedFutexWord word = new SteppedFutexWord(all, fault);
        FutexReadWriteLock lock = new FutexReadWriteLock(word);
        Room room = new Room();
        return new Scene(
                List.of(
                        () -> once(lock.writeLock(), room),
                        () -> unlessInterrupted(lock.writeLock(), room, true),
                        () -> read(lock.readLock(), room),
                        () -> all.interrupt(1)),
                () -> assertThat(word.value() & FutexReadWriteLock.HOLDERS).isZero());
    }

    private static Scene scene(String name, InterleavingExplorer all, Fault fault) {
        return switch (name) {
            case "mutex" -> mutexOfThree(all, fault);
            case "mutex interrupted" -> mutexWithInterrupt(all, fault);
            case "signal" -> conditionOfTwo(all, fault, false);
            case "signal all" -> conditionOfTwo(all, fault, true);
            case "two writers" -> twoWritersAndAReader(all, fault);
            case "three writers" -> threeWriters(all, fault);
            case "writer gives up" -> readersAndAWriterThatGivesUp(all, fault);
            default -> throw new IllegalArgumentException(name);
        };
    }

    @ParameterizedTest
    @CsvSource({"mutex", "mutex interrupted", "signal", "signal all", "two writers", "three writers", "writer gives up"
    })
    void noWakeUpIsLost(String scene) {
        assertThat(InterleavingExplorer.explore(FEW, all -> scene(scene, all, Fault.NONE)))
                .isGreaterThan(100);
    }

    @ParameterizedTest
    @Tag("long")
    @CsvSource({"mutex", "mutex interrupted", "signal", "signal all", "two writers", "three writers", "writer gives up"
    })
    void theSameWithMorePreemptions(String scene) {
        assertThat(InterleavingExplorer.explore(MANY, all -> scene(scene, all, Fault.NONE)))
                .isGreaterThan(1_000);
    }

    @ParameterizedTest
    @CsvSource({
        "mutex, SLEEPS_WITHOUT_LOOKING, lost",
        "mutex, FORGETS_OTHER_SLEEPERS, lost",
        "mutex, TAKES_IN_TWO_STEPS, order",
        "signal, SLEEPS_WITHOUT_LOOKING, lost",
        "signal, SIGNALS_WITHOUT_COUNTING, lost",
        "signal all, SIGNALS_WITHOUT_COUNTING, lost",
        "signal all, MOVES_WITHOUT_MARKING, lost",
        "two writers, SLEEPS_WITHOUT_LOOKING, lost",
        "three writers, FORGETS_OTHER_WRITERS, lost"
    })
    void aMistakeIsFound(String scene, Fault fault, String words) {
        assertThatThrownBy(() -> InterleavingExplorer.explore(FEW + 1, all -> scene(scene, all, fault)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(words);
    }

    @Test
    void aSceneWithoutThreadsEnds() {
        assertThat(InterleavingExplorer.explore(FEW, all -> new Scene(List.of(), () -> {})))
                .isEqualTo(1);
    }
}
