package dev.unjank.looper.queue;

import static dev.unjank.looper.queue.NodeState.isQueued;

import dev.unjank.looper.util.Nullable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.Predicate;

/**
 * The search index of the lock-free queue: messages by handler and code, by Runnable, or by token of a barrier. The
 * looper writes; any number of threads read concurrently, without waiting.
 *
 * <p>The index is a hash table with open addressing that contains only hashes of keys: a reader must test each message
 * that it finds, since messages with other keys may share the hash. A slot holds a message, or a {@link Bucket} if
 * several messages share one hash. A key has a home slot and is stored in the first slot that was free among the
 * {@value #WINDOW} slots from there on. A used slot never becomes free again, so a reader that reaches a free slot has
 * seen all messages of the key. If the window has no free slot, some messages may not be in the index: the search
 * reports {@link Found#INCOMPLETE}, and the reader must search without the index.
 *
 * <p>The index is a hint: it contains only messages that the looper has added, and dead messages stay in it,
 * harmlessly, until it is rebuilt. It retains nothing but the messages.
 */
public final class KeyIndex {
    /** The result of a search. */
    public enum Found {
        /** The visitor stopped the search. */
        STOPPED,
        /** All messages under this key have been visited. */
        ALL,
        /** There may be more messages under this key. */
        INCOMPLETE
    }

    /** A function that enters messages under their keys. */
    @FunctionalInterface
    public interface KeySource {
        /** Enters a queued message into an index; a message that dies meanwhile may be left out. */
        void enter(Node message, KeyIndex index);
    }

    /** The key of searches that the index does not support. */
    public static final int NO_KEY = 0;

    private static final int WINDOW = 32;
    private static final int MIN_CAPACITY = 256;
    private static final int MIXER = 0x9E3779B9;

    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);

    private final int shift;
    private final int[] keys;
    private final Object[] slots;
    private int used;

    /**
     * True if there are Runnables without a code: they count as code 0, but the index does not contain them under that
     * code.
     */
    private boolean codelessRunnables;

    /** Creates an empty index for an expected number of keys, with room for at least 50 percent more. */
    public KeyIndex(int expected) {
        int capacity = Math.max(MIN_CAPACITY, 2 * Integer.highestOneBit(3 * expected));
        shift = 32 - Integer.numberOfTrailingZeros(capacity);
        keys = new int[capacity];
        slots = new Object[capacity];
    }

    // ---- the looper

    /** Returns the number of keys, including those of dead messages. */
    public int used() {
        return used;
    }

    /** Returns true if a larger index must replace this one. */
    public boolean isFull() {
        return used >= keys.length / 2;
    }

    /** Enters a queued message under a key of {@link #keyOf}. */
    public void put(int key, Node m) {
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
                    Node other = (Node) there;
                    setSlotRelease(at, isQueued(other) ? new Bucket(other, m) : m);
                }
                return;
            }
        }
    }

    /** Records that there is a Runnable without a code. */
    public void leaveOutCodelessRunnable() {
        codelessRunnables = true;
    }

    // ---- any thread

    /** Returns the key of a hash. */
    public static int keyOf(int hash) {
        int key = hash * MIXER;
        return key == NO_KEY ? 1 : key;
    }

    /**
     * Visits the messages under a key until the visitor returns true.
     *
     * @param key not {@link #NO_KEY}
     * @param codeZero true if Runnables without a code may match
     */
    public Found search(int key, boolean codeZero, Predicate<Node> visitor) {
        int mask = keys.length - 1;
        int home = key >>> shift;
        for (int i = home; i < home + WINDOW; i++) {
            int at = i & mask;
            Object there = slotAcquire(at);
            if (there == null) {
                return codeZero && codelessRunnables ? Found.INCOMPLETE : Found.ALL;
            }
            if (keys[at] == key) {
                boolean enough = there instanceof Bucket bucket ? bucket.search(visitor) : visitor.test((Node) there);
                if (enough) {
                    return Found.STOPPED;
                }
            }
        }
        return Found.INCOMPLETE;
    }

    /**
     * Acquire: a reader that sees the slot's value also sees its key and its bucket's content, which are written first.
     */
    private @Nullable Object slotAcquire(int i) {
        return SLOT.getAcquire(slots, i);
    }

    /** Release: the counterpart of {@link #slotAcquire}. */
    private void setSlotRelease(int i, Object value) {
        SLOT.setRelease(slots, i, value);
    }

    /**
     * The messages of one hash, oldest first: an array that ends at its first null. One writer, any number of readers.
     */
    public static final class Bucket {
        private static final int INITIAL_CAPACITY = 4;
        private static final VarHandle ITEM = MethodHandles.arrayElementVarHandle(Node[].class);
        private static final VarHandle ITEMS;

        static {
            try {
                ITEMS = MethodHandles.lookup().findVarHandle(Bucket.class, "items", Node[].class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private Node[] items = new Node[INITIAL_CAPACITY];
        private int size;

        public Bucket(Node first, Node second) {
            items[0] = first;
            items[1] = second;
            size = 2;
        }

        public void add(Node m) {
            // repeated sending and removing must not leave a tail of dead messages
            while (size > 0 && !isQueued(items[size - 1])) {
                setItemRelease(--size, null);
            }
            if (size == items.length) {
                makeRoom();
            }
            setItemRelease(size++, m);
        }

        private void makeRoom() {
            Node[] kept = new Node[items.length];
            int count = 0;
            for (Node item : items) {
                if (isQueued(item)) {
                    kept[count++] = item;
                }
            }
            if (count > kept.length / 2) {
                kept = Arrays.copyOf(kept, 2 * kept.length);
            }
            ITEMS.setRelease(this, kept); // release: a reader that finds the new array finds its content
            size = count;
        }

        public boolean search(Predicate<Node> visitor) {
            Node[] current = (Node[]) ITEMS.getAcquire(this); // acquire: see above
            for (int i = 0; i < current.length; i++) {
                Node m = (Node) ITEM.getAcquire(current, i); // acquire: see below
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
        private void setItemRelease(int i, @Nullable Node m) {
            ITEM.setRelease(items, i, m);
        }
    }
}
