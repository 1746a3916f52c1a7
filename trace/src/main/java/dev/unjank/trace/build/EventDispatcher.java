package dev.unjank.trace.build;

import dev.unjank.trace.build.event.EventKind;
import dev.unjank.trace.build.event.EventLog;
import dev.unjank.trace.build.event.EventMerger;
import dev.unjank.trace.build.event.IdRemapping;
import dev.unjank.trace.build.tracker.ArgCollector;
import dev.unjank.trace.build.tracker.BinderTracker;
import dev.unjank.trace.build.tracker.CallstackInterner;
import dev.unjank.trace.build.tracker.CounterTrackTable;
import dev.unjank.trace.build.tracker.CounterTracker;
import dev.unjank.trace.build.tracker.FenceTracker;
import dev.unjank.trace.build.tracker.FrameTracker;
import dev.unjank.trace.build.tracker.FutexTracker;
import dev.unjank.trace.build.tracker.MessageQueueEventCollector;
import dev.unjank.trace.build.tracker.PriorityInheritanceTracker;
import dev.unjank.trace.build.tracker.ProcessTracker;
import dev.unjank.trace.build.tracker.SchedOperations;
import dev.unjank.trace.build.tracker.SliceOperations;
import dev.unjank.trace.build.tracker.SliceTrackTable;
import dev.unjank.trace.build.tracker.SliceTracker;
import dev.unjank.trace.build.tracker.StackSampleTracker;
import dev.unjank.trace.build.tracker.ThreadStateTracker;
import dev.unjank.trace.collections.BlockPool;
import dev.unjank.trace.collections.IntPair;
import dev.unjank.trace.collections.StringPool;
import dev.unjank.trace.model.Callstacks;
import dev.unjank.trace.model.Counters;
import dev.unjank.trace.model.CpuRuns;
import dev.unjank.trace.model.DataLoss;
import dev.unjank.trace.model.FenceStage;
import dev.unjank.trace.model.Frames;
import dev.unjank.trace.model.Machine;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.StackSamples;
import dev.unjank.trace.model.Strings;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.List;
import java.util.concurrent.Executor;

/** Walks all events in time order and dispatches each to the trackers that need it. */
final class EventDispatcher {
    private final ProcessTracker processes;
    private final SchedOperations sched;
    private final SliceOperations slices;
    private final CounterTracker counters;
    private final FrameTracker frames;
    private final SliceTrackTable tracks;
    private final CounterTrackTable counterTracks;
    private final CallstackInterner callstacks;
    private final StackSampleTracker samples;
    private final ArgCollector args;
    private final BinderTracker binder;
    private final FutexTracker futexes;
    private final FenceTracker fences;
    private final PriorityInheritanceTracker inheritance = new PriorityInheritanceTracker();
    private final boolean before414;
    private final boolean hasWaking;

    /** Maps the string ids of the current event. */
    private IdRemapping names = IdRemapping.NONE;

    EventDispatcher(
            BlockPool pool,
            StringPool strings,
            boolean before414,
            boolean hasWaking,
            FrameTracker frames,
            SliceTrackTable tracks,
            CounterTrackTable counterTracks,
            CallstackInterner callstacks,
            ArgCollector args,
            String machine,
            Executor executor) {
        this.sched = new SchedOperations(pool, executor);
        this.slices = new SliceOperations(pool, executor);
        this.counters = new CounterTracker(pool);
        this.samples = new StackSampleTracker(pool);
        this.processes = new ProcessTracker(strings.intern("swapper"));
        this.args = args;
        this.futexes = new FutexTracker(machine, processes, slices, strings, args);
        this.fences = new FenceTracker(slices, strings, args);
        this.binder = new BinderTracker(processes, slices, strings);
        this.tracks = tracks;
        this.counterTracks = counterTracks;
        this.callstacks = callstacks;
        this.before414 = before414;
        this.hasWaking = hasWaking;
        this.frames = frames;
    }

    /** Walks and empties sorted logs, numbered as in {@link TraceBuilder}. */
    void run(EventLog[] logs) {
        EventMerger merge = new EventMerger(logs);
        while (merge.next()) {
            long[] words = merge.words;
            names = merge.names;
            int at = merge.at;
            long header = words[at];
            switch (EventKind.of(header)) {
                case EventKind.SWITCH -> switched(merge.log - 1, header, words[at + 1], words[at + 2], words[at + 3]);
                case EventKind.COMPACT_SWITCH -> compactSwitch(merge.log - 1, header, words[at + 1], words[at + 2]);
                case EventKind.WAKING -> waking(merge.log - 1, header, words[at + 1], words[at + 2]);
                case EventKind.WAKEUP -> wakeup(header, words[at + 1], words[at + 2]);
                case EventKind.BEGIN, EventKind.END, EventKind.INSTANT ->
                    threadMark(header, words[at + 1], words[at + 2]);
                case EventKind.TRACK_BEGIN, EventKind.TRACK_END, EventKind.TRACK_INSTANT ->
                    trackMark(header, words[at + 1], words[at + 2]);
                case EventKind.ASYNC_BEGIN, EventKind.ASYNC_END ->
                    async(header, words[at + 1], words[at + 2], words[at + 3]);
                case EventKind.OTHER -> {}
                default -> rare(header, words, at);
            }
        }
    }

