package dev.unjank.workbench.bench.record;

import dev.unjank.record.hotspot.CriticalDowncallSource;
import dev.unjank.record.jvm.TargetJvm;
import dev.unjank.record.kernel.JniCriticalSource;
import dev.unjank.record.kernel.KernelSource;
import dev.unjank.record.session.RecordingSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A selection of data sources, with the settings of {@code unjank record}. */
enum RecordingMode {
    WITHOUT("not recorded", Double.NaN),
    /** The data sources inside the JVM. */
    INSIDE("Flight Recorder, lock owners", 3),
    /** The same and kernel scheduling. */
    ALL("and the kernel's scheduling", 10),
    /** The same and native code that delays GC and safepoints. */
    CRITICAL("and critical native code", 10);

    /** The interval at which Flight Recorder's events are fetched, as in {@code unjank record}. */
    static final Duration PIECE = Duration.ofSeconds(5);

    private static final Duration LEAST_WAIT = Duration.ofMillis(1);

    private final String label;
    private final double mostPercent;

    RecordingMode(String label, double mostPercent) {
        this.label = label;
        this.mostPercent = mostPercent;
    }

    String label() {
        return label;
    }

    /** The maximum increase of CPU time per operation, in percent. */
    double mostPercent() {
        return mostPercent;
    }

    /** The data sources of a process. */
    List<RecordingSource> sources(int pid) {
        List<RecordingSource> sources = new ArrayList<>();
        if (this == ALL || this == CRITICAL) {
            sources.add(new KernelSource(pid, false, false));
        }
        if (this == CRITICAL) {
            sources.add(new JniCriticalSource(pid));
            sources.add(new CriticalDowncallSource(pid));
        }
        if (this != WITHOUT) {
            sources.addAll(new TargetJvm(pid).sources(LEAST_WAIT, PIECE));
        }
        return sources;
    }
}
