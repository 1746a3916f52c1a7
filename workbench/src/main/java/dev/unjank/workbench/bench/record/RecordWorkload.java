package dev.unjank.workbench.bench.record;

import java.util.EnumSet;
import java.util.Set;

/** A workload of the recorded process. */
public enum RecordWorkload {
    /** Four threads that meet at a monitor and at a lock of {@code java.util.concurrent}. */
    CONTENDED("contended", "4 threads at a monitor and a ReentrantLock, 2 us inside, 4 us outside"),
    /** The same beside a great many threads that do nothing, each of which the observer has to look at. */
    CROWDED("crowded", "the same beside 1,000 threads that do nothing"),
    MESSAGES("messages", "a looper, 10 us a message, 2 threads that post by 64, 60 frames a second"),
    /** JNI critical sections again and again, by the JDK's own compression. */
    ZIPPING("zipping", "2 threads that compress 16 kB at a time, in a JNI critical section each time"),
    IDLE("idle", "nothing at all");

    private final String label;
    private final String description;

    RecordWorkload(String label, String description) {
        this.label = label;
        this.description = description;
    }

    /** What it is called on the command line. */
    public String label() {
        return label;
    }

    public String description() {
        return description;
    }

    /** How it is recorded, in turns; critical native code where there is some. */
    Set<RecordingMode> conditions() {
        return this == ZIPPING
                ? EnumSet.of(RecordingMode.WITHOUT, RecordingMode.ALL, RecordingMode.CRITICAL)
                : EnumSet.of(RecordingMode.WITHOUT, RecordingMode.INSIDE, RecordingMode.ALL);
    }
}
