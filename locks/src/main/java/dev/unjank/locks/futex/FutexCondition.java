package dev.unjank.locks.futex;

import dev.unjank.linux.Futex;
import java.lang.foreign.MemorySegment;
import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/**
 * A condition of a {@link FutexMutex}. Its word is a sequence number, which every signal increments; the word may lie
 * in memory shared between processes.
 *
 * <pre>
 * word     meaning                                     becomes   by
 * n        n signals have been given, modulo 2^32      n + 1     a signalling thread, owning the mutex
 * </pre>
 *
 * <p><b>No signal is lost.</b> A thread reads the number while it owns the mutex, releases the mutex, and sleeps only
 * if the number is unchanged; the kernel's comparison is atomic with respect to wakes. A signal in between changes the
 * number, so the thread does not sleep. Only exactly 2^32 signals in between would go unnoticed.
 *
 * <p><b>Signalling all.</b> {@link #signalAll} does not wake any thread: it requeues all sleeping threads to the mutex,
 * and each release of the mutex wakes one of them.
 *
 * <p><b>Not guaranteed.</b> {@code await} may return without a signal for this thread, so check the condition again, in
 * a loop. (An interruptible wait checks the number every 10 ms, and returns on a signal that another thread has
 * received.) Any of several waiters may get a signal. A thread that has given up may have consumed the signal that
 * another thread needed, so check the condition even after a timed wait has timed out, as the loop does.
 */
public final class FutexCondition implements Condition {
    private final FutexMutex mutex;
    private final FutexWord word;

    /** Creates a condition on a new word. */
    FutexCondition(FutexMutex mutex) {
        this(mutex, NativeFutexWord.ofProcess(Futex.obstacle()));
    }

    /**
     * Creates a condition over a word.
     *
     * @param mutex the condition's mutex; threads wait and signal only while they own it
     * @param word 4 bytes at an address divisible by 4, outside the heap, of the same scope as the mutex's word
     * @throws IllegalArgumentException if the memory cannot hold a condition
     */
    public FutexCondition(FutexMutex mutex, MemorySegment word) {
        this(mutex, new NativeFutexWord(word, mutex.word.scope(), Futex.obstacle()));
    }

    FutexCondition(FutexMutex mutex, FutexWord word) {
        this.mutex = mutex;
        this.word = word;
    }

    /** {@inheritDoc} An interrupt is noticed within 10 ms. */
    @Override
    public void await() throws InterruptedException {
        boolean ignored = waitFor(Deadline.UNTIL_INTERRUPTED);
    }

    @Override
    public void awaitUninterruptibly() {
        boolean ignored = sleep(Deadline.ENDLESS);
    }

    /** {@inheritDoc} An interrupt is noticed within 10 ms. */
    @Override
    public long awaitNanos(long nanos) throws InterruptedException {
        Deadline deadline = Deadline.until(nanos);
        boolean ignored = waitFor(deadline);
        return deadline.deadline() - System.nanoTime();
    }

    /** {@inheritDoc} An interrupt is noticed within 10 ms. */
    @Override
    public boolean await(long time, TimeUnit unit) throws InterruptedException {
        return waitFor(Deadline.until(unit.toNanos(time)));
    }

    /** {@inheritDoc} An interrupt is noticed within 10 ms. */
    @Override
    @SuppressWarnings("JavaUtilDate") // required by the interface
    public boolean awaitUntil(Date deadline) throws InterruptedException {
        long millis = deadline.getTime() - System.currentTimeMillis();
        return waitFor(Deadline.until(TimeUnit.MILLISECONDS.toNanos(millis)));
    }

    private boolean waitFor(Deadline deadline) throws InterruptedException {
        deadline.checkInterrupt();
        boolean signalled = sleep(deadline);
        if (!signalled) {
            deadline.checkInterrupt();
        }
        return signalled;
    }

    /** Releases the mutex, sleeps, and takes the mutex again. Returns whether a signal has occurred. */
    private boolean sleep(Deadline deadline) {
        mutex.requireOwner();
        int before = word.volatileValue();
        mutex.unlock();
        boolean signalled;
        do {
            word.await(before, deadline.wakeUp());
            signalled = word.volatileValue() != before;
        } while (!signalled && !deadline.isExpired());
        mutex.lockContended();
        return signalled;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalMonitorStateException if the calling thread does not own the mutex
     */
    @Override
    public void signal() {
        mutex.requireOwner();
        word.getAndAdd(1);
        word.wakeOne();
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalMonitorStateException if the calling thread does not own the mutex
     */
    @Override
    public void signalAll() {
        mutex.requireOwner();
        int now = word.getAndAdd(1) + 1;
        mutex.expectWaiters();
        if (!word.moveSleepers(now, mutex.word)) {
            throw new IllegalStateException(
                    "the word of the condition was changed by a thread that does not own its mutex");
        }
    }

    @Override
    public String toString() {
        return "FutexCondition[word " + word + "]";
    }
}
