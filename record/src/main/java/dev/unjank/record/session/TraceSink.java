package dev.unjank.record.session;

import java.io.IOException;

/**
 * Takes what sources find. Any thread may call any method at any time; none of them throws because of the file: once writing has
 * failed, everything is dropped, and the recording ends. Times are of {@link System#nanoTime}.
 *
 * <p>Processes and threads are remembered, so that each part of the file that is kept names them; there is no need to repeat
 * oneself.
 */
public interface TraceSink {
    /**
     * Names a process. What is named again gets the new name.
     *
     * @param pid its number
     * @param parentPid the number of the one that started it, 0 if not known
     * @param name its name
     * @param isJvm whether it runs a Java virtual machine
     */
    void process(int pid, int parentPid, String name, boolean isJvm);

    /**
     * Names a thread as its program calls it. What is named again gets the new name.
     *
     * @param pid the process
     * @param tid the thread's number: the kernel's, so that its own slices lie beside what the scheduler says of it
     * @param name its name
     */
    void thread(int pid, int tid, String name);

    /**
     * Names a thread as the kernel calls it. A program's name for it stands above that.
     *
     * @param pid the process
     * @param tid the thread
     * @param comm its short name
     */
    void kernelThread(int pid, int tid, String comm);

    /**
     * Tells how a thread is scheduled. What is told again is so from now on; what is usual need not be told.
     *
     * @param tid the thread
     * @param name what it is called
     * @param policy the kernel's name of it, such as {@code SCHED_RR}
     * @param nice the nice value, which counts for ordinary threads only
     * @param realTimePriority 1 to 99 for real-time threads, 0 for others
     */
    void scheduling(int tid, String name, String policy, int nice, int realTimePriority);

    /**
     * A thread has ended, and need not be named in later parts of the file.
     *
     * @param tid the thread
     */
    void gone(int tid);

    /**
     * Writes events. The batch is run by the calling thread, at once, under the file's lock: it should be short, and hold no lock
     * that the target waits for. All events of one batch are kept or dropped together when old parts of the file are dropped, so
     * a slice's begin and its end belong into one.
     *
     * @param batch what to write
     */
    void write(Batch batch);

    /**
     * From when to when the recording goes. What lies outside of it, while sources are switched on and off, does not belong into
     * the trace.
     *
     * @return the interval as far as it is known by now
     */
    RecordingInterval interval();

    /**
     * A slice of a thread of which both ends are known. Slices of a thread may come in any order, but must lie within each other
     * or apart.
     *
     * @param begin when it began
     * @param end when it ended
     * @param pid the process
     * @param tid the thread
     * @param category what kind of thing it is
     * @param name what it is
     */
    default void slice(long begin, long end, int pid, int tid, String category, String name) {
        write(to -> {
            long track = to.track(begin, pid, tid);
            to.events().begin(begin, track, category, name).write();
            to.events().end(end, track).write();
        });
    }

    /**
     * Tells that a source has lost events. The trace then says so.
     *
     * @param source which
     * @param events how many more than told before
     */
    void lost(String source, long events);

    /**
     * Tells that a source has ended before the recording has, or does not know all at its end. The trace then says so, and so does the
     * {@link Recording}.
     *
     * @param source which, by the name that its {@link SourceAvailability} has
     * @param reason why, for people
     */
    void ended(String source, String reason);

    /** Writes some events. */
    @FunctionalInterface
    interface Batch {
        /**
         * Writes them.
         *
         * @param to where they go; not to be kept
         * @throws IOException if the file fails
         */
        void write(TraceSegment to) throws IOException;
    }
}
