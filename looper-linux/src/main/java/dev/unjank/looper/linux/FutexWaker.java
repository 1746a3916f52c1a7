package dev.unjank.looper.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.unjank.looper.spi.Waker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * A waker on one word of native memory, without a lock of any kind.
 *
 * <pre>
 * word             meaning                                becomes            by
 * 0                the looper is awake                    ASLEEP             the looper (compare-and-set)
 *                                                         WOKEN              a waker (or)
 * ASLEEP           the looper sleeps or is about to:      0                  the looper, when its time is over
 *                  the kernel lets it sleep only while    ASLEEP | WOKEN     a waker (or), which then calls the kernel
 *                  the word has this value
 * WOKEN            the looper is awake and will not       0                  the looper, instead of sleeping
 *                  sleep the next time
 * ASLEEP | WOKEN   the looper is to get up                0                  the looper, when it is up
 * </pre>
 *
 * <p><b>No wake-up is lost.</b> If the bit is set before the looper has got to sleep, the kernel finds another value than
 * ASLEEP and does not let it; the kernel compares and queues in one step with respect to the call that wakes.
 *
 * <p><b>Nobody waits for somebody else's wake-up.</b> ASLEEP stays set until the looper itself is up, so every thread
 * that wakes calls the kernel, not only the first: that one may have lost its processor between the bit and the call.
 * The queue sees to it that few threads call at all.
 *
 * <p>Every change of the word is a volatile read-modify-write, so what came before a wake is seen after the await that
 * took the bit away. An interrupt does not touch the word, so it neither ends a sleep nor gets lost.
 *
 * <p><b>Memory.</b> The word has two cache lines of its own, since processors fetch lines in pairs; what only the looper
 * uses lies behind it. All of it belongs to the garbage collector: closing an arena by hand would stop every thread of
 * the virtual machine for a moment, on behalf of a sender that happens to be the last one at a looper that quits, and a
 * looper that is made but never looped would not be freed at all.
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
            // whatever ended it, a wake-up, a signal or the time: the word and the clock tell
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
