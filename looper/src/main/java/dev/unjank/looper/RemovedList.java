package dev.unjank.looper;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Tombstones on their way to the looper, which alone may unlink them: a Treiber stack that is emptied at one stroke.
 *
 * <p>Whoever has removed a message pushes it here, so it is pushed once, and the looper takes all of them at its next
 * turn. How many have gathered since then rides along in the messages: each carries the depth below it, so counting
 * costs no further shared write.
 */
final class RemovedList {
    private static final VarHandle TOP;

    static {
        try {
            TOP = MethodHandles.lookup().findVarHandle(RemovedList.class, "top", Message.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable Message top;

    /** Hands over a message; returns how many are here now. Any thread. */
    int push(Message message) {
        for (; ; ) {
            Message current = topAcquire();
            int depth = current == null ? 1 : current.removedDepth + 1;
            message.nextRemoved = current;
            message.removedDepth = depth;
            if (casTop(current, message)) {
                return depth;
            }
        }
    }

    /** Takes all, linked by {@link Node#nextRemoved}. Looper only. */
    @Nullable
    Message takeAll() {
        return topAcquire() == null ? null : getAndClearTop();
    }

    /** Volatile: the looper's last look before it sleeps, to be ordered after its notice that it does. */
    boolean isEmptyVolatile() {
        return top == null;
    }

    /** Acquire: the depth of the message that is read was written before it was pushed. */
    private @Nullable Message topAcquire() {
        return (Message) TOP.getAcquire(this);
    }

    /** Volatile: what a remover does next, looking whether the looper sleeps, must come after it. */
    private boolean casTop(@Nullable Message expected, Message replacement) {
        return TOP.compareAndSet(this, expected, replacement);
    }

    /** Acquire: everything written before the pushes is visible; the looper publishes nothing by it. */
    private @Nullable Message getAndClearTop() {
        return (Message) TOP.getAndSetAcquire(this, (Message) null);
    }
}
