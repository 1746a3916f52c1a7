package dev.unjank.looper;

import dev.unjank.looper.util.Nullable;

/**
 * Sees every message of a looper on its way: when it is sent, when its delivery begins, and when that has ended.
 *
 * <p>This is what metrics, traces and watchdogs are built on. A looper that nobody observes pays for it with one read of
 * a field in sending and one in delivering. See {@link Looper#addObserver}.
 *
 * <p><b>Rules.</b> An observer runs in the way of those it observes, so it must be quick, must not block, and must not
 * send to a looper that it observes. A message is lent to it for the length of a call: it may read the message, but must
 * neither change nor keep it. (If it is kept nevertheless, only the empty shell stays alive: the message lets go of what
 * it carried when it has been delivered or removed.)
 *
 * <p><b>Failures.</b> An exception of an observer disturbs neither sender nor loop and does not hide an exception of the
 * message. It is logged, to the logger {@code dev.unjank.looper}, and the observer is removed.
 */
public interface MessageObserver {
    /**
     * A message is about to be put in the queue. On the sender's thread, so any number of these calls may run at once.
     * Handler, time and payload are set. Whether the queue accepts the message is not known yet: it may have been quit.
     *
     * @param message the message
     * @return a note that travels with the message to {@link #starting} and {@link #finished} of this observer, and is
     *     let go of when the message is delivered, removed or dropped; null if there is nothing to note
     */
    default @Nullable Object sending(Message message) {
        return null;
    }

    /**
     * The delivery of a message begins. On the looper's thread. If a message runs a loop itself, then the calls for the
     * inner messages come between the two of the outer one.
     *
     * @param message the message
     * @param note what {@link #sending} returned; null also if the message was sent before this observer was added
     * @return what {@link #finished} is to be given; unless overridden, the note
     */
    default @Nullable Object starting(Message message, @Nullable Object note) {
        return note;
    }

    /**
     * The delivery of a message has ended. On the looper's thread, after each {@link #starting} that threw nothing, also
     * if this observer has been removed in between. Of several observers the one that was added last comes first.
     *
     * @param message the message, not cleared yet; its receiver may have changed it
     * @param note what {@link #starting} returned
     * @param thrown what the message threw and what will go on to leave the loop, or null
     */
    default void finished(Message message, @Nullable Object note, @Nullable Throwable thrown) {}
}
