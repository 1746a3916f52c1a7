package dev.unjank.looper.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A gate that keeps a resource alive while threads are inside, and frees it once, when the gate has been closed and the
 * last thread has left.
 *
 * <p>A waker may own a resource that must not be used after it has been freed, such as a file descriptor. A producer
 * that wakes the looper enters the gate and leaves it again; the looper closes the gate when its loop has ended. No
 * thread waits: if the gate is closed while producers are inside, the last of them frees the resource.
 *
 * <pre>
 * word         meaning                           becomes
 * 2n           open, n threads inside            2(n + 1) by enter, 2(n - 1) by leave, 2n + 1 by close
 * 2n + 1       closed, n threads still inside    2(n - 1) + 1 by leave
 * 1            closed and empty: freed           -
 * </pre>
 *
 * <p>The thread that changes the word to 1 frees the resource. Every change is a volatile read-modify-write, so all
 * actions inside the gate happen before the resource is freed.
 */
public final class CloseGate {
    private static final int CLOSED = 1;
    private static final int ONE_INSIDE = 2;

    private static final VarHandle WORD;

    static {
        try {
            WORD = MethodHandles.lookup().findVarHandle(CloseGate.class, "word", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Runnable onLastLeave;
    private volatile int word;

    /** Creates an open gate; {@code onLastLeave} frees the resource. */
    public CloseGate(Runnable onLastLeave) {
        this.onLastLeave = onLastLeave;
    }

    /** Enters the gate; returns false if it is closed. A thread that has entered must {@link #leave()}. */
    public boolean enter() {
        for (; ; ) {
            int current = wordVolatile();
            if ((current & CLOSED) != 0) {
                return false;
            }
            if (casWord(current, current + ONE_INSIDE)) {
                return true;
            }
        }
    }

    public void leave() {
        if (getAndAddWord(-ONE_INSIDE) == ONE_INSIDE + CLOSED) {
            onLastLeave.run();
        }
    }

    public boolean isClosed() {
        return (wordVolatile() & CLOSED) != 0;
    }

    /** Closes the gate for further threads. Closing again has no effect. */
    public void close() {
        if (getAndBitwiseOrWord(CLOSED) == 0) {
            onLastLeave.run();
        }
    }

    private int wordVolatile() {
        return word;
    }

    private boolean casWord(int expected, int replacement) {
        return WORD.compareAndSet(this, expected, replacement);
    }

    private int getAndAddWord(int delta) {
        return (int) WORD.getAndAdd(this, delta);
    }

    private int getAndBitwiseOrWord(int mask) {
        return (int) WORD.getAndBitwiseOr(this, mask);
    }
}
