package dev.unjank.looper.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.unjank.looper.spi.Waker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * A waker based on a futex: one word of native memory, without any lock.
 *
 * <pre>
 * word             meaning                                becomes            by
 * 0                the looper is awake                    ASLEEP             the looper (compare-and-set)
 *                                                         WOKEN              a waking thread (bitwise or)
 * ASLEEP           the looper sleeps or is about to:      0                  the looper, when its timeout has elapsed
 *                  the kernel lets it sleep only while    ASLEEP | WOKEN     a waking thread (bitwise or), which
 *                  the word has this value                                   then calls the kernel
 * WOKEN            the looper is awake and will not       0                  the looper, instead of sleeping
 *                  sleep the next time
 * ASLEEP | WOKEN   the looper must wake up                0                  the looper, when it is awake
 * </pre>
 *
 * <p><b>No wake-up is lost.</b> If WOKEN is set before the looper sleeps, the word differs from ASLEEP and FUTEX_WAIT
 * returns at once. The kernel's compare-and-enqueue is atomic with respect to FUTEX_WAKE.
 *
 * <p><b>No waking thread depends on another one.</b> ASLEEP stays set until the looper itself is awake, so every waking
 * thread makes the system call. If only the first one made it, it could be preempted between setting the bit and making
 * the call, and the looper would sleep on. The queue keeps the number of these calls low.
 *
 * <p>Every change of the word is a volatile read-modify-write, so what a thread did before {@code wake} happens-before
 * the return from the {@code await} that clears the bit. An interrupt does not change the word, so it does not end a
 * sleep, and the interrupt flag stays set.
 *
 * <p><b>Memory.</b> The word occupies two cache lines alone, because some processors fetch lines in pairs; the looper's
 * data follows. The garbage collector frees the memory. A shared arena, which must be closed, would be worse: closing
 * it needs a JVM-wide handshake on the thread that uses the waker last, and if a looper never loops, no thread would
 * close it.
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
            // the call returns on a wake-up, a signal or the timeout: check the word and the clock in any case
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
