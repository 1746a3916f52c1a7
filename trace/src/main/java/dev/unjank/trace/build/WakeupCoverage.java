package dev.unjank.trace.build;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The times at which a trace has the wakeups of all threads, or of single processes only. It is kept by file: a
 * recorder of one process writes the wakeups of other processes in part, and all losses that the kernel counts. What is
 * missing in its file beyond these is no loss, but it may be one in a file that is merged with it.
 */
final class WakeupCoverage {
    /** The processes of which the recorder of this file has all wakeups; empty if it has those of all. */
    private final Set<Integer> pids = new HashSet<>();

    /** The files with switches that have been merged; empty for a single file. */
    private final List<Recording> files = new ArrayList<>();

    /** The time of a file, and the processes of which it has all wakeups; empty if it has those of all. */
    private record Recording(long startNs, long endNs, Set<Integer> pids) {
        boolean contains(long ts) {
            return startNs <= ts && ts <= endNs;
        }
    }

    /** This file has all wakeups of a process, and those of others only in part. */
    void addProcess(int pid) {
        pids.add(pid);
    }

    /** Adds what a part of the same file says. */
    void append(WakeupCoverage part) {
        pids.addAll(part.pids);
    }

    /** Adds a file with switches between two times. */
    void appendFile(WakeupCoverage file, long startNs, long endNs) {
        files.add(new Recording(startNs, endNs, Set.copyOf(file.pids)));
    }

    /** Whether a recording with all wakeups contains a time. */
    boolean isComplete(long ts) {
        return files.isEmpty()
                ? pids.isEmpty()
                : files.stream().anyMatch(file -> file.pids.isEmpty() && file.contains(ts));
    }

    /** Whether a recording with all wakeups of a process contains a time. */
    boolean hasAllWakeups(int pid, long ts) {
        return isComplete(ts)
                || (files.isEmpty()
                        ? pids.contains(pid)
                        : files.stream().anyMatch(file -> file.pids.contains(pid) && file.contains(ts)));
    }

    /** The processes of which the trace has all wakeups; empty if it has those of all. */
    Set<Integer> processes() {
        return files.isEmpty()
                ? pids
                : files.stream().flatMap(file -> file.pids.stream()).collect(Collectors.toSet());
    }
}
