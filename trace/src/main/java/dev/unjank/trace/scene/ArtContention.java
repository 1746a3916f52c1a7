package dev.unjank.trace.scene;

import org.jspecify.annotations.Nullable;

/**
 * What ART writes into a trace when a thread finds a monitor taken: an outer slice that names the owner as Java knows
 * it, and inside it a slice of the runtime's own lock behind the monitor that names the owner as the kernel knows it.
 * How much of that a device writes depends on its version of Android.
 *
 * @param ownerMethod where the owner took the lock, null if ART does not know
 * @param nestedTid the owner's tid in the inner slice (0 if unknown to ART), -1 for no inner slice
 */
public record ArtContention(
        String ownerName, int ownerId, @Nullable String ownerMethod, String blockedMethod, int waiters, int nestedTid) {
    /** Where a message is put into a looper's queue, as Android 15 spells it. */
    public static final String ENQUEUE_MESSAGE =
            "boolean android.os.MessageQueue.enqueueMessage(android.os.Message, long)(MessageQueue.java:594)";

    /** Where a looper waits for its next message, as Android 15 spells it. */
    public static final String QUEUE_NEXT = "android.os.Message android.os.MessageQueue.next()(MessageQueue.java:348)";

    /**
     * A message queue's lock, found taken by a thread that posts a message, as Android 15 writes it. The other
     * methods make variants.
     */
    public static ArtContention heldBy(SceneThread owner) {
        return new ArtContention(owner.comm(), owner.tid(), ENQUEUE_MESSAGE, QUEUE_NEXT, 0, owner.tid());
    }

    /** With another Java name of the owner. */
    public ArtContention ownerName(String name) {
        return new ArtContention(name, ownerId, ownerMethod, blockedMethod, waiters, nestedTid);
    }

    /** As Android 12 and 13 write it, with ART's thread id beside the owner's name. */
    public ArtContention artThreadId(int id) {
        return new ArtContention(ownerName, id, ownerMethod, blockedMethod, waiters, nestedTid);
    }

    /**
     * With other places in the code, each as ART spells it: return type, class, method, arguments, file and line.
     *
     * @param owner where the owner took the lock, null to leave out the whole part
     */
    public ArtContention at(@Nullable String owner, String blocked) {
        return new ArtContention(ownerName, ownerId, owner, blocked, waiters, nestedTid);
    }

    /** With threads that waited before this one. */
    public ArtContention waiters(int count) {
        return new ArtContention(ownerName, ownerId, ownerMethod, blockedMethod, count, nestedTid);
    }

    /**
     * With another tid in the inner slice.
     *
     * @param tid the kernel's tid, 0 if ART does not know it
     */
    public ArtContention nestedTid(int tid) {
        return new ArtContention(ownerName, ownerId, ownerMethod, blockedMethod, waiters, tid);
    }

    /** Without the inner slice, as Android 7 mostly writes it. */
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
     * The inner slice's name.
     *
     * @return the name, null if there is none
     */
    public @Nullable String nestedSlice() {
        return nestedTid < 0 ? null : "Lock contention on a monitor lock (owner tid: " + nestedTid + ")";
    }
}
