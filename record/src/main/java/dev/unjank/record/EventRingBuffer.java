package dev.unjank.record;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A bounded multi-producer single-consumer ring buffer. Lock-free for producers: a thread that is preempted in the
 * middle of {@link #offer} delays only the consumer, and elements offered to a full buffer are counted as lost. No
 * thread waits for space.
 *
 * <pre>
 * word     meaning                                 changed by
 * tail     number of slots claimed                 producers (compare-and-set)
 * head     number of elements taken                the consumer
 * slot     null: free, or claimed and not          the producer that claimed it, from null;
 *          filled yet                              the consumer, back to null before it moves the head
 * </pre>
 *
 * A slot is claimed again only after the head has moved past it, so it is null then.
 */
final class EventRingBuffer<T> {
    private static final VarHandle TAIL;
    private static final VarHandle HEAD;
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TAIL = lookup.findVarHandle(EventRingBuffer.class, "tail", long.class);
            HEAD = lookup.findVarHandle(EventRingBuffer.class, "head", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final @Nullable Object[] slots;
    private final int mask;
    private final AtomicLong lost = new AtomicLong();

    @SuppressWarnings("unused") // through its handle
    private volatile long tail;

    @SuppressWarnings("unused") // through its handle
    private volatile long head;

    /** Creates an empty buffer; the capacity is a power of two. */
    EventRingBuffer(int capacity) {
        if (Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException("capacity " + capacity + " is not a power of two");
        }
        slots = new @Nullable Object[capacity];
        mask = capacity - 1;
    }

    /** Adds an element, or counts it as lost if the buffer is full. Thread-safe. */
    void offer(T element) {
        for (; ; ) {
            long slot = tailVolatile();
            if (slot - headAcquire() >= slots.length) {
                lost.incrementAndGet();
                return;
            }
            if (casTail(slot, slot + 1)) {
                setSlotRelease(slot, element);
                return;
            }
        }
    }

    /**
     * Removes the oldest element; null if the buffer is empty or the element is being added right now. Consumer only.
     */
    @Nullable
    T poll() {
        long slot = headPlain();
        T element = slotAcquire(slot);
        if (element != null) {
            setSlotPlain(slot, null);
            setHeadRelease(slot + 1);
        }
        return element;
    }

    /** The number of elements lost so far. Thread-safe. */
    long lost() {
        return lost.get();
    }

    private long tailVolatile() {
        return tail;
    }

    private boolean casTail(long expected, long value) {
        return TAIL.compareAndSet(this, expected, value);
    }

    /** Acquire: a producer that sees the head past a slot sees the slot empty. */
    private long headAcquire() {
        return (long) HEAD.getAcquire(this);
    }

    /** Plain: only the consumer writes it. */
    private long headPlain() {
        return (long) HEAD.get(this);
    }

    /** Release: the slot is emptied first. */
    private void setHeadRelease(long value) {
        HEAD.setRelease(this, value);
    }

    /** Acquire: the counterpart of {@link #setSlotRelease}. */
    @SuppressWarnings("unchecked")
    private @Nullable T slotAcquire(long slot) {
        return (T) SLOT.getAcquire(slots, (int) slot & mask);
    }

    /** Release: the element's fields are written before the element. */
    private void setSlotRelease(long slot, T element) {
        SLOT.setRelease(slots, (int) slot & mask, element);
    }

    /** Plain: {@link #setHeadRelease} follows. */
    private void setSlotPlain(long slot, @Nullable T element) {
        SLOT.set(slots, (int) slot & mask, element);
    }
}
