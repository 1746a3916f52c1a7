package dev.unjank.record.session;

import dev.unjank.record.linux.Cpus;
import dev.unjank.record.linux.Proc;
import dev.unjank.trace.read.jfr.JfrChunks;
import dev.unjank.trace.write.TraceWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who is in a recording: processes and threads with their names and how they are scheduled, the CPUs, and the sources, to be told anew in each {@link TraceSegment}. Bounded: of too many the
 * ones named longest ago are forgotten, and keep their numbers only.
 */
final class TraceMetadata {
    private static final int MAX = 1 << 16;
    private static final int MAX_VIRTUAL = 1 << 10;

    private final Map<Integer, ProcessName> processes = bounded(MAX);
    private final Map<Integer, ThreadName> threads = bounded(MAX);

    /** Fewer than of others: there may be millions, and nobody tells when one has ended. */
    private final Map<Integer, ThreadName> virtualThreads = bounded(MAX_VIRTUAL);

    private final Map<Integer, ThreadName> kernelThreads = bounded(MAX);

    /** Of those only that are or were scheduled in another way than most. */
    private final Map<Integer, ThreadScheduling> schedulings = bounded(MAX);

    /** Threads that have ended. What their program called them may be told later. */
    private final Set<Integer> gone = Collections.newSetFromMap(bounded(MAX));

    private final List<TraceWriter.CpuEntry> cpus = Cpus.all();

    private final List<SourceAvailability> sources = new ArrayList<>();

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

    /** Takes what is to be said of a source, instead of what was before. */
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

    /** Takes a process; false if it is known just so. */
    boolean add(ProcessName process) {
        return !process.equals(processes.put(process.pid, process));
    }

    /** Takes a thread as its program calls it; false if it is known just so. */
    boolean add(ThreadName thread) {
        Map<Integer, ThreadName> named = thread.tid >= JfrChunks.FIRST_VIRTUAL ? virtualThreads : threads;
        return !thread.equals(named.put(thread.tid, thread));
    }

    /** Takes a thread as the kernel calls it; false if it is known just so. */
    boolean addKernels(ThreadName thread) {
        gone.remove(thread.tid); // its number is another thread's now
        return !thread.equals(kernelThreads.put(thread.tid, thread));
    }

    /** Takes how a thread is scheduled; false if that is known, or is as usual and always was. */
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

    /** Tells of all. What was told of threads that had ended is forgotten then: it was about what has just been written. */
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
