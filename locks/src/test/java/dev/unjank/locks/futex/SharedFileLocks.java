package dev.unjank.locks.futex;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.unjank.linux.Futex.Scope;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;

/**
 * Locks in a file that several processes have mapped, and the data they guard. It does the same as {@code peer.c}; the
 * main method does it in a Java VM of its own.
 */
@SuppressWarnings("LockNotBeforeTry") // no thread uses the locks of a failed test any more
final class SharedFileLocks {
    static final int SIZE = 4096;
    private static final int WORD = 64;

    private final MemorySegment memory;
    private final FutexMutex mutex;
    private final PiMutex pi;
    private final FutexReadWriteLock readWrite;
    private final FutexCondition condition;

    SharedFileLocks(Path file, Arena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, SIZE, arena);
        }
        mutex = new FutexMutex(word(0), Scope.MACHINE);
        pi = new PiMutex(word(1), Scope.MACHINE);
        readWrite = new FutexReadWriteLock(word(2), Scope.MACHINE);
        condition = new FutexCondition(mutex, word(3));
    }

    private MemorySegment word(int number) {
        return memory.asSlice((long) number * WORD, JAVA_INT);
    }

    private void increase(int number) {
        word(number).set(JAVA_INT, 0, word(number).get(JAVA_INT, 0) + 1);
    }

    PiMutex pi() {
        return pi;
    }

    FutexMutex mutex() {
        return mutex;
    }

    /** What was counted under a lock. */
    int count() {
        return word(4).get(JAVA_INT, 0);
    }

    void act(String mode, int times, int turn) {
        for (int i = 0; i < times; i++) {
            switch (mode) {
                case "mutex" -> count(mutex);
                case "pi" -> count(pi);
                case "die" -> pi.lock();
                case "hold" -> {
                    mutex.lock();
                    pi.lock();
                    LockSupport.park(); // until it is killed
                }
                case "rw" -> {
                    Lock lock = i % 4 == 0 ? readWrite.writeLock() : readWrite.readLock();
                    lock.lock();
                    if (count() != word(5).get(JAVA_INT, 0)) {
                        throw new AssertionError(count() + " and " + word(5).get(JAVA_INT, 0));
                    }
                    if (i % 4 == 0) {
                        increase(4);
                        increase(5);
                    }
                    lock.unlock();
                }
                case "turns" -> {
                    mutex.lock();
                    while (word(6).get(JAVA_INT, 0) != turn) {
                        condition.awaitUninterruptibly();
                    }
                    increase(4);
                    word(6).set(JAVA_INT, 0, 1 - turn);
                    condition.signalAll();
                    mutex.unlock();
                }
                default -> throw new IllegalArgumentException(mode);
            }
        }
    }

    private void count(Lock lock) {
        lock.lock();
        increase(4);
        lock.unlock();
    }

    /**
     * Does it.
     *
     * @param args the file, what, how often
     */
    public static void main(String[] args) throws IOException {
        try (Arena arena = Arena.ofShared()) {
            new SharedFileLocks(Path.of(args[0]), arena).act(args[1], Integer.parseInt(args[2]), 1);
        }
    }
}
