package dev.unjank.doctor.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The start of an app, and where the time went.
 *
 * @param id Android's number of it, or its position in the trace where Android gives none
 * @param packageName the app
 * @param type {@code cold}, {@code warm} or {@code hot}; null if the trace does not say
 * @param startNs when it began, on the trace's clock
 * @param durNs how long Android says it took, in ns
 * @param mainThread the app's main thread; null if the trace does not show it
 * @param firstFrameNs when its first frame was done, on the trace's clock; the end of the start if no frame is known
 * @param hasFirstFrame whether a first frame is known
 * @param shares what the main thread did until then, longest first; adds up to {@code untilNs - startNs}
 */
public record AppStartup(
        int id,
        String packageName,
        @Nullable String type,
        long startNs,
        long durNs,
        @Nullable ThreadRef mainThread,
        long firstFrameNs,
        boolean hasFirstFrame,
        List<Share> shares) {
    /** Keeps its own copy of the list. */
    public AppStartup {
        shares = List.copyOf(shares);
    }

    /**
     * The time that one cause took.
     *
     * @param cause the cause
     * @param verdict of a {@link Cause#LOCK}, {@link Cause#BINDER} or {@link Cause#GC}: why it took so long; else null
     * @param durNs the time in ns
     */
    public record Share(Cause cause, @Nullable Verdict verdict, long durNs) {}

    /**
     * The same startup with other shares.
     *
     * @param other what the main thread did
     * @return the changed copy
     */
    public AppStartup withShares(List<Share> other) {
        return new AppStartup(id, packageName, type, startNs, durNs, mainThread, firstFrameNs, hasFirstFrame, other);
    }

    /**
     * {@return how long it took to the first frame, or in all if no frame is known, in ns}
     */
    public long timeToInitialDisplayNs() {
        return firstFrameNs - startNs;
    }

    /** What an app's main thread may do while it starts. */
    public enum Cause {
        /** The thread did not exist yet: others were at work, from the tap on. */
        NOT_YET_BORN,
        /** It ran. */
        RUNNING,
        /** It was ready to run and had no CPU. */
        RUNNABLE,
        /** It waited for a lock. */
        LOCK,
        /** It waited for a reply. */
        BINDER,
        /** It waited for the garbage collector or a safepoint. */
        GC,
        /** It slept inside the kernel. */
        IO,
        /** It slept for another reason, or had nothing to do. */
        SLEEPING,
        /** The trace does not say. */
        UNKNOWN
    }
}