    private SchedState state(long header) {
        int bits = (int) (header >>> 8) & 0xffff;
        return (bits & 0x8000) != 0 ? SchedState.ofCode(bits & 0x7fff) : SchedState.ofKernel(bits, before414);
    }

    private static int nextPriority(long header) {
        return (short) (header >>> 40);
    }

    private int named(long tidAndName) {
        int utid = processes.thread(IntPair.high(tidAndName));
        processes.nameThread(utid, lowName(tidAndName));
        return utid;
    }

    /** The string in the upper half of a word. */
    private int highName(long word) {
        return names.name(IntPair.high(word));
    }

    /** The string in the lower half of a word. */
    private int lowName(long word) {
        return names.name(IntPair.low(word));
    }

    private void switched(int cpu, long header, long ts, long next, long prev) {
        int nextUtid = named(next);
        int prevUtid = named(prev);
        sched.switched(ts, cpu, prevUtid, state(header), (short) (header >>> 24), nextUtid, nextPriority(header));
    }

    private void compactSwitch(int cpu, long header, long ts, long next) {
        int nextUtid = named(next);
        int prevUtid = sched.running(cpu);
        if (prevUtid < 0) {
            sched.run(ts, cpu, nextUtid, nextPriority(header));
        } else {
            int prevPriority = sched.runningPriority(cpu);
            sched.switched(ts, cpu, prevUtid, state(header), prevPriority, nextUtid, nextPriority(header));
        }
    }

    private void waking(int cpu, long header, long ts, long tidAndWaker) {
        int wakerTid = IntPair.low(tidAndWaker);
        int waker = wakerTid >= 0 ? processes.thread(wakerTid) : sched.running(cpu);
        if (waker >= 0) {
            int cause = (header & EventKind.FROM_INTERRUPT) != 0 ? -1 : waker;
            sched.woken(ts, processes.thread(IntPair.high(tidAndWaker)), cause, (short) (header >>> 8));
        }
    }

    private void wakeup(long header, long ts, long tid) {
        if (!hasWaking) {
            sched.wakeup(ts, processes.thread(IntPair.high(tid)), (short) (header >>> 8));
        }
    }

    private void threadMark(long header, long ts, long tidAndPid) {
        int tid = IntPair.high(tidAndPid);
        int pid = IntPair.low(tidAndPid);
        int utid = pid == 0 ? processes.thread(tid) : processes.thread(tid, pid);
        int track = slices.threadTrack(utid);
        switch (EventKind.of(header)) {
            case EventKind.BEGIN -> slices.begin(ts, track, highName(header));
            case EventKind.END -> slices.end(ts, track);
            default -> slices.instant(ts, track, highName(header));
        }
    }

    private void trackMark(long header, long ts, long numberAndCategory) {
        int track = track(numberAndCategory);
        switch (EventKind.of(header)) {
            case EventKind.TRACK_BEGIN -> slices.begin(ts, track, highName(header));
            case EventKind.TRACK_END -> {
                slices.end(ts, track);
                return;
            }
            default -> slices.instant(ts, track, highName(header));
        }
        int category = lowName(numberAndCategory);
        if (category >= 0) {
            slices.category(track, category);
        }
    }

    /** The track with its number in the upper half of a record's word. */
    private int track(long number) {
        return tracks.track(IntPair.high(number), processes, slices);
    }

    private void async(long header, long ts, long pidAndTrack, long cookie) {
        int upid = processes.process(IntPair.high(pidAndTrack));
        int track = slices.asyncTrack(upid, lowName(pidAndTrack), cookie);
        if (EventKind.of(header) == EventKind.ASYNC_END) {
            slices.end(ts, track);
        } else {
            slices.beginUnlessOpen(ts, track, highName(header));
        }
    }

