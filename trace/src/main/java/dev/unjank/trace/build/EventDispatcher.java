package dev.unjank.trace.build;

import dev.unjank.trace.build.event.AsyncSliceEvent;
import dev.unjank.trace.build.event.BinderEvent;
import dev.unjank.trace.build.event.BlockedReasonEvent;
import dev.unjank.trace.build.event.CounterEvent;
import dev.unjank.trace.build.event.EventKind;
import dev.unjank.trace.build.event.EventLog;
import dev.unjank.trace.build.event.EventMerger;
import dev.unjank.trace.build.event.FenceEvent;
import dev.unjank.trace.build.event.FrameEvent;
import dev.unjank.trace.build.event.FutexEvent;
import dev.unjank.trace.build.event.IdRemapping;
import dev.unjank.trace.build.event.PriorityInheritanceEvent;
import dev.unjank.trace.build.event.ProcessDetailsEvent;
import dev.unjank.trace.build.event.ProcessEvent;
import dev.unjank.trace.build.event.SampleEvent;
import dev.unjank.trace.build.event.SwitchEvent;
import dev.unjank.trace.build.event.TaskEvent;
import dev.unjank.trace.build.event.ThreadSliceEvent;
import dev.unjank.trace.build.event.TrackSliceEvent;
import dev.unjank.trace.build.event.WakingEvent;
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
import dev.unjank.trace.collections.StringPool;
import dev.unjank.trace.model.Callstacks;
import dev.unjank.trace.model.Counters;
import dev.unjank.trace.model.CpuRuns;
import dev.unjank.trace.model.DataLoss;
import dev.unjank.trace.model.Frames;
import dev.unjank.trace.model.Machine;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.RecorderReport;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.StackSamples;
import dev.unjank.trace.model.Strings;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.TraceNote;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

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
    private final MessageQueueEventCollector queueEvents;
    private final BinderTracker binder;
    private final FutexTracker futexes;
    private final FenceTracker fences;
    private final PriorityInheritanceTracker inheritance = new PriorityInheritanceTracker();
    private final boolean before414;
    private final boolean hasWaking;
    private final WakeupCoverage wakeups;

    /** Maps the string ids of the current event. */
    private IdRemapping names = IdRemapping.NONE;

    EventDispatcher(
            BlockPool pool,
            StringPool strings,
            KernelEventSink kernel,
            FrameTracker frames,
            TrackEventSink trackEvents,
            CallstackInterner callstacks,
            String machine,
            Executor executor) {
        this.sched = new SchedOperations(pool, executor);
        this.slices = new SliceOperations(pool, executor);
        this.counters = new CounterTracker(pool);
        this.samples = new StackSampleTracker(pool);
        this.processes = new ProcessTracker(strings.intern("swapper"));
        this.args = trackEvents.args;
        this.queueEvents = trackEvents.queueEvents;
        this.tracks = trackEvents.tracks;
        this.counterTracks = trackEvents.counterTracks;
        this.futexes = new FutexTracker(machine, processes, slices, strings, args);
        this.fences = new FenceTracker(slices, strings, args);
        this.binder = new BinderTracker(processes, slices, strings);
        this.callstacks = callstacks;
        this.before414 = kernel.before414;
        this.hasWaking = kernel.hasWaking;
        this.wakeups = kernel.wakeups;
        this.frames = frames;
    }

    /** Walks and empties sorted logs, numbered as in {@link EventLogs}. */
    void run(EventLog[] logs) {
        EventMerger merge = new EventMerger(logs);
        while (merge.next()) {
            long[] words = merge.words;
            names = merge.names;
            int at = merge.at;
            long header = words[at];
            long ts = EventKind.time(words, at);
            switch (EventKind.of(header)) {
                case EventKind.SWITCH -> switched(merge.log - 1, ts, words, at);
                case EventKind.COMPACT_SWITCH -> compactSwitch(merge.log - 1, ts, words, at);
                case EventKind.WAKING -> waking(merge.log - 1, ts, words, at);
                case EventKind.WAKEUP -> wakeup(ts, words, at);
                case EventKind.BEGIN, EventKind.END, EventKind.INSTANT -> threadSlice(merge.log - 1, ts, words, at);
                case EventKind.TRACK_BEGIN, EventKind.TRACK_END, EventKind.TRACK_INSTANT -> trackSlice(ts, words, at);
                case EventKind.ASYNC_BEGIN, EventKind.ASYNC_END -> async(ts, words, at);
                case EventKind.OTHER -> {}
                default -> rare(ts, words, at);
            }
        }
    }

    private int named(int tid, int name) {
        int utid = processes.thread(tid);
        processes.nameThread(utid, names.name(name));
        return utid;
    }

    /** The name in the header of the current event. */
    private int name(long header) {
        return names.name(EventKind.name(header));
    }

    private void switched(int cpu, long ts, long[] words, int at) {
        int nextUtid = named(SwitchEvent.nextTid(words, at), SwitchEvent.nextName(words, at));
        int prevUtid = named(SwitchEvent.prevTid(words, at), SwitchEvent.prevName(words, at));
        long header = words[at];
        sched.switched(
                ts,
                cpu,
                prevUtid,
                SwitchEvent.state(header, before414),
                SwitchEvent.prevPriority(header),
                nextUtid,
                SwitchEvent.nextPriority(header));
    }

    private void compactSwitch(int cpu, long ts, long[] words, int at) {
        int nextUtid = named(SwitchEvent.nextTid(words, at), SwitchEvent.nextName(words, at));
        long header = words[at];
        sched.switchedTo(ts, cpu, SwitchEvent.state(header, before414), nextUtid, SwitchEvent.nextPriority(header));
    }

    private void waking(int cpu, long ts, long[] words, int at) {
        int wakerTid = WakingEvent.wakerTid(words, at);
        int waker = wakerTid >= 0 ? processes.thread(wakerTid) : sched.running(cpu);
        if (wakerTid > 0) { // writers put 0 if they do not know which thread an interrupt interrupted
            sched.ranOn(ts, cpu, waker);
        }
        if (waker >= 0) {
            int cause = WakingEvent.isFromInterrupt(words[at]) ? -1 : waker;
            sched.woken(ts, processes.thread(WakingEvent.tid(words, at)), cause, WakingEvent.priority(words[at]));
        }
    }

    private void wakeup(long ts, long[] words, int at) {
        if (!hasWaking) {
            sched.wakeup(ts, processes.thread(WakingEvent.tid(words, at)), WakingEvent.priority(words[at]));
        }
    }

    private int thread(int tid, int pid) {
        return pid == 0 ? processes.thread(tid) : processes.thread(tid, pid);
    }

    private void threadSlice(int cpu, long ts, long[] words, int at) {
        int utid = thread(ThreadSliceEvent.tid(words, at), ThreadSliceEvent.pid(words, at));
        sched.ranOn(ts, cpu, utid);
        int track = slices.threadTrack(utid);
        long header = words[at];
        switch (EventKind.of(header)) {
            case EventKind.BEGIN -> slices.begin(ts, track, name(header));
            case EventKind.END -> slices.end(ts, track);
            default -> slices.instant(ts, track, name(header));
        }
    }

    private void trackSlice(long ts, long[] words, int at) {
        long header = words[at];
        int nameOfEvent = EventKind.of(header) == EventKind.TRACK_END ? -1 : name(header);
        int track = tracks.track(TrackSliceEvent.track(words, at), nameOfEvent, processes, slices);
        switch (EventKind.of(header)) {
            case EventKind.TRACK_BEGIN -> slices.begin(ts, track, name(header));
            case EventKind.TRACK_END -> {
                slices.end(ts, track);
                return;
            }
            default -> slices.instant(ts, track, name(header));
        }
        int category = names.name(TrackSliceEvent.category(words, at));
        if (category >= 0) {
            slices.category(track, category);
        }
    }

    /** The track of a {@link TrackSliceEvent}. */
    private int track(long[] words, int at) {
        return tracks.track(TrackSliceEvent.track(words, at), -1, processes, slices);
    }

    private void async(long ts, long[] words, int at) {
        int upid = processes.process(AsyncSliceEvent.pid(words, at));
        int track = slices.asyncTrack(
                upid, names.name(AsyncSliceEvent.track(words, at)), AsyncSliceEvent.cookie(words, at));
        if (EventKind.of(words[at]) == EventKind.ASYNC_END) {
            slices.end(ts, track);
        } else {
            slices.beginUnlessOpen(ts, track, name(words[at]));
        }
    }

    private void rare(long ts, long[] words, int at) {
        long header = words[at];
        switch (EventKind.of(header)) {
            case EventKind.BLOCKED_REASON ->
                sched.blocked(
                        processes.thread(BlockedReasonEvent.tid(words, at)),
                        BlockedReasonEvent.isIoWait(header),
                        names.name(BlockedReasonEvent.function(words, at)));
            case EventKind.TASK_NEW -> taskNew(ts, words, at);
            case EventKind.TASK_RENAME -> {
                int name = names.name(TaskEvent.name(words, at));
                if (TaskEvent.isExec(header)) {
                    processes.execute(TaskEvent.tid(words, at), name);
                } else {
                    processes.renameThread(TaskEvent.tid(words, at), name);
                }
            }
            case EventKind.TASK_END -> {
                if (TaskEvent.isExitOnly(header)) {
                    processes.exit(ts, TaskEvent.tid(words, at));
                } else {
                    processes.end(ts, TaskEvent.tid(words, at));
                }
            }
            case EventKind.PROCESS -> process(words, at);
            case EventKind.PROCESS_DETAILS -> processes.describeProcess(ProcessDetailsEvent.details(words, at));
            case EventKind.THREAD -> describeThread(ts, words, at);
            case EventKind.THREAD_END ->
                processes.reportEnd(ts, ProcessEvent.tid(words, at), ProcessEvent.pidOfThread(words, at));
            case EventKind.ASYNC_INSTANT -> {
                int upid = processes.process(AsyncSliceEvent.pid(words, at));
                int track = slices.asyncTrack(upid, names.name(AsyncSliceEvent.track(words, at)), 0);
                slices.instant(ts, track, name(header));
            }
            case EventKind.COUNTER, EventKind.CPU_COUNTER, EventKind.TRACK_COUNTER -> counter(ts, words, at);
            case EventKind.PRIORITY_INHERITED -> {
                int utid = processes.thread(PriorityInheritanceEvent.tid(header));
                int to = PriorityInheritanceEvent.to(words, at);
                inheritance.changed(ts, utid, PriorityInheritanceEvent.from(words, at), to);
                sched.priorityChanged(utid, to);
            }
            case EventKind.TRACK_FLOW ->
                slices.flow(track(words, at), TrackSliceEvent.flow(words, at), TrackSliceEvent.isEndOfFlow(header));
            case EventKind.TRACK_MESSAGE -> slices.message(track(words, at), TrackSliceEvent.row(words, at));
            case EventKind.TRACK_ARGS ->
                slices.args(track(words, at), TrackSliceEvent.row(words, at), TrackSliceEvent.argCount(header));
            case EventKind.FUTEX_ENTER ->
                futexes.entered(
                        ts,
                        FutexEvent.number(header),
                        FutexEvent.tid(words, at),
                        FutexEvent.operation(words, at),
                        FutexEvent.address(words, at));
            case EventKind.FUTEX_EXIT ->
                futexes.exited(ts, FutexEvent.number(header), FutexEvent.tid(words, at), FutexEvent.result(words, at));
            case EventKind.FENCE ->
                fences.apply(ts, FenceEvent.stage(header), FenceEvent.context(words, at), FenceEvent.number(words, at));
            case EventKind.BINDER_SENT ->
                binder.sent(ts, BinderEvent.tid(words, at), BinderEvent.number(words, at), BinderEvent.flags(header));
            case EventKind.BINDER_RECEIVED ->
                binder.received(ts, BinderEvent.tid(words, at), BinderEvent.number(words, at));
            case EventKind.SAMPLE ->
                samples.add(
                        ts,
                        thread(SampleEvent.tid(words, at), SampleEvent.pid(words, at)),
                        SampleEvent.cpu(header),
                        SampleEvent.call(words, at),
                        SampleEvent.isRunning(header));
            case EventKind.FRAME -> frames.apply(ts, FrameEvent.row(words, at), processes);
            default -> throw new AssertionError(header);
        }
    }

    private void describeThread(long ts, long[] words, int at) {
        long header = words[at];
        int tid = ProcessEvent.tid(words, at);
        int pid = ProcessEvent.pidOfThread(words, at);
        boolean isStart = ProcessEvent.isStart(header);
        if (isStart) {
            processes.releaseEnded(ts, tid, pid);
        }
        processes.describeThread(tid, pid, name(header), ProcessEvent.isSetByProgram(header));
        if (isStart) {
            processes.reportStart(ts, tid, pid);
        }
    }

    private void process(long[] words, int at) {
        int pid = ProcessEvent.pid(words, at);
        processes.describeProcess(pid, ProcessEvent.parentPid(words, at), name(words[at]), ProcessEvent.uid(words, at));
        if (ProcessEvent.isJvm(words[at])) {
            processes.runsJvm(pid);
        }
    }

    private void counter(long ts, long[] words, int at) {
        int owner = CounterEvent.owner(words, at);
        long value = CounterEvent.value(words, at);
        switch (EventKind.of(words[at])) {
            case EventKind.COUNTER ->
                counters.add(ts, processes.process(owner), names.name(CounterEvent.name(words, at)), value);
            case EventKind.CPU_COUNTER -> counters.addOfCpu(ts, owner, names.name(CounterEvent.name(words, at)), value);
            default -> counters.add(ts, counterTracks.track(owner, processes, counters), value);
        }
    }

    private void taskNew(long ts, long[] words, int at) {
        int tid = TaskEvent.tid(words, at);
        int creatorTid = TaskEvent.creatorTid(words, at);
        if (tid == 0) {
            return; // the idle threads of further CPUs, created at boot
        }
        int name = names.name(TaskEvent.name(words, at));
        int utid = processes.created(ts, creatorTid, tid, name, TaskEvent.cloneFlags(words, at));
        sched.created(ts, utid, processes.thread(creatorTid));
    }

    /** Builds the tables and adds warnings about events that were dropped. */
    Trace trace(
            String name,
            long sizeBytes,
            long start,
            long end,
            Trace.Skipped skipped,
            List<TraceNote> warnings,
            List<TraceNote> unread,
            List<DataLoss> losses,
            Machine machine,
            RecorderReport recorder,
            StringPool pool) {
        Strings strings = new Strings(pool.size(), pool::decode);
        sched.finish(end);
        slices.finish(strings, processes.threadCount(), end);
        // These do not depend on states and slices, which are being built by other threads meanwhile.
        Counters counterTable = counters.counters(strings);
        Frames frameTable = frames.frames(strings, end);
        Callstacks callTable = callstacks.callstacks(strings);
        StackSamples sampleTable = samples.samples(processes.threadCount());
        ThreadStateTracker scheduled = sched.awaitTracker();
        processes.settleLives(scheduled);
        Processes processTable = processes.processes(strings);
        Threads threads = processes.threads(strings, processTable);
        ThreadStates states = scheduled.threadStates(
                strings, processes.freed(), end, (utid, ts) -> hasAllWakeups(threads.upid(utid), processTable, ts));
        SliceTracker done = slices.awaitTracker();
        if (done.droppedSlices() > 0) {
            warnings.add(TraceNote.of("deepSlices", done.droppedSlices()));
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
            warnings.addFirst(TraceNote.of("duration"));
        }
        return new Trace(
                new Trace.About(
                        name,
                        sizeBytes,
                        start,
                        end,
                        isDoubtful,
                        skipped,
                        warnings,
                        unread,
                        allLosses(losses, end),
                        machine,
                        recorder),
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

    private boolean hasAllWakeups(int upid, Processes table, long ts) {
        return upid < 0 ? wakeups.isComplete(ts) : wakeups.hasAllWakeups(table.pid(upid), ts);
    }

    /**
     * The recorded losses and those that contradictory switches show, by start. A recorder of one process writes every
     * loss that the kernel counts. Kernels omit single switches as well, without counting them: these concern the
     * threads whose states they contradict, no others. Nor is a contradiction to such a file's last event a loss.
     */
    private List<DataLoss> allLosses(List<DataLoss> recorded, long endNs) {
        Stream<DataLoss> found =
                sched.unrecordedLosses(recorded, endNs).stream().filter(loss -> wakeups.isComplete(loss.startNs()));
        return Stream.concat(recorded.stream(), found)
                .sorted(Comparator.comparingLong(DataLoss::startNs))
                .toList();
    }
}
