package dev.unjank.doctor.model;

import dev.unjank.trace.model.Trace;

/** What a trace is of, as far as words and advice depend on it. */
public enum Platform {
    /** A device that runs Android, or a machine of which nothing else is known. */
    ANDROID("frame", "made the screen stutter"),
    /** A Java virtual machine on another system: a server, or a program for a desktop. */
    JVM("message", "made a looper's messages late"),
    /** A Java virtual machine with a program that draws frame after frame. */
    JVM_THAT_DRAWS("frame", "made frames late");

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
     * @return {@link #JVM} or {@link #JVM_THAT_DRAWS} if it has a recording of one and nothing of Android
     */
    public static Platform of(Trace trace) {
        boolean android = isToldToBeAndroid(trace);
        boolean draws = trace.frames().size() > 0;
        for (int row = 0; !android && row < trace.frames().size(); row++) {
            int upid = trace.frames().upid(row);
            android = upid < 0 || !trace.processes().isJvm(upid);
        }
        for (int upid = 0; !android && upid < trace.processes().size(); upid++) {
            if (trace.processes().isJvm(upid)) {
                return draws ? JVM_THAT_DRAWS : JVM;
            }
        }
        return ANDROID;
    }

    /** Whether what a trace says of its machine is said of Android alone. */
    public static boolean isToldToBeAndroid(Trace trace) {
        return !trace.machine().packages().isEmpty()
                || trace.machine().facts().keySet().stream().anyMatch(fact -> fact.startsWith("android_"));
    }

    /**
     * {@return whether it is a Java virtual machine}
     */
    public boolean isJvm() {
        return this != ANDROID;
    }

    /**
     * {@return what a piece of work is called that should be done in time}
     */
    public String frame() {
        return frame;
    }

    /** The beginning of a sentence that says that all is well. */
    public String nothing() {
        return "Nothing was found that " + (isJvm() ? "kept a thread waiting for long" : harm);
    }

    /** The beginning of a sentence that names the cause. */
    public String whatMadeLate() {
        return "What " + harm + ": ";
    }
}
