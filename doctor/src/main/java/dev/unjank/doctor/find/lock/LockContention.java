package dev.unjank.doctor.find.lock;

import dev.unjank.doctor.model.CodeLocation;
import org.jspecify.annotations.Nullable;

/**
 * The content of a lock contention slice's name.
 *
 * @param kind the kind of slice
 * @param lock the lock: {@code monitor}, or the class of the object whose monitor it is; {@code thread list lock}; the
 *     class that a thread parks on
 * @param ownerName the owner's whole name as the runtime knows it; null if not given
 * @param ownerId the owner's id, {@value #NO_OWNER} if not given: a tid in {@link Kind#RUNTIME} and {@link Kind#PARK};
 *     in {@link Kind#MONITOR} a tid or, on Android 12 and 13, the runtime's own thread id
 * @param ownerLocation the code in which the owner took the lock; null if not given
 * @param waiters number of other threads that waited already
 * @param blockedLocation the code in which the blocked thread wants the lock; null if not given
 */
public record LockContention(
        Kind kind,
        String lock,
        @Nullable String ownerName,
        int ownerId,
        @Nullable CodeLocation ownerLocation,
        int waiters,
        @Nullable CodeLocation blockedLocation) {

    /** The id of no thread. */
    static final int NO_OWNER = 0;

    /** The kinds of contention slices. */
    enum Kind {
        /** {@code monitor contention with owner …}: a Java monitor, written by ART. */
        MONITOR,
        /** {@code Lock contention on …}: a mutex of ART, such as the one inside each inflated monitor. */
        RUNTIME,
        /** {@code Contending for pthread mutex}: written by bionic, without an owner. */
        PTHREAD,
        /**
         * {@code parking on … (owner tid: …)}: a lock of {@code java.util.concurrent}, written by recorders of Java
         * programs.
         */
        PARK
    }
}
