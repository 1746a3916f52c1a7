package dev.unjank.looper;

import dev.unjank.looper.util.Nullable;

/**
 * Observes every message of a looper: when it is sent, when its delivery begins, and when the delivery has ended.
 *
 * <p>Metrics, traces and watchdogs are built on it. A looper without observers pays one field read per send and one per
 * delivery. See {@link Looper#addObserver}.
 *
 * <p><b>Rules.</b> An observer runs on the threads that it observes, so it must be quick, must not block, and must not
 * send to a looper that it observes. A message is valid for the duration of a call: the observer may read it, but must
 * neither change nor keep it. (A kept message stays alive as an empty shell: it releases its payload when it has been
 * delivered or removed.)
 *
 * <p><b>Failures.</b> An exception of an observer affects neither sender nor loop and does not hide an exception of the
 * message. It is logged, to the logger {@code dev.unjank.looper}, and the observer is removed.
 */
public interface MessageObserver {
    /**
     * A message is about to be put in the queue. On the sender's thread, so any number of these calls may run at once.
     * Handler, time and payload are set. The queue may still refuse the message, if it has been quit.
     *
     * @param message the message
     * @return a note that travels with the message to {@link #starting} and {@link #finished} of this observer, and is
     *     released when the message is delivered, removed or dropped; null for no note
     */
    default @Nullable Object sending(Message message) {
        return null;
    }

    /**
     * The delivery of a message begins. On the looper's thread. If a message runs a loop itself, the calls for the
     * inner messages come between the two of the outer one.
     *
     * @param message the message
     * @param note what {@link #sending} returned; null also if the message was sent before this observer was added
     * @return the note for {@link #finished}; unless overridden, the given note
     */
    default @Nullable Object starting(Message message, @Nullable Object note) {
        return note;
    }

    /**
     * The delivery of a message has ended. On the looper's thread, after each {@link #starting} that threw nothing,
     * even if this observer has been removed in between. Observers are called in reverse order of addition.
     *
     * @param message the message, not cleared yet; its receiver may have changed it
     * @param note what {@link #starting} returned
     * @param thrown what the message threw and what will leave the loop, or null
     */
    default void finished(Message message, @Nullable Object note, @Nullable Throwable thrown) {}
}
