package dev.unjank.looper;

import dev.unjank.looper.util.Nullable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.Predicate;

/**
 * The search index of the lock-free queue: messages by handler and code, by Runnable, or by token of a barrier. The
 * looper writes; any number of threads read beside it, without waiting.
 *
 * <p>A hash table with open addressing that holds hashes of keys only: a reader tests each message that it finds, since
 * messages of other keys may share the hash. A slot holds a message, or a {@link Bucket} if several share one hash. A
 * key lies in one of {@value #WINDOW} slots from its own on, in the first that was free. Slots do not become free again
 * before the whole table is discarded. So a reader that reaches a free slot has seen all. If the window has no free
 * slot, more messages may exist that found no place: the search reports {@link Found#INCOMPLETE}, and the reader must
 * search without the index.
 *
 * <p>The index is a hint: dead messages stay in it, harmlessly, until it is rebuilt, and it contains only messages that
 * the looper has added. It keeps nothing alive but the messages.
 */
final class KeyIndex {
    /** The result of a search. */
    enum Found {
        /** The visitor stopped the search. */
        STOPPED,
        /** All messages under this key have been visited. */
        ALL,
        /** There may be more messages under this key. */
        INCOMPLETE
    }

    /** The key of matches that the index does not support. */
    static final int NO_KEY = 0;

    private static final int WINDOW = 32;
    private static final int MIN_CAPACITY = 256;
    private static final int MIXER = 0x9E3779B9;

    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);

    private final int shift;
    private final int[] keys;
    private final Object[] slots;
    private int used;

    /** True if there are Runnables without a code: they count as having code 0 but are not found under it here. */
    private boolean codelessRunnables;

    /** @param expected the expected number of keys; there is room for at least half as many again */
    KeyIndex(int expected) {
        int capacity = Math.max(MIN_CAPACITY, 2 * Integer.highestOneBit(3 * expected));
        shift = 32 - Integer.numberOfTrailingZeros(capacity);
        keys = new int[capacity];
        slots = new Object[capacity];
    }

    // ---- keys

    static int codeKey(Handler handler, int what) {
        return nonZero((System.identityHashCode(handler) + what * 31) * MIXER);
    }

    static int callbackKey(Runnable callback) {
        return nonZero(System.identityHashCode(callback) * MIXER);
    }

    static int barrierKey(int token) {
        return nonZero(~token * MIXER);
    }

    private static int nonZero(int key) {
        return key == NO_KEY ? 1 : key;
    }

    // ---- the looper

    /** The number of keys, including those of dead messages. */
    int used() {
        return used;
    }

    /** True if it must be replaced by a larger one. */
    boolean isFull() {
        return used >= keys.length / 2;
    }

    /** Adds a queued message; one that dies meanwhile may be left out. */
    void add(Message m) {
        Handler handler = m.target;
        Runnable callback = m.callback;
        int what = m.what;
        int token = m.arg1;
        if (!m.wasIntact()) {
            return;
        }
        if (handler == null) {
            put(barrierKey(token), m);
            return;
        }
        if (callback != null) {
            put(callbackKey(callback), m);
        }
        if (callback == null || what != 0) {
            put(codeKey(handler, what), m);
        } else {
            codelessRunnables = true;
        }
    }

    private void put(int key, Message m) {
        int mask = keys.length - 1;
        int home = key >>> shift;
        for (int i = home; i < home + WINDOW; i++) {
            int at = i & mask;
            Object there = slots[at];
            if (there == null) {
                keys[at] = key;
                setSlotRelease(at, m);
                used++;
                return;
            }
            if (keys[at] == key) {
                if (there instanceof Bucket bucket) {
                    bucket.add(m);
                } else {
                    Message other = (Message) there;
                    setSlotRelease(at, other.isQueued() ? new Bucket(other, m) : m);
                }
                return;
            }
        }
    }

    // ---- any thread

    /**
     * Visits the messages under a key until the visitor returns true.
     *
     * @param key not {@link #NO_KEY}
     * @param codeZero true if Runnables without a code may match
     */
    Found search(int key, boolean codeZero, Predicate<Message> visitor) {
        int mask = keys.length - 1;
        int home = key >>> shift;
        for (int i = home; i < home + WINDOW; i++) {
            int at = i & mask;
            Object there = slotAcquire(at);
            if (there == null) {
                return codeZero && codelessRunnables ? Found.INCOMPLETE : Found.ALL;
            }
            if (keys[at] == key) {
                boolean enough =
                        there instanceof Bucket bucket ? bucket.search(visitor) : visitor.test((Message) there);
                if (enough) {
                    return Found.STOPPED;
                }
            }
        }
        return Found.INCOMPLETE;
    }

    /** Acquire: the key of the slot, and a bucket's content, were written before. */
    private @Nullable Object slotAcquire(int i) {
        return SLOT.getAcquire(slots, i);
    }

    /** Release: the counterpart of {@link #slotAcquire}. */
    private void setSlotRelease(int i, Object value) {
        SLOT.setRelease(slots, i, value);
    }

    /** Messages of one hash, oldest first: an array that ends at its first null. One writer, any number of readers. */
    static final class Bucket {
        private static final int INITIAL_CAPACITY = 4;
        private static final VarHandle ITEM = MethodHandles.arrayElementVarHandle(Message[].class);
        private static final VarHandle ITEMS;

        static {
            try {
                ITEMS = MethodHandles.lookup().findVarHandle(Bucket.class, "items", Message[].class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private Message[] items = new Message[INITIAL_CAPACITY];
        private int size;

        Bucket(Message first, Message second) {
            items[0] = first;
            items[1] = second;
            size = 2;
        }

        void add(Message m) {
            // a message that is removed and sent again and again must not leave a tail of dead ones
            while (size > 0 && !items[size - 1].isQueued()) {
                setItemRelease(--size, null);
            }
            if (size == items.length) {
                makeRoom();
            }
            setItemRelease(size++, m);
        }

        private void makeRoom() {
            Message[] kept = new Message[items.length];
            int count = 0;
            for (Message item : items) {
                if (item.isQueued()) {
                    kept[count++] = item;
                }
            }
            if (count > kept.length / 2) {
                kept = Arrays.copyOf(kept, 2 * kept.length);
            }
            ITEMS.setRelease(this, kept); // release: a reader that finds the new array finds its content
            size = count;
        }

        boolean search(Predicate<Message> visitor) {
            Message[] current = (Message[]) ITEMS.getAcquire(this); // acquire: see above
            for (int i = 0; i < current.length; i++) {
                Message m = (Message) ITEM.getAcquire(current, i); // acquire: see below
                if (m == null) {
                    return false;
                }
                if (visitor.test(m)) {
                    return true;
                }
            }
            return false;
        }

        /** Release: the message is in its place before the looper marks it as settled. */
        private void setItemRelease(int i, @Nullable Message m) {
            ITEM.setRelease(items, i, m);
        }
    }
}
