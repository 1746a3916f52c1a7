package dev.unjank.looper.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.unjank.looper.spi.Waker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * A waker on a futex: one word of native memory, without a lock of any kind.
 *
 * <pre>
 * word             meaning                                becomes            by
 * 0                the looper is awake                    ASLEEP             the looper (compare-and-set)
 *                                                         WOKEN              a waker (or)
 * ASLEEP           the looper sleeps or is about to:      0                  the looper, when its timeout has elapsed
 *                  the kernel lets it sleep only while    ASLEEP | WOKEN     a waker (or), which then calls the kernel
 *                  the word has this value
 * WOKEN            the looper is awake and will not       0                  the looper, instead of sleeping
 *                  sleep the next time
 * ASLEEP | WOKEN   the looper must wake up                0                  the looper, when it is awake
 * </pre>
 *
 * <p><b>No wake-up is lost.</b> If the bit is set before the looper sleeps, the kernel finds another value than ASLEEP
 * and does not let it sleep; the kernel compares and queues atomically with respect to the call that wakes.
 *
 * <p><b>No wake-up depends on another thread.</b> ASLEEP stays set until the looper itself is awake, so every waking
 * thread calls the kernel, not only the first: that one may have been preempted between the bit and the call. The queue
 * keeps the number of these calls low.
 *
 * <p>Every change of the word is a volatile read-modify-write, so everything before a wake happens before the return of
 * the await that cleared the bit. An interrupt does not change the word, so it neither ends a sleep nor is lost.
 *
 * <p><b>Memory.</b> The word has two cache lines of its own, since processors fetch lines in pairs; the looper's own
 * data lies behind it. The garbage collector frees it: closing an arena explicitly would stop every thread of the
 * virtual machine for a moment, in a call of the last sender to a quitting looper, and a looper that is made but never
 * looped would not be freed at all.
 */
final class FutexWaker implements Waker {
    private static final int AWAKE = 0;
    private static final int ASLEEP = 1;
    static final int WOKEN = 2;

    private static final long LINE_PAIR = 128;
    private static final VarHandle WORD = JAVA_INT.varHandle();

    final MemorySegment word;
    private final MemorySegment timespec;
    private final MemorySegment errno;

    FutexWaker() {
        MemorySegment memory = Arena.ofAuto().allocate(2 * LINE_PAIR, LINE_PAIR);
        word = memory.asSlice(0, JAVA_INT);
        timespec = memory.asSlice(LINE_PAIR, PrivateFutex.TIMESPEC);
        errno = memory.asSlice(LINE_PAIR + timespec.byteSize(), PrivateFutex.ERRNO);
    }

    @Override
    public void await(long nanos) {
        if (casWord(AWAKE, ASLEEP)) {
            sleep(nanos);
        }
        getAndSetWord(AWAKE);
    }

    private void sleep(long nanos) {
        long start = nanos == FOREVER ? 0 : System.nanoTime();
        long left = nanos;
        do {
            // for any cause of the return, a wake-up, a signal or the timeout, the word and the clock are checked
            PrivateFutex.await(word, ASLEEP, left, timespec, errno);
            if (nanos != FOREVER) {
                left = nanos - (System.nanoTime() - start);
            }
        } while (left > 0 && wordVolatile() == ASLEEP);
    }

    @Override
    public void wake() {
        if ((getAndBitwiseOrWord(WOKEN) & ASLEEP) != 0) {
            PrivateFutex.wake(word);
        }
    }

    @Override
    public String toString() {
        return FutexWakerProvider.NAME;
    }

    private int wordVolatile() {
        return (int) WORD.getVolatile(word, 0L);
    }

    private boolean casWord(int expected, int replacement) {
        return WORD.compareAndSet(word, 0L, expected, replacement);
    }

    private int getAndSetWord(int replacement) {
        return (int) WORD.getAndSet(word, 0L, replacement);
    }

    private int getAndBitwiseOrWord(int bits) {
        return (int) WORD.getAndBitwiseOr(word, 0L, bits);
    }
}
