package dev.unjank.workbench.bench.record;

import java.util.EnumSet;
import java.util.Set;

/** A workload of the recorded process. */
public enum RecordWorkload {
    /** Four threads that contend for a monitor and a {@code java.util.concurrent} lock. */
    CONTENDED("contended", "4 threads contend for a monitor and a ReentrantLock, 2 us inside, 4 us outside"),
    /** The same with a large number of idle threads, all of which the recorder must check. */
    CROWDED("crowded", "the same with 1,000 idle threads"),
    MESSAGES("messages", "a looper, 10 us per message, 2 threads that post batches of 64, 60 frames per second"),
    /** Repeated JNI critical sections, in the JDK's compression. */
    ZIPPING("zipping", "2 threads that compress 16 kB at a time, each in a JNI critical section"),
    IDLE("idle", "no activity");

    private final String label;
    private final String description;

    RecordWorkload(String label, String description) {
        this.label = label;
        this.description = description;
    }

    /** Its name on the command line. */
    public String label() {
        return label;
    }

    public String description() {
        return description;
    }

    /** The recording modes to alternate; with critical native code if the workload has any. */
    Set<RecordingMode> conditions() {
        return this == ZIPPING
                ? EnumSet.of(RecordingMode.WITHOUT, RecordingMode.ALL, RecordingMode.CRITICAL)
                : EnumSet.of(RecordingMode.WITHOUT, RecordingMode.INSIDE, RecordingMode.ALL);
    }
}
