package dev.unjank.looper;

import dev.unjank.looper.util.Nullable;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * An immutable, non-empty list of the observers of one queue, in the order in which they were added. A queue without
 * observers has no list, so it pays nothing for them.
 *
 * <p>The sender and the looper each read the list once per message. The list may change between sending and delivery,
 * so each note names its observer.
 */
@SuppressWarnings("ReferenceEquality") // observers are compared by identity, even if they override equals
final class ObserverList {
    private static final Logger LOG = System.getLogger("dev.unjank.looper");

    /** The note of one observer; the notes of one message form a list. */
    private record Note(
            MessageObserver owner, Object value, @Nullable Note next) {}

    private final MessageObserver observer;
    private final @Nullable ObserverList next;

    private ObserverList(MessageObserver observer, @Nullable ObserverList next) {
        this.observer = observer;
        this.next = next;
    }

    /** Returns the list with one observer added at its end. */
    static ObserverList plus(@Nullable ObserverList list, MessageObserver added) {
        return list == null ? new ObserverList(added, null) : new ObserverList(list.observer, plus(list.next, added));
    }

    /** Returns the list without one observer; null if that leaves none. */
    static @Nullable ObserverList minus(@Nullable ObserverList list, MessageObserver removed) {
        if (list == null) {
            return null;
        }
        return list.observer == removed ? list.next : new ObserverList(list.observer, minus(list.next, removed));
    }

    static boolean contains(@Nullable ObserverList list, MessageObserver sought) {
        for (ObserverList o = list; o != null; o = o.next) {
            if (o.observer == sought) {
                return true;
            }
        }
        return false;
    }

    /** Collects the notes of all observers on a message that is about to be sent. Called on the sender's thread. */
    @Nullable
    Object sending(MessageQueue queue, Message message) {
        Note notes = null;
        for (ObserverList o = this; o != null; o = o.next) {
            try {
                Object value = o.observer.sending(message);
                if (value != null) {
                    notes = new Note(o.observer, value, notes);
                }
            } catch (Throwable t) {
                removeFailed(queue, o.observer, t);
            }
        }
        return notes;
    }

    /**
     * Collects the notes of all {@link BarrierObserver}s on a barrier that is about to be posted. Called on the posting
     * thread.
     */
    @Nullable
    Object postingBarrier(MessageQueue queue) {
        Note notes = null;
        for (ObserverList o = this; o != null; o = o.next) {
            if (o.observer instanceof BarrierObserver observer) {
                try {
                    notes = new Note(observer, observer.postingBarrier(), notes);
                } catch (Throwable t) {
                    removeFailed(queue, observer, t);
                }
            }
        }
        return notes;
    }

    /** Returns the note of one observer on a message that waits or is being delivered, or null. */
    static @Nullable Object noteOf(Message message, MessageObserver owner) {
        for (Note note = (Note) message.note; note != null; note = note.next) {
            if (note.owner == owner) {
                return note.value;
            }
        }
        return null;
    }

    /** Delivers a message, and calls these observers before and after it. Called on the looper's thread. */
    void dispatch(MessageQueue queue, Message message, Handler target) {
        boolean begun = false;
        Object note = null;
        try {
            note = observer.starting(message, noteOf(message, observer));
            begun = true;
        } catch (Throwable t) {
            removeFailed(queue, observer, t);
        }
        Throwable thrown = null;
        try {
            if (next == null) {
                target.dispatchMessage(message);
            } else {
                next.dispatch(queue, message, target);
            }
        } catch (Throwable t) {
            thrown = t;
            throw t;
        } finally {
            if (begun) {
                finished(queue, message, note, thrown);
            }
        }
    }

    private void finished(MessageQueue queue, Message message, @Nullable Object note, @Nullable Throwable thrown) {
        try {
            observer.finished(message, note, thrown);
        } catch (Throwable t) {
            removeFailed(queue, observer, t);
        }
    }

    private static void removeFailed(MessageQueue queue, MessageObserver observer, Throwable why) {
        // the observer may fail on many threads at once: only the thread that removes it logs
        if (queue.removeObserver(observer)) {
            LOG.log(Level.ERROR, "An observer failed and has been removed: " + observer, why);
        }
    }
}
