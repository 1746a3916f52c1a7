package dev.unjank.doctor.find.thread;

import dev.unjank.doctor.model.Platform;
import dev.unjank.trace.model.Trace;

/** Detects the platform that a trace was recorded on. */
public final class PlatformDetector {
    private PlatformDetector() {}

    /** {@return {@link Platform#ANDROID} unless the trace records a Java virtual machine and nothing of Android} */
    public static Platform of(Trace trace) {
        boolean android = isAndroid(trace);
        boolean hasFrames = trace.frames().size() > 0;
        for (int row = 0; !android && row < trace.frames().size(); row++) {
            int upid = trace.frames().upid(row);
            android = upid < 0 || !trace.processes().isJvm(upid);
        }
        for (int upid = 0; !android && upid < trace.processes().size(); upid++) {
            if (trace.processes().isJvm(upid)) {
                return hasFrames ? Platform.JVM_WITH_FRAMES : Platform.JVM;
            }
        }
        return Platform.ANDROID;
    }

    /** {@return whether the trace contains data that only Android writes} */
    public static boolean isAndroid(Trace trace) {
        return !trace.machine().packages().isEmpty()
                || trace.machine().facts().keySet().stream().anyMatch(fact -> fact.startsWith("android_"));
    }
}
