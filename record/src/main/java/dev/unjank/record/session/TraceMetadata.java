package dev.unjank.record.session;

import dev.unjank.record.linux.Cpus;
import dev.unjank.record.linux.Proc;
import dev.unjank.trace.read.jfr.JfrChunks;
import dev.unjank.trace.write.TraceWriter;
import dev.unjank.trace.write.TrackWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The metadata of a recording: processes, threads with names and scheduling, CPUs and sources, which each {@link
 * TraceSegment} repeats. Bounded: names that were set longest ago are dropped.
 */
final class TraceMetadata {
    private static final int MAX = 1 << 16;
    private static final int MAX_VIRTUAL = 1 << 10;

    private final Map<Integer, ProcessName> processes = bounded(MAX);
    private final Map<Integer, ThreadName> threads = bounded(MAX);

    /**
     * The limit for virtual threads. It is lower than for other threads: there may be millions, and their ends are not
     * reported.
     */
    private final Map<Integer, ThreadName> virtualThreads = bounded(MAX_VIRTUAL);

    private final Map<Integer, ThreadName> kernelThreads = bounded(MAX);

    /** Threads that have, or had, another scheduling than the default. */
    private final Map<Integer, ThreadScheduling> schedulings = bounded(MAX);

    /** Ended threads, whose Java names may come later. */
    private final Set<Integer> gone = Collections.newSetFromMap(bounded(MAX));

    private final List<TraceWriter.CpuEntry> cpus = Cpus.all();

    private final List<SourceAvailability> sources = new ArrayList<>();

    private boolean hasOnlyWakeupsOfTarget;

    record ProcessName(int pid, int parentPid, String name, boolean isJvm) {}

    record ThreadName(int pid, int tid, String name) {}

    record ThreadScheduling(int tid, String name, Proc.Scheduling how) {}

    private static <V> Map<Integer, V> bounded(int most) {
        return new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Integer, V> eldest) {
                return size() > most;
            }
        };
    }

    /** Wakeups of threads of other processes are recorded only in part. */
    void onlyWakeupsOfTarget() {
        hasOnlyWakeupsOfTarget = true;
    }

    /** The labels of the target. */
    String[] targetLabels() {
        return hasOnlyWakeupsOfTarget ? new String[] {TrackWriter.WAKEUPS} : new String[0];
    }

    /** Sets the availability of a source. */
    void put(SourceAvailability source) {
        for (int i = 0; i < sources.size(); i++) {
            if (sources.get(i).source().equals(source.source())) {
                sources.set(i, source);
                return;
            }
        }
        sources.add(source);
    }

    List<SourceAvailability> sources() {
        return sources;
    }

    /** Sets the name of a process; false if unchanged. */
    boolean add(ProcessName process) {
        return !process.equals(processes.put(process.pid, process));
    }

    /** Sets the Java name of a thread; false if unchanged. */
    boolean add(ThreadName thread) {
        Map<Integer, ThreadName> named = thread.tid >= JfrChunks.FIRST_VIRTUAL ? virtualThreads : threads;
        return !thread.equals(named.put(thread.tid, thread));
    }

    /** Sets the kernel's name of a thread; false if unchanged. */
    boolean addKernels(ThreadName thread) {
        gone.remove(thread.tid); // its id has been reused
        return !thread.equals(kernelThreads.put(thread.tid, thread));
    }

    /** Sets the scheduling of a thread; false if unchanged, or always the default. */
    boolean add(ThreadScheduling thread) {
        ThreadScheduling before = schedulings.get(thread.tid);
        Proc.Scheduling known = before == null ? Proc.Scheduling.USUAL : before.how;
        if (thread.how.equals(known)) {
            return false;
        }
        schedulings.put(thread.tid, thread);
        return true;
    }

    /** The machine's CPUs. */
    List<TraceWriter.CpuEntry> cpus() {
        return cpus;
    }

    /** A thread has ended, and if it was a main thread, its process. */
    void remove(int tid) {
        threads.remove(tid);
        kernelThreads.remove(tid);
        schedulings.remove(tid);
        processes.remove(tid);
        gone.add(tid);
    }

    /** Writes everything, and drops the names of ended threads. */
    void writeTo(TraceSegment segment) throws IOException {
        for (ProcessName process : processes.values()) {
            segment.process(process);
        }
        segment.kernelThreads(kernelThreads.values());
        for (Map<Integer, ThreadName> named : List.of(threads, virtualThreads)) {
            for (ThreadName thread : named.values()) {
                segment.thread(thread);
            }
        }
        threads.keySet().removeAll(gone);
        for (ThreadScheduling thread : schedulings.values()) {
            segment.scheduling(thread);
        }
    }
}
