package dev.unjank.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Makes a {@link Trace} out of events, in whatever order they come: the one sink of all importers, and of tests that want a
 * trace of a few lines. Events are only noted at first; {@link #build} sorts them by time (equal times keep their order) and
 * then works out threads, states and slices in one walk.
 *
 * <p>Texts are given as ids from {@link #intern}; -1 stands for no text. Numbers from a broken trace do no harm: an event
 * with a CPU number that no machine has, or with a negative time, is dropped and counted, and every other number is taken as it
 * is.
 *
 * <p>Not thread-safe. A builder builds once.
 */
public final class TraceBuilder {

    /** Stands for a state that is not a set of the kernel's bits but the code of a {@link SchedState}. */
    private static final long STATE_IS_CODE = 0x8000;

    private final String name;
    private final StringPool strings = new StringPool();
    private final FrameTracker frames = new FrameTracker();
    private final TrackTable tracks = new TrackTable();
    private final CounterTable counterTracks = new CounterTable();
    private final QueueEventTable queueEvents = new QueueEventTable();
    private final List<String> warnings = new ArrayList<>();

    /** Log 0 has the events of no CPU, log 1 + n those of CPU n. */
    private EventLog[] logs = {new EventLog()};

    private EventLog marks = logs[0];
    private long sizeBytes;
    private boolean before414;
    private boolean hasScheduling;
    private boolean hasWaking;
    private long skippedPackets;
    private long skippedFtraceEvents;
    private long badCpus;
    private long badTimes;
    private long startNs = Long.MAX_VALUE;
    private long endNs = Long.MIN_VALUE;

    /**
     * Begins a trace.
     *
     * @param name what to call it
     */
    public TraceBuilder(String name) {
        this.name = name;
    }

    /**
     * Whether a switch was noted so far.
     *
     * @return false as long as the trace would have no thread states
     */
    public boolean hasScheduling() {
        return hasScheduling;
    }

    /**
     * Notes the size of the input.
     *
     * @param bytes as stored
     */
    public void sizeBytes(long bytes) {
        sizeBytes = bytes;
    }

    /**
     * Notes something that a reader of the results should know.
     *
     * @param line one line
     */
    public void warn(String line) {
        warnings.add(line);
    }

    /**
     * Notes how much of the input was passed over, as {@link Trace#skipped} tells it.
     *
     * @param packets how many packets more
     * @param ftraceEvents how many kernel events more
     */
    public void skipped(long packets, long ftraceEvents) {
        skippedPackets += packets;
        skippedFtraceEvents += ftraceEvents;
    }

    /**
     * Notes which kernel wrote the scheduler's events, since the numbers of states changed over time.
     *
     * @param major the first number of its version
     * @param minor the second
     */
    public void kernelVersion(int major, int minor) {
        before414 = major < 4 || (major == 4 && minor < 14);
    }

    /**
     * Gives a text an id.
     *
     * @param text any text
     * @return the id, equal for equal texts
     */
    public int intern(String text) {
        return strings.intern(text);
    }

    /**
     * Gives a text an id.
     *
     * @param bytes holds the text in UTF-8
     * @param from where it begins
     * @param length how many bytes it has
     * @return the id, equal for equal texts
     */
    public int intern(byte[] bytes, int from, int length) {
        return strings.intern(bytes, from, length);
    }

    /**
     * Says on which CPU the events that follow were written, until told otherwise. Only {@link #begin} and the other methods
     * that have no CPU among their parameters ask. It changes nothing in the result but the order of events of equal times,
     * and makes loading faster, since the events of one CPU come in order.
     *
     * @param cpu the CPU, -1 for none
     */
    public void onCpu(int cpu) {
        marks = cpu < 0 || cpu >= StateInfo.MAX_CPUS ? logs[0] : log(cpu);
    }

    private EventLog log(int cpu) {
        int index = 1 + cpu;
        if (index >= logs.length) {
            int from = logs.length;
            logs = Arrays.copyOf(logs, index + 1);
            for (int i = from; i < logs.length; i++) {
                logs[i] = new EventLog();
            }
        }
        return logs[index];
    }

    /**
     * Makes a track for slices that are told of by track and not by thread.
     *
     * @param tid the thread whose slices they are, -1 if they belong to none
     * @param pid its process, or the one they belong to; -1 if not told
     * @return the track's number, for {@link #trackBegin} and its siblings
     */
    public int newTrack(int tid, int pid) {
        return tracks.add(tid, pid);
    }

    /**
     * Makes a track for the values of a counter.
     *
     * @param tid the thread that it belongs to, -1 if to none
     * @param pid its process, or the one it belongs to; -1 if not told
     * @param name of the counter
     * @param unit what it counts, -1 if not told
     * @return the track's number, for {@link #trackCounter}
     */
    public int newCounterTrack(int tid, int pid, int name, int unit) {
        return counterTracks.add(tid, pid, name, unit);
    }

    private boolean accept(long ts, int cpu) {
        if (cpu < 0 || cpu >= StateInfo.MAX_CPUS) {
            badCpus++;
            return false;
        }
        return accept(ts);
    }

    private boolean accept(long ts) {
        if (ts < 0) {
            badTimes++;
            return false;
        }
        startNs = Math.min(startNs, ts);
        endNs = Math.max(endNs, ts);
        return true;
    }

    /**
     * A CPU switched from one thread to another, with the state as the kernel writes it.
     *
     * @param ts when
     * @param cpu the CPU
     * @param prevTid who ran until now
     * @param prevComm its name
     * @param prevPriority its priority
     * @param prevState the kernel's bits
     * @param nextTid who runs from now
     * @param nextComm its name
     * @param nextPriority its priority
     */
    public void schedSwitch(
            long ts,
            int cpu,
            int prevTid,
            int prevComm,
            int prevPriority,
            long prevState,
            int nextTid,
            int nextComm,
            int nextPriority) {
        if (accept(ts, cpu)) {
            hasScheduling = true;
            log(cpu).add(
                            EventKind.SWITCH
                                    | (prevState & 0x7fff) << 8
                                    | (StateInfo.plausible(prevPriority) & 0xffffL) << 24
                                    | (StateInfo.plausible(nextPriority) & 0xffffL) << 40,
                            ts,
                            EventKind.pair(nextTid, nextComm),
                            EventKind.pair(prevTid, prevComm));
        }
    }

    /**
     * A CPU switched from one thread to another.
     *
     * @param ts when
     * @param cpu the CPU
     * @param prevTid who ran until now
     * @param prevComm its name
     * @param prevPriority its priority
     * @param prevState what it does from now
     * @param nextTid who runs from now
     * @param nextComm its name
     * @param nextPriority its priority
     */
    public void schedSwitch(
            long ts,
            int cpu,
            int prevTid,
            int prevComm,
            int prevPriority,
            SchedState prevState,
            int nextTid,
            int nextComm,
            int nextPriority) {
        if (accept(ts, cpu)) {
            hasScheduling = true;
            log(cpu).add(
                            EventKind.SWITCH
                                    | (STATE_IS_CODE | prevState.code()) << 8
                                    | (StateInfo.plausible(prevPriority) & 0xffffL) << 24
                                    | (StateInfo.plausible(nextPriority) & 0xffffL) << 40,
                            ts,
                            EventKind.pair(nextTid, nextComm),
                            EventKind.pair(prevTid, prevComm));
        }
    }

    /**
     * A CPU switched to a thread, from the one that the CPU's last switch named.
     *
     * @param ts when
     * @param cpu the CPU
     * @param prevState the kernel's bits for what the other does from now
     * @param nextTid who runs from now
     * @param nextComm its name
     * @param nextPriority its priority
     */
    public void compactSwitch(long ts, int cpu, long prevState, int nextTid, int nextComm, int nextPriority) {
        if (accept(ts, cpu)) {
            hasScheduling = true;
            log(cpu).add(
                            EventKind.COMPACT_SWITCH
                                    | (prevState & 0x7fff) << 8
                                    | (StateInfo.plausible(nextPriority) & 0xffffL) << 40,
                            ts,
                            EventKind.pair(nextTid, nextComm));
        }
    }

    /**
     * A thread begins to wake another.
     *
     * @param ts when
     * @param cpu on which CPU
     * @param wakerTid who wakes it, -1 for whoever runs on that CPU
     * @param tid who is woken
     * @param priority its priority
     */
    public void waking(long ts, int cpu, int wakerTid, int tid, int priority) {
        if (accept(ts, cpu)) {
            hasWaking = true;
            log(cpu).add(
                            EventKind.WAKING | (StateInfo.plausible(priority) & 0xffffL) << 8,
                            ts,
                            EventKind.pair(tid, wakerTid));
        }
    }

    /**
     * An interrupt begins to wake a thread.
     *
     * @param ts when
     * @param cpu on which CPU
     * @param interruptedTid who was interrupted and has no part in it, -1 for whoever runs on that CPU
     * @param tid who is woken
     * @param priority its priority
     */
    public void wakingFromInterrupt(long ts, int cpu, int interruptedTid, int tid, int priority) {
        if (accept(ts, cpu)) {
            hasWaking = true;
            log(cpu).add(
                            EventKind.WAKING
                                    | EventKind.FROM_INTERRUPT
                                    | (StateInfo.plausible(priority) & 0xffffL) << 8,
                            ts,
                            EventKind.pair(tid, interruptedTid));
        }
    }

    /**
     * A thread has been woken. Counts only in a trace that holds no {@link #waking} at all: that comes first and from the
     * waker, whereas this may come from the CPU on which the thread will run.
     *
     * @param ts when
     * @param cpu on which CPU
     * @param tid who is woken
     * @param priority its priority
     */
    public void wakeup(long ts, int cpu, int tid, int priority) {
        if (accept(ts, cpu)) {
            log(cpu).add(
                            EventKind.WAKEUP | (StateInfo.plausible(priority) & 0xffffL) << 8,
                            ts,
                            EventKind.pair(tid, -1));
        }
    }

    /**
     * Why a thread slept, told when it wakes.
     *
     * @param ts when
     * @param tid who slept
     * @param ioWait whether for I/O
     * @param function the kernel function in which, -1 if not told
     */
    public void blockedReason(long ts, int tid, boolean ioWait, int function) {
        mark(EventKind.BLOCKED_REASON | (ioWait ? 0x100 : 0), ts, tid, function);
    }

    /**
     * A thread created another.
     *
     * @param ts when
     * @param creatorTid who
     * @param tid the new thread's number
     * @param comm its name
     * @param cloneFlags the flags of the system call, which tell a thread from a process
     */
    public void taskNew(long ts, int creatorTid, int tid, int comm, int cloneFlags) {
        if (accept(ts)) {
            marks.add(EventKind.TASK_NEW, ts, EventKind.pair(tid, comm), EventKind.pair(creatorTid, cloneFlags));
        }
    }

    /**
     * A thread changed its name.
     *
     * @param ts when
     * @param tid who
     * @param comm the new name
     */
    public void taskRename(long ts, int tid, int comm) {
        mark(EventKind.TASK_RENAME, ts, tid, comm);
    }

    /**
     * A thread ends. It still has to be switched away, and its number is not free before {@link #taskEnd}, which need not be
     * told of.
     *
     * @param ts when
     * @param tid who
     */
    public void taskExit(long ts, int tid) {
        mark(EventKind.TASK_END | EventKind.EXIT_ONLY, ts, tid, 0);
    }

    /**
     * A thread is gone for good; its number may be given to another.
     *
     * @param ts when
     * @param tid who
     */
    public void taskEnd(long ts, int tid) {
        mark(EventKind.TASK_END, ts, tid, 0);
    }

    /**
     * There is a process, as a listing at some moment says.
     *
     * @param ts when
     * @param pid its number
     * @param parentPid the number of the one that started it
     * @param name the first word of its command line, -1 if not told
     */
    public void process(long ts, int pid, int parentPid, int name) {
        mark(EventKind.PROCESS | (long) name << 32, ts, pid, parentPid);
    }

    /**
     * There is a thread, as a listing at some moment says.
     *
     * @param ts when
     * @param tid its number
     * @param pid the number of its process
     * @param comm its name, -1 if not told
     */
    public void thread(long ts, int tid, int pid, int comm) {
        mark(EventKind.THREAD | (long) comm << 32, ts, tid, pid);
    }

    /**
     * A program says what it calls one of its threads. That is better than the kernel's name, which has 15 bytes at most.
     *
     * @param ts when
     * @param tid the thread's number
     * @param pid the number of its process
     * @param name its name, -1 if not told
     */
    public void nameThread(long ts, int tid, int pid, int name) {
        mark(EventKind.THREAD | 0x100 | (long) name << 32, ts, tid, pid);
    }

    /**
     * A thread begins a slice within the one it is in.
     *
     * @param ts when
     * @param tid who
     * @param pid its process, 0 if not told
     * @param name of the slice
     */
    public void begin(long ts, int tid, int pid, int name) {
        mark(EventKind.BEGIN | (long) name << 32, ts, tid, pid);
    }

    /**
     * A thread ends its innermost slice.
     *
     * @param ts when
     * @param tid who
     * @param pid its process, 0 if not told
     */
    public void end(long ts, int tid, int pid) {
        mark(EventKind.END, ts, tid, pid);
    }

    /**
     * A thread sets a mark: a slice without duration.
     *
     * @param ts when
     * @param tid who
     * @param pid its process, 0 if not told
     * @param name of the mark
     */
    public void instant(long ts, int tid, int pid, int name) {
        mark(EventKind.INSTANT | (long) name << 32, ts, tid, pid);
    }

    /**
     * A process begins a slice that belongs to no thread. One that has begun and not ended swallows further beginnings of
     * the same track and cookie.
     *
     * @param ts when
     * @param pid the process
     * @param track the track; often the slice's name
     * @param cookie tells slices of one track apart
     * @param name of the slice
     */
    public void asyncBegin(long ts, int pid, int track, long cookie, int name) {
        if (accept(ts)) {
            marks.add(EventKind.ASYNC_BEGIN | (long) name << 32, ts, EventKind.pair(pid, track), cookie);
        }
    }

    /**
     * A process ends a slice that belongs to no thread.
     *
     * @param ts when
     * @param pid the process
     * @param track as for its beginning
     * @param cookie as for its beginning
     */
    public void asyncEnd(long ts, int pid, int track, long cookie) {
        if (accept(ts)) {
            marks.add(EventKind.ASYNC_END, ts, EventKind.pair(pid, track), cookie);
        }
    }

    /**
     * A process sets a mark that belongs to no thread.
     *
     * @param ts when
     * @param pid the process
     * @param track the track
     * @param name of the mark
     */
    public void asyncInstant(long ts, int pid, int track, int name) {
        mark(EventKind.ASYNC_INSTANT | (long) name << 32, ts, pid, track);
    }

    /**
     * A process reports a number.
     *
     * @param ts when
     * @param pid the process
     * @param name of the counter
     * @param value its value from now
     */
    public void counter(long ts, int pid, int name, long value) {
        if (accept(ts)) {
            marks.add(EventKind.COUNTER, ts, EventKind.pair(pid, name), value);
        }
    }

    /**
     * A frame should begin; a {@link #frameEnd} tells when it should be done.
     *
     * @param ts when
     * @param cookie the same as its end's
     * @param pid the process that makes it
     * @param displayToken the display frame's token
     * @param surfaceToken the app frame's token, 0 for a display frame
     * @param layer its layer, -1 for a display frame
     */
    public void expectedFrame(long ts, long cookie, int pid, long displayToken, long surfaceToken, int layer) {
        int row = frames.add(FrameTracker.EXPECTED, cookie, pid, layer, displayToken, surfaceToken, 0, 0);
        mark(EventKind.FRAME, ts, row, 0);
    }

    /**
     * A frame begins.
     *
     * @param ts when
     * @param cookie the same as its end's
     * @param pid the process that makes it
     * @param displayToken the display frame's token
     * @param surfaceToken the app frame's token, 0 for a display frame
     * @param layer its layer, -1 for a display frame
     * @param jankMask bits of {@link JankType}
     * @param presentType when it was shown, against when it was expected
     * @param onTimeFinish whether its maker was done in time
     * @param gpuComposition whether the GPU composed it
     */
    public void actualFrame(
            long ts,
            long cookie,
            int pid,
            long displayToken,
            long surfaceToken,
            int layer,
            int jankMask,
            PresentType presentType,
            boolean onTimeFinish,
            boolean gpuComposition) {
        int flags = presentType.code() << FrameColumns.PRESENT_SHIFT
                | (onTimeFinish ? FrameColumns.ON_TIME_FINISH : 0)
                | (gpuComposition ? FrameColumns.GPU_COMPOSITION : 0);
        int row = frames.add(FrameTracker.ACTUAL, cookie, pid, layer, displayToken, surfaceToken, jankMask, flags);
        mark(EventKind.FRAME, ts, row, 0);
    }

    /**
     * A frame ends, or an expected frame should.
     *
     * @param ts when
     * @param cookie the same as its beginning's
     */
    public void frameEnd(long ts, long cookie) {
        mark(EventKind.FRAME, ts, frames.add(FrameTracker.END, cookie, 0, -1, 0, 0, 0, 0), 0);
    }

    /**
     * A slice of a track begins within the one it is in.
     *
     * @param ts when
     * @param track from {@link #newTrack}
     * @param category of the slice, -1 if it has none
     * @param name of the slice
     */
    public void trackBegin(long ts, int track, int category, int name) {
        mark(EventKind.TRACK_BEGIN | (long) name << 32, ts, track, category);
    }

    /**
     * The innermost slice of a track ends.
     *
     * @param ts when
     * @param track from {@link #newTrack}
     */
    public void trackEnd(long ts, int track) {
        mark(EventKind.TRACK_END, ts, track, 0);
    }

    /**
     * A mark on a track.
     *
     * @param ts when
     * @param track from {@link #newTrack}
     * @param category of the mark, -1 if it has none
     * @param name of the mark
     */
    public void trackInstant(long ts, int track, int category, int name) {
        mark(EventKind.TRACK_INSTANT | (long) name << 32, ts, track, category);
    }

    /**
     * A flow passes through the slice that the last call for this track and time began, marked or ended: an arrow leads to
     * it from the slice that the flow passed through before.
     *
     * @param ts as in that call
     * @param track as in that call
     * @param flow tells flows apart
     * @param ends whether the flow ends here
     */
    public void trackFlow(long ts, int track, long flow, boolean ends) {
        if (accept(ts)) {
            marks.add(EventKind.TRACK_FLOW | (ends ? EventKind.FLOW_ENDS : 0), ts, EventKind.pair(track, 0), flow);
        }
    }

    /**
     * The slice that the last call for this track and time began, marked or ended is about a message of a message queue.
     *
     * @param ts as in that call
     * @param track as in that call
     * @param sender the name of the thread that sends it, -1 if not told
     * @param receiver the name of the thread that it is for, -1 if not told
     * @param code what its user calls it by
     * @param delayMs how long it is meant to wait, -1 if not told
     */
    public void trackMessage(long ts, int track, int sender, int receiver, int code, long delayMs) {
        if (accept(ts)) {
            int row = queueEvents.add(sender, receiver, code, delayMs);
            marks.add(EventKind.TRACK_MESSAGE, ts, EventKind.pair(track, row));
        }
    }

    /**
     * A counter has a new value.
     *
     * @param ts when
     * @param track from {@link #newCounterTrack}
     * @param value its value from now
     */
    public void trackCounter(long ts, int track, long value) {
        if (accept(ts)) {
            marks.add(EventKind.TRACK_COUNTER, ts, EventKind.pair(track, 0), value);
        }
    }

    /**
     * A thread sends a binder transaction to another process, or the answer to one.
     *
     * @param ts when
     * @param tid who
     * @param number the kernel's number of the transaction
     * @param reply whether it is an answer
     * @param oneWay whether no answer is expected
     */
    public void binderTransaction(long ts, int tid, int number, boolean reply, boolean oneWay) {
        int kind = (reply ? BinderTracker.REPLY : 0) | (oneWay ? BinderTracker.ONE_WAY : 0);
        mark(EventKind.BINDER_SENT | (long) kind << 8, ts, tid, number);
    }

    /**
     * A thread takes up a binder transaction, or the answer to its own.
     *
     * @param ts when
     * @param tid who
     * @param number the kernel's number of the transaction
     */
    public void binderReceived(long ts, int tid, int number) {
        mark(EventKind.BINDER_RECEIVED, ts, tid, number);
    }

    /**
     * Something happened that the model has no place for. The trace lasts from its first event to its last, whatever these
     * are.
     *
     * @param ts when
     */
    public void other(long ts) {
        accept(ts);
    }

    /**
     * Adds the events of another builder behind those of this one. An importer may have parts of a trace read at once, each
     * into a builder of its own; the result is as if one builder had been told of everything, part by part.
     *
     * @param part holds neither tracks nor frames, and is of no use afterwards
     */
    public void append(TraceBuilder part) {
        if (part.tracks.size() > 0 || part.counterTracks.size() > 0 || part.frames.size() > 0) {
            throw new IllegalArgumentException("a part with tracks or frames");
        }
        int[] names = strings.addAll(part.strings);
        for (int i = 0; i < part.logs.length; i++) {
            EventLog log = i == 0 ? logs[0] : log(i - 1);
            part.logs[i].rename(names);
            log.append(part.logs[i]);
        }
        startNs = Math.min(startNs, part.startNs);
        endNs = Math.max(endNs, part.endNs);
        hasScheduling |= part.hasScheduling;
        hasWaking |= part.hasWaking;
        badCpus += part.badCpus;
        badTimes += part.badTimes;
        skippedPackets += part.skippedPackets;
        skippedFtraceEvents += part.skippedFtraceEvents;
        warnings.addAll(part.warnings);
    }

    private void mark(long header, long ts, int high, int low) {
        if (accept(ts)) {
            marks.add(header, ts, EventKind.pair(high, low));
        }
    }

    /**
     * Works out the trace.
     *
     * @return the finished model
     */
    public Trace build() {
        if (badCpus > 0) {
            warn(badCpus + " scheduler events name a CPU that no machine has; they were left out");
        }
        if (badTimes > 0) {
            warn(badTimes + " events are of a time before the clock's beginning; they were left out");
        }
        long start = startNs == Long.MAX_VALUE ? 0 : startNs;
        long end = endNs == Long.MIN_VALUE ? 0 : endNs;
        EventLog[] sorted = logs;
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] = sorted[i].sort();
        }
        EventWalk walk = new EventWalk(strings, before414, hasWaking, frames, tracks, counterTracks);
        walk.run(sorted);
        Trace.Skipped skipped = new Trace.Skipped(skippedPackets, skippedFtraceEvents);
        return walk.trace(name, sizeBytes, start, end, skipped, warnings, queueEvents, strings);
    }
}
