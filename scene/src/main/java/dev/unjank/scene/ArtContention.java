package dev.unjank.scene;

import org.jspecify.annotations.Nullable;

/**
 * The slices that ART writes if a thread blocks on a contended monitor: an outer slice with the owner's Java name, and
 * a nested slice of the runtime's internal lock with the owner's tid. Their form depends on the Android version.
 *
 * @param ownerMethod where the owner took the lock, null if unknown to ART
 * @param nestedTid the owner's tid in the nested slice (0 if unknown to ART), -1 for no nested slice
 */
public record ArtContention(
        String ownerName, int ownerId, @Nullable String ownerMethod, String blockedMethod, int waiters, int nestedTid) {
    /** The method that enqueues a message, as written by Android 15. */
    public static final String ENQUEUE_MESSAGE =
            "boolean android.os.MessageQueue.enqueueMessage(android.os.Message, long)(MessageQueue.java:594)";

    /** The method in which a looper waits for its next message, as written by Android 15. */
    public static final String QUEUE_NEXT = "android.os.Message android.os.MessageQueue.next()(MessageQueue.java:348)";

    /**
     * Contention on a message queue's lock, which a thread holds while it posts a message, as written by Android 15.
     * The other methods derive variants.
     */
    public static ArtContention heldBy(SceneThread owner) {
        return new ArtContention(owner.comm(), owner.tid(), ENQUEUE_MESSAGE, QUEUE_NEXT, 0, owner.tid());
    }

    /** Returns a copy with another Java name of the owner. */
    public ArtContention ownerName(String name) {
        return new ArtContention(name, ownerId, ownerMethod, blockedMethod, waiters, nestedTid);
    }

    /** Returns a copy in the format of Android 12 and 13, with ART's thread id after the owner's name. */
    public ArtContention artThreadId(int id) {
        return new ArtContention(ownerName, id, ownerMethod, blockedMethod, waiters, nestedTid);
    }

    /**
     * Returns a copy with other code locations, in ART's format: return type, class, method, arguments, file and line.
     *
     * @param owner where the owner took the lock, null to omit that part
     */
    public ArtContention at(@Nullable String owner, String blocked) {
        return new ArtContention(ownerName, ownerId, owner, blocked, waiters, nestedTid);
    }

    /** Returns a copy with earlier waiters. */
    public ArtContention waiters(int count) {
        return new ArtContention(ownerName, ownerId, ownerMethod, blockedMethod, count, nestedTid);
    }

    /**
     * Returns a copy with another tid in the nested slice.
     *
     * @param tid the kernel's tid, 0 if unknown to ART
     */
    public ArtContention nestedTid(int tid) {
        return new ArtContention(ownerName, ownerId, ownerMethod, blockedMethod, waiters, tid);
    }

    /** Returns a copy without the nested slice, as in most traces of Android 7. */
    public ArtContention withoutNestedSlice() {
        return nestedTid(-1);
    }

    /** The outer slice's name. */
    public String outerSlice() {
        return "monitor contention with owner " + ownerName + " (" + ownerId + ")"
                + (ownerMethod == null ? "" : " at " + ownerMethod)
                + " waiters=" + waiters
                + " blocking from " + blockedMethod;
    }

    /**
     * The nested slice's name.
     *
     * @return the name, null if there is none
     */
    public @Nullable String nestedSlice() {
        return nestedTid < 0 ? null : "Lock contention on a monitor lock (owner tid: " + nestedTid + ")";
    }
}
