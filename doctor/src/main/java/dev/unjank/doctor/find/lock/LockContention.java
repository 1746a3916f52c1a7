package dev.unjank.doctor.find.lock;

import dev.unjank.doctor.model.CodeLocation;
import org.jspecify.annotations.Nullable;

/**
 * What the name of a lock contention slice says.
 *
 * @param kind who wrote the slice
 * @param lock the lock: {@code monitor}, or the class of the object whose monitor it is; {@code thread list lock}; the class
 *     that a thread parks on
 * @param ownerName the owner's name as the runtime knows it: whole, where the kernel's is cut to 15 bytes; null if not given
 * @param ownerId the owner's number, {@value #NO_OWNER} if not given: a kernel tid in {@link Kind#RUNTIME} and {@link Kind#PARK}; in
 *     {@link Kind#MONITOR} a kernel tid or, on Android 12 and 13, the runtime's own thread number
 * @param ownerSite where the owner took the lock; null if not given
 * @param waiters how many other threads were waiting already
 * @param blockedSite where the blocked thread wants the lock; null if not given
 */
public record LockContention(
        Kind kind,
        String lock,
        @Nullable String ownerName,
        int ownerId,
        @Nullable CodeLocation ownerSite,
        int waiters,
        @Nullable CodeLocation blockedSite) {

    /** The number of no thread. */
    static final int NO_OWNER = 0;

    /** The same, with where the owner took the lock, if its own name does not tell. */
    LockContention at(@Nullable CodeLocation site) {
        return ownerSite != null || site == null
                ? this
                : new LockContention(kind, lock, ownerName, ownerId, site, waiters, blockedSite);
    }

    /** The families of contention slices. */
    enum Kind {
        /** {@code monitor contention with owner …}: a Java monitor, by ART's monitor code. */
        MONITOR,
        /** {@code Lock contention on …}: a mutex of ART's own, among them the one inside each inflated monitor. */
        RUNTIME,
        /** {@code Contending for pthread mutex}: by bionic, which knows no owner. */
        PTHREAD,
        /** {@code parking on … (owner tid: …)}: a lock of {@code java.util.concurrent}, by recorders of Java programs. */
        PARK
    }
}
