package dev.unjank.doctor.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The startup of an app, and how its main thread spent the time.
 *
 * @param id Android's number of the startup, or its index in the trace where Android gives none
 * @param packageName the app
 * @param type {@code cold}, {@code warm} or {@code hot}; null if unknown
 * @param startNs start on the trace's clock, ns
 * @param durNs duration by Android's account, ns
 * @param mainThread the app's main thread; null if it is not in the trace
 * @param firstFrameNs end of the first frame on the trace's clock, ns; end of the startup if no frame is known
 * @param hasFirstFrame whether a first frame is known
 * @param shares the causes of the time until {@code firstFrameNs}, longest first; their sum is
 *     {@link #timeToInitialDisplayNs}
 */
public record AppStartup(
        long id,
        String packageName,
        @Nullable String type,
        long startNs,
        long durNs,
        @Nullable ThreadRef mainThread,
        long firstFrameNs,
        boolean hasFirstFrame,
        List<Share> shares) {
    /** Copies the list. */
    public AppStartup {
        shares = List.copyOf(shares);
    }

    /**
     * The time of one cause.
     *
     * @param cause the cause
     * @param verdict the reason of a {@link Cause#LOCK}, {@link Cause#BINDER} or {@link Cause#GC}; null otherwise
     * @param durNs time, ns
     */
    public record Share(Cause cause, @Nullable Verdict verdict, long durNs) {}

    /**
     * {@return this startup with other shares}
     *
     * @param other the causes of the time
     */
    public AppStartup withShares(List<Share> other) {
        return new AppStartup(id, packageName, type, startNs, durNs, mainThread, firstFrameNs, hasFirstFrame, other);
    }

    /** {@return the time to the first frame, or to the end of the startup if no frame is known, ns} */
    public long timeToInitialDisplayNs() {
        return firstFrameNs - startNs;
    }

    /** A state of an app's main thread during startup. */
    public enum Cause {
        /** The thread did not exist yet: the system started its process. */
        NOT_YET_BORN,
        /** The thread was running. */
        RUNNING,
        /** The thread was runnable: it waited for a CPU. */
        RUNNABLE,
        /** The thread waited for a lock. */
        LOCK,
        /** The thread waited for a binder reply. */
        BINDER,
        /** The thread waited for the garbage collector or a safepoint. */
        GC,
        /** The thread was in uninterruptible sleep. */
        IO,
        /** The thread slept for another reason, or was idle. */
        SLEEPING,
        /** The trace does not contain the thread's state. */
        UNKNOWN
    }
}
