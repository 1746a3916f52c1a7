package dev.unjank.doctor;

import dev.unjank.trace.Trace;

/** What a trace is of, as far as words and advice depend on it. */
public enum Platform {
    /** A device that runs Android, or a machine of which nothing else is known. */
    ANDROID("frame", "made the screen stutter"),
    /** A Java virtual machine on another system: a server, or a program for a desktop. */
    JVM("message", "made a looper's messages late");

    private final String frame;
    private final String harm;

    Platform(String frame, String harm) {
        this.frame = frame;
        this.harm = harm;
    }

    /**
     * What a trace is of.
     *
     * @param trace the trace
     * @return {@link #JVM} if it has a recording of one and nothing of Android
     */
    public static Platform of(Trace trace) {
        boolean android = trace.frames().size() > 0
                || !trace.machine().packages().isEmpty()
                || trace.machine().facts().keySet().stream().anyMatch(fact -> fact.startsWith("android_"));
        for (int upid = 0; !android && upid < trace.processes().size(); upid++) {
            if (trace.processes().isJvm(upid)) {
                return JVM;
            }
        }
        return ANDROID;
    }

    /**
     * {@return what a piece of work is called that should be done in time}
     */
    public String frame() {
        return frame;
    }

    /** The beginning of a sentence that says that all is well. */
    String nothing() {
        return "Nothing was found that " + (this == JVM ? "kept a thread waiting for long" : harm);
    }

    /** The beginning of a sentence that names the cause. */
    String whatMadeLate() {
        return "What " + harm + ": ";
    }
}
