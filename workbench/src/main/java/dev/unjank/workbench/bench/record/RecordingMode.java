package dev.unjank.workbench.bench.record;

import dev.unjank.record.hotspot.CriticalDowncallSource;
import dev.unjank.record.jvm.TargetJvm;
import dev.unjank.record.kernel.JniCriticalSource;
import dev.unjank.record.kernel.KernelSource;
import dev.unjank.record.session.RecordingSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What is recorded of a process, with the settings of {@code unjank record}. */
enum RecordingMode {
    WITHOUT("not recorded", Double.NaN),
    /** What comes from inside the virtual machine. */
    INSIDE("Flight Recorder, lock owners", 3),
    /** That and the scheduler. */
    ALL("and the kernel's scheduling", 10),
    /** All that and who is in native code that others have to wait for. */
    CRITICAL("and critical native code", 10);

    /** After so much Flight Recorder's events are fetched, as {@code unjank record} does. */
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

    /** How much more processor time an operation of the process may take, in percent. */
    double mostPercent() {
        return mostPercent;
    }

    /** What is recorded of a process. */
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
