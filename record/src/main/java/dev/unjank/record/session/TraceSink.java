package dev.unjank.record.session;

import java.io.IOException;

/**
 * Receives the events of sources. Thread-safe. No method throws because of the file: after a write failure all events
 * are dropped, and the recording ends. Times are of {@link System#nanoTime}.
 *
 * <p>Names of processes and threads are repeated in each part of the file automatically.
 */
public interface TraceSink {
    /** Sets the name of a process. The parent's pid is 0 if unknown. */
    void process(int pid, int parentPid, String name, boolean isJvm);

    /** Wakeups of threads of other processes are written only in part. Called before {@link RecordingSource#begin}. */
    void onlyWakeupsOfTarget();

    /** Sets the name that the program has given a thread. */
    void thread(int pid, int tid, String name);

    /** Sets the kernel's name of a thread. The program's name takes precedence. */
    void kernelThread(int pid, int tid, String comm);

    /**
     * Sets the scheduling of a thread, if it is not the default.
     *
     * @param policy the kernel's name of it, such as {@code SCHED_RR}
     * @param nice the nice value, which counts for ordinary threads only
     * @param realTimePriority 1 to 99 for real-time threads, 0 for others
     */
    void scheduling(int tid, String name, String policy, int nice, int realTimePriority);

    /** A thread has ended: later parts of the file do not name it. */
    void gone(int tid);

    /**
     * Writes events. The calling thread executes the batch immediately, under the file's lock. The batch should be
     * short and must not hold a lock that the target waits for. All events of a batch go to the same part of the file,
     * so the begin and the end of a slice belong in one batch.
     */
    void write(Batch batch);

    /**
     * The interval of the recording. Events outside of it, while sources are switched on and off, do not belong in the
     * trace.
     */
    RecordingInterval interval();

    /** Writes a complete slice of a thread. Slices of a thread may come in any order, but must nest. */
    default void slice(long begin, long end, int pid, int tid, String category, String name) {
        write(to -> {
            long track = to.track(begin, pid, tid);
            to.events().begin(begin, track, category, name).write();
            to.events().end(end, track).write();
        });
    }

    /** Reports that a source has lost events, which the trace will contain. */
    void lost(String source, long events);

    /**
     * Reports, with a reason for users, that a source has ended before the recording, or is incomplete at its end. The
     * trace and {@link Recording#availability} will contain it.
     */
    void ended(String source, String reason);

    /** A batch of events. */
    @FunctionalInterface
    interface Batch {
        /** Writes the events to the current part of the file. The batch must not keep a reference to the part. */
        void write(TraceSegment to) throws IOException;
    }
}
