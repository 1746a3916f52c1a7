package dev.unjank.looper;

import dev.unjank.looper.util.Nullable;

/**
 * An observer of every message of a looper: it is called when a message is sent, when the delivery begins, and when the
 * delivery has ended.
 *
 * <p>Metrics, traces and watchdogs use observers. A looper without observers pays one field read per send and one per
 * delivery. See {@link Looper#addObserver}.
 *
 * <p><b>Rules.</b> An observer runs on the threads that it observes, so it must be fast, must not block, and must not
 * send to a looper that it observes. A message is valid only during the call: the observer may read it, but must
 * neither change nor keep it. (A kept message stays alive as an empty shell: it releases its payload when it has been
 * delivered or removed.)
 *
 * <p><b>Failures.</b> An exception of an observer does not affect the sender or the loop and does not hide an exception
 * of the message. The exception is logged to {@code dev.unjank.looper}, and the observer is removed.
 */
public interface MessageObserver {
    /**
     * Called before a message is added to the queue. Runs on the sender's thread, so any number of these calls may run
     * concurrently. Handler, time and payload are set. The queue may still refuse the message, if the looper has quit.
     *
     * @param message the message
     * @return a note that is kept with the message, passed to this observer's {@link #starting}, and released when the
     *     message is delivered, removed or dropped; null for no note
     */
    default @Nullable Object sending(Message message) {
        return null;
    }

    /**
     * Called on the looper's thread before a message is delivered. If a message runs a loop itself, the calls for the
     * inner messages come between the two of the outer one.
     *
     * @param message the message
     * @param note the result of {@link #sending}; also null if the message was sent before this observer was added
     * @return the note for {@link #finished}; unless overridden, the given note
     */
    default @Nullable Object starting(Message message, @Nullable Object note) {
        return note;
    }

    /**
     * Called on the looper's thread after the delivery of a message, if {@link #starting} has not thrown, even if this
     * observer has been removed in between. Observers are called in reverse order of addition.
     *
     * @param message the message, not cleared yet; its receiver may have changed it
     * @param note the result of {@link #starting}
     * @param thrown the exception of the message, which ends the loop afterwards; null if there is none
     */
    default void finished(Message message, @Nullable Object note, @Nullable Throwable thrown) {}
}
