package dev.unjank.record;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A bounded buffer from any number of threads to one. Lock-free for those who put in: a thread that is stopped in the middle of
 * {@link #offer} holds up only the one that takes out, and once the buffer is full, what others offer is counted as lost.
 * Nobody ever waits for room.
 *
 * <pre>
 * word     meaning                                 changed by
 * tail     how many places have been given away    whoever offers (compare-and-set)
 * head     how many marks have been taken          the taker
 * place    null: free, or given away and not       whoever was given it, from null;
 *          filled yet                              the taker, back to null before it moves the head
 * </pre>
 *
 * A place is given away again only once the head has moved past it, and so finds it null.
 */
final class EventRingBuffer<T> {
    private static final VarHandle TAIL;
    private static final VarHandle HEAD;
    private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(Object[].class);

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TAIL = lookup.findVarHandle(EventRingBuffer.class, "tail", long.class);
            HEAD = lookup.findVarHandle(EventRingBuffer.class, "head", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final @Nullable Object[] places;
    private final int mask;
    private final AtomicLong lost = new AtomicLong();

    @SuppressWarnings("unused") // through its handle
    private volatile long tail;

    @SuppressWarnings("unused") // through its handle
    private volatile long head;

    /** A buffer of so many places, a power of two. */
    EventRingBuffer(int capacity) {
        if (Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException("capacity " + capacity + " is no power of two");
        }
        places = new @Nullable Object[capacity];
        mask = capacity - 1;
    }

    /** Puts a mark in, or counts it as lost. Any thread. */
    void offer(T mark) {
        for (; ; ) {
            long place = tailVolatile();
            if (place - headAcquire() >= places.length) {
                lost.incrementAndGet();
                return;
            }
            if (casTail(place, place + 1)) {
                setPlaceRelease(place, mark);
                return;
            }
        }
    }

    /** Takes the oldest mark out; null if there is none, or if it is just being put in. The taker only. */
    @Nullable
    T poll() {
        long place = headPlain();
        T mark = placeAcquire(place);
        if (mark != null) {
            setPlacePlain(place, null);
            setHeadRelease(place + 1);
        }
        return mark;
    }

    /** How many marks have been lost so far. Any thread. */
    long lost() {
        return lost.get();
    }

    private long tailVolatile() {
        return tail;
    }

    private boolean casTail(long expected, long value) {
        return TAIL.compareAndSet(this, expected, value);
    }

    /** Acquire: whoever sees that the head has moved past a place sees that place empty. */
    private long headAcquire() {
        return (long) HEAD.getAcquire(this);
    }

    /** Plain: only the taker writes it. */
    private long headPlain() {
        return (long) HEAD.get(this);
    }

    /** Release: the emptied place comes first. */
    private void setHeadRelease(long value) {
        HEAD.setRelease(this, value);
    }

    /** Acquire: the counterpart of {@link #setPlaceRelease}. */
    @SuppressWarnings("unchecked")
    private @Nullable T placeAcquire(long place) {
        return (T) PLACE.getAcquire(places, (int) place & mask);
    }

    /** Release: the mark's fields come before the mark. */
    private void setPlaceRelease(long place, T mark) {
        PLACE.setRelease(places, (int) place & mask, mark);
    }

    /** Plain: {@link #setHeadRelease} follows. */
    private void setPlacePlain(long place, @Nullable T mark) {
        PLACE.set(places, (int) place & mask, mark);
    }
}