    private void rare(long header, long[] words, int at) {
        long ts = words[at + 1];
        long a = words[at + 2];
        switch (EventKind.of(header)) {
            case EventKind.BLOCKED_REASON ->
                sched.blocked(processes.thread(IntPair.high(a)), (header & 0x100) != 0, lowName(a));
            case EventKind.TASK_NEW -> taskNew(ts, a, words[at + 3]);
            case EventKind.TASK_RENAME -> processes.renameThread(IntPair.high(a), lowName(a));
            case EventKind.TASK_END -> {
                if ((header & EventKind.EXIT_ONLY) == 0) {
                    processes.end(ts, IntPair.high(a));
                } else {
                    processes.exit(ts, IntPair.high(a));
                }
            }
            case EventKind.PROCESS -> {
                processes.describeProcess(IntPair.high(a), IntPair.low(a), highName(header), (int) words[at + 3]);
                if ((header & EventKind.IS_JVM) != 0) {
                    processes.runsJvm(IntPair.high(a));
                }
            }
            case EventKind.THREAD ->
                processes.describeThread(IntPair.high(a), IntPair.low(a), highName(header), (header & 0x100) != 0);
            case EventKind.ASYNC_INSTANT -> {
                int upid = processes.process(IntPair.high(a));
                int track = slices.asyncTrack(upid, lowName(a), 0);
                slices.instant(ts, track, highName(header));
            }
            case EventKind.COUNTER -> counters.add(ts, processes.process(IntPair.high(a)), lowName(a), words[at + 3]);
            case EventKind.CPU_COUNTER -> counters.addOfCpu(ts, IntPair.high(a), lowName(a), words[at + 3]);
            case EventKind.PRIORITY_INHERITED -> {
                int utid = processes.thread(IntPair.high(header));
                inheritance.changed(ts, utid, IntPair.high(a), IntPair.low(a));
                sched.priorityChanged(utid, IntPair.low(a));
            }
            case EventKind.TRACK_FLOW -> slices.flow(track(a), words[at + 3], (header & EventKind.FLOW_ENDS) != 0);
            case EventKind.TRACK_MESSAGE -> slices.message(track(a), IntPair.low(a));
            case EventKind.TRACK_ARGS -> slices.args(track(a), IntPair.low(a), IntPair.high(header));
            case EventKind.FUTEX_ENTER -> futexes.entered(ts, header, a, words[at + 3]);
            case EventKind.FUTEX_EXIT -> futexes.exited(ts, header, IntPair.high(a), words[at + 3]);
            case EventKind.FENCE ->
                fences.apply(ts, FenceStage.of((int) (header >>> 8) & 0xff), IntPair.high(a), words[at + 3]);
            case EventKind.TRACK_COUNTER ->
                counters.add(ts, counterTracks.track(IntPair.high(a), processes, counters), words[at + 3]);
            case EventKind.BINDER_SENT -> binder.sent(ts, IntPair.high(a), IntPair.low(a), (int) (header >>> 8) & 0xff);
            case EventKind.BINDER_RECEIVED -> binder.received(ts, IntPair.high(a), IntPair.low(a));
            case EventKind.SAMPLE -> {
                int pid = IntPair.low(a);
                int utid = pid == 0 ? processes.thread(IntPair.high(a)) : processes.thread(IntPair.high(a), pid);
                int cpu = ((int) (header >>> 16) & 0xffff) - 1;
                int call = IntPair.high(words[at + 3]);
                samples.add(ts, utid, cpu, call, (header & EventKind.SAMPLE_RUNNING) != 0);
            }
            case EventKind.FRAME -> frames.apply(ts, IntPair.high(a), processes);
            default -> throw new AssertionError(header);
        }
    }

    private void taskNew(long ts, long tidAndName, long creatorAndFlags) {
        int tid = IntPair.high(tidAndName);
        int creatorTid = IntPair.high(creatorAndFlags);
        if (tid == 0) {
            return; // the idle threads of further CPUs, created at boot
        }
        int utid = processes.created(ts, creatorTid, tid, lowName(tidAndName), IntPair.low(creatorAndFlags));
        sched.created(ts, utid, processes.thread(creatorTid));
    }

    /** Builds the tables and adds warnings about events that were dropped. */
    Trace trace(
            String name,
            long sizeBytes,
            long start,
            long end,
            Trace.Skipped skipped,
            List<String> warnings,
            List<String> unread,
            List<DataLoss> losses,
            Machine machine,
            MessageQueueEventCollector queueEvents,
            StringPool pool) {
        Strings strings = new Strings(pool);
        sched.finish(end);
        slices.finish(strings, processes.threadCount(), end);
        // These do not depend on states and slices, which are being built by other threads meanwhile.
        Counters counterTable = counters.counters(strings);
        Frames frameTable = frames.frames(strings, end);
        Callstacks callTable = callstacks.callstacks(strings);
        StackSamples sampleTable = samples.samples(processes.threadCount());
        ThreadStateTracker scheduled = sched.awaitTracker();
        processes.settleExits(scheduled);
        Processes processTable = processes.processes(strings);
        Threads threads = processes.threads(strings, processTable);
        ThreadStates states = scheduled.threadStates(strings, processes.freed(), end);
        SliceTracker done = slices.awaitTracker();
        if (done.droppedSlices() > 0) {
            warnings.add(done.droppedSlices() + " slices were dropped because they are nested too deep");
        }
        CpuRuns runs = scheduled.runs();
        Slices sliceTable = done.slices();
        boolean isDoubtful = DurationCheck.isImplausible(
                start,
                end,
                runs.columns().ts(),
                sliceTable.columns().ts(),
                counterTable.columns().ts(),
                sampleTable.columns().ts());
        if (isDoubtful) {
            warnings.addFirst(DurationCheck.WARNING);
        }
        return new Trace(
                new Trace.About(name, sizeBytes, start, end, isDoubtful, skipped, warnings, unread, losses, machine),
                strings,
                processTable,
                threads,
                states,
                inheritance.table(threads.size(), start, end),
                runs,
                sliceTable,
                done.notes().flows(),
                args.args(strings, done.notes()),
                queueEvents.queueEvents(strings, done.notes()),
                counterTable,
                frameTable,
                callTable,
                sampleTable);
    }
}
