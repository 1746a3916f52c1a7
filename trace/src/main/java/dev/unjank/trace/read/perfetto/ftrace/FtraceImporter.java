package dev.unjank.trace.read.perfetto.ftrace;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.proto.FtraceFields.BinderTransaction;
import dev.unjank.trace.proto.FtraceFields.FtraceEvent;
import dev.unjank.trace.proto.FtraceFields.FtraceEventBundle;
import dev.unjank.trace.proto.FtraceFields.Print;
import dev.unjank.trace.proto.FtraceFields.SchedBlockedReason;
import dev.unjank.trace.proto.FtraceFields.SchedProcessExec;
import dev.unjank.trace.proto.FtraceFields.SchedProcessExit;
import dev.unjank.trace.proto.FtraceFields.SchedProcessFree;
import dev.unjank.trace.proto.FtraceFields.SchedWaking;
import dev.unjank.trace.proto.FtraceFields.TaskNewtask;
import dev.unjank.trace.proto.FtraceFields.TaskRename;
import dev.unjank.trace.proto.ProtoReader;
import dev.unjank.trace.read.common.AtraceMarkParser;
import dev.unjank.trace.read.common.ClockConverter;
import dev.unjank.trace.read.common.SkippedRecords;
import dev.unjank.trace.read.common.UnreadableRecords;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Imports bundles of kernel events, each from one CPU's buffer. Several importers may read different bundles at once.
 */
public final class FtraceImporter {
    private static final int IN_INTERRUPT = 0x08 | 0x10;

    /** Greater numbers are addresses, not interned symbols. */
    private static final int MAX_SYMBOL_NUMBER = 1 << 20;

    /** The number of cached thread names. */
    private static final int TIDS = 1 << 10;

    private final TraceBuilder builder;
    private final SkippedRecords skipped;
    private final ClockConverter clocks;
    private final CompactSchedImporter compactSched;
    private final AtraceMarkParser marks;
    private final DriverMarkImporter kernelMarks;
    private final RareFtraceEventImporter rare;
    private final int fenceWait;
    private final int directReclaim;

    private final BundleHeader head = new BundleHeader();
    private final ProtoReader bundle = new ProtoReader();
    private final FtraceEventHeader event = new FtraceEventHeader();
    private final ProtoReader body = new ProtoReader();
    private final SchedSwitchFields switched = new SchedSwitchFields();

    /** The last name of a thread for each value of the lower bits of its tid: it is probably unchanged. */
    private final int[] lastNames = new int[TIDS];

    private long lossyBundles;
    private final DataLossDetector losses = new DataLossDetector();

    // Of the current bundle.
    private byte[] bytes = {};
    private int from;
    private int to;
    private ClockConverter.Converter converter = ClockConverter.Converter.NONE;
    private KernelSymbols symbols = new KernelSymbols();
    private int symbolsKnown;
    private long firstNs;
    private long lastNs;

    // Of the clock used last.
    private ClockConverter.@Nullable Clock clock;
    private ClockConverter.Converter converterOfClock = ClockConverter.Converter.NONE;

    public FtraceImporter(TraceBuilder builder, ClockConverter clocks, SkippedRecords skipped) {
        this.builder = builder;
        this.skipped = skipped;
        this.clocks = clocks;
        compactSched = new CompactSchedImporter(builder, skipped);
        marks = new AtraceMarkParser(builder);
        kernelMarks = new DriverMarkImporter(builder);
        rare = new RareFtraceEventImporter(builder);
        Arrays.fill(lastNames, -1);
        fenceWait = builder.intern("dma_fence_wait");
        directReclaim = builder.intern("mm_vmscan_direct_reclaim");
    }

    /** Adds the counts of another importer. */
    void addCounts(FtraceImporter other) {
        lossyBundles += other.lossyBundles;
        losses.append(other.losses);
        skipped.add(other.skipped);
    }

    /** The number of bundles after a gap. */
    public long lossyBundles() {
        return lossyBundles;
    }

    public DataLossDetector losses() {
        return losses;
    }

    /** Parses the header of a bundle, which determines its clock. */
    public BundleHeader readHead(byte[] bundleBytes, int bundleFrom, int bundleTo) {
        bytes = bundleBytes;
        from = bundleFrom;
        to = bundleTo;
        head.read(bytes, from, to);
        return head;
    }

    /** Imports the events of the bundle with the last header. */
    public void readEvents(ClockConverter.Clock ofClock, KernelSymbols ofSymbols, int known) {
        if (ofClock != clock || converterOfClock == ClockConverter.Converter.NONE) {
            clock = ofClock;
            converterOfClock = clocks.converter(clock);
        }
        readEvents(converterOfClock, ofSymbols, known);
    }

    /** As above, with a given converter of times. */
    void readEvents(ClockConverter.Converter toTrace, KernelSymbols ofSymbols, int known) {
        if (head.isDamaged()) {
            skipped.omit(UnreadableRecords.Kind.BUNDLE);
        }
        if (head.lossy) {
            lossyBundles++;
        }
        firstNs = Long.MAX_VALUE;
        lastNs = Long.MIN_VALUE;
        int cpu = head.cpu;
        converter = toTrace;
        symbols = ofSymbols;
        symbolsKnown = known;
        builder.onCpu(cpu);
        if (head.hasCompact()) {
            body.reset(bytes, head.compactFrom, head.compactTo);
            compactSched.begin(body, cpu, converter);
            firstNs = compactSched.nextNs();
        }
        bundle.reset(bytes, from, to);
        while (bundle.next()) {
            if (bundle.field() == FtraceEventBundle.EVENT) {
                event(cpu);
            }
        }
        compactSched.finish();
        if (head.hasCompact()) {
            lastNs = Math.max(lastNs, compactSched.lastNs);
        }
        if (cpu >= 0 && firstNs <= lastNs) {
            losses.bundle(cpu, earlierEventNs(), firstNs, lastNs, head.lossy);
        }
        builder.onCpu(-1);
    }

    /** Other clocks than the boot clock are converted for each bundle, so that the times of two are not exact. */
    private long earlierEventNs() {
        return head.earlierEvent > 0 && head.usesBootClock()
                ? converter.toTrace(head.earlierEvent)
                : ClockConverter.UNKNOWN;
    }

    private void event(int cpu) {
        if (!event.read(bytes, bundle.from(), bundle.to())) {
            skipped.omit(UnreadableRecords.Kind.KERNEL_EVENT);
            return;
        }
        long ts = converter.toTrace(event.time);
        if (ts == ClockConverter.UNKNOWN) {
            skipped.omit(UnreadableRecords.Kind.KERNEL_EVENT_OF_CLOCK);
            return;
        }
        firstNs = Math.min(firstNs, ts);
        lastNs = Math.max(lastNs, ts);
        int tid = event.tid;
        int flags = event.flags;
        int kind = event.kind;
        body.reset(bytes, event.from, event.to);
        compactSched.emitUntil(ts);
        switch (kind) {
            case FtraceEvent.PRINT -> print(ts, tid);
            case FtraceEvent.SCHED_SWITCH -> schedSwitch(ts, cpu);
            case FtraceEvent.SCHED_WAKING -> waking(ts, cpu, tid, flags, true);
            case FtraceEvent.SCHED_WAKEUP, FtraceEvent.SCHED_WAKEUP_NEW -> waking(ts, cpu, tid, flags, false);
            default -> other(kind, ts, tid);
        }
    }

    private void other(int kind, long ts, int tid) {
        switch (kind) {
            case FtraceEvent.SCHED_BLOCKED_REASON -> blockedReason(ts);
            case FtraceEvent.TASK_NEWTASK -> taskNew(ts, tid);
            case FtraceEvent.TASK_RENAME -> taskRename(ts);
            case FtraceEvent.SCHED_PROCESS_EXEC -> processExec(ts);
            case FtraceEvent.SCHED_PROCESS_EXIT -> builder.kernel().taskExit(ts, number(SchedProcessExit.PID));
            case FtraceEvent.SCHED_PROCESS_FREE -> taskEnd(ts);
            case FtraceEvent.BINDER_TRANSACTION -> binderTransaction(ts, tid);
            case FtraceEvent.BINDER_TRANSACTION_RECEIVED ->
                builder.kernel().binderReceived(ts, tid, number(BinderTransaction.DEBUG_ID));
            case FtraceEvent.DMA_FENCE_WAIT_START -> builder.program().begin(ts, tid, 0, fenceWait);
            case FtraceEvent.MM_VMSCAN_DIRECT_RECLAIM_BEGIN -> builder.program().begin(ts, tid, 0, directReclaim);
            case FtraceEvent.DMA_FENCE_WAIT_END, FtraceEvent.MM_VMSCAN_DIRECT_RECLAIM_END ->
                builder.program().end(ts, tid, 0);
            default -> {
                if (!kernelMarks.read(kind, ts, tid, body) && !rare.read(kind, ts, tid, body)) {
                    skipped.ftraceEvent();
                    builder.unmodeledEvent(ts);
                }
            }
        }
    }

    private void print(long ts, int tid) {
        while (body.next()) {
            if (body.field() == Print.BUF) {
                if (!marks.parse(ts, tid, body.bytes(), body.from(), body.to())) {
                    skipped.ftraceEvent();
                    builder.unmodeledEvent(ts);
                }
                return;
            }
        }
    }

    private void schedSwitch(long ts, int cpu) {
        switched.read(bytes, event.from, event.to);
        int prevComm = name(switched.prevTid, switched.prevNameFrom, switched.prevNameTo);
        int nextComm = name(switched.nextTid, switched.nextNameFrom, switched.nextNameTo);
        builder.kernel()
                .schedSwitch(
                        ts,
                        cpu,
                        switched.prevTid,
                        prevComm,
                        switched.prevPriority,
                        switched.prevState,
                        switched.nextTid,
                        nextComm,
                        switched.nextPriority);
    }

    /** The string id of a thread's name, -1 if it is missing. */
    private int name(int tid, int nameFrom, int nameTo) {
        if (nameFrom < 0) {
            return -1;
        }
        int place = tid & TIDS - 1;
        int name = builder.intern(bytes, nameFrom, nameTo - nameFrom, lastNames[place]);
        lastNames[place] = name;
        return name;
    }

    private void waking(long ts, int cpu, int tid, int flags, boolean begins) {
        int woken = 0;
        int priority = 0;
        while (body.next()) {
            switch (body.field()) {
                case SchedWaking.PID -> woken = body.intValue();
                case SchedWaking.PRIO -> priority = body.intValue();
                default -> {}
            }
        }
        if (!begins) {
            builder.kernel().wakeup(ts, cpu, woken, priority);
        } else if ((flags & IN_INTERRUPT) != 0) {
            builder.kernel().wakingFromInterrupt(ts, cpu, tid, woken, priority);
        } else {
            builder.kernel().waking(ts, cpu, tid, woken, priority);
        }
    }

    private void blockedReason(long ts) {
        int tid = 0;
        long caller = 0;
        boolean ioWait = false;
        while (body.next()) {
            switch (body.field()) {
                case SchedBlockedReason.PID -> tid = body.intValue();
                case SchedBlockedReason.CALLER -> caller = body.value();
                case SchedBlockedReason.IO_WAIT -> ioWait = body.boolValue();
                default -> {}
            }
        }
        byte[] name = symbols.name(caller, symbolsKnown);
        int function = name == null ? -1 : builder.intern(name, 0, name.length);
        if (function < 0 && (caller < 0 || caller > MAX_SYMBOL_NUMBER)) {
            function = builder.intern("0x" + Long.toHexString(caller));
        }
        builder.kernel().blockedReason(ts, tid, ioWait, function);
    }

    private void taskNew(long ts, int creator) {
        int tid = 0;
        int comm = -1;
        int flags = 0;
        while (body.next()) {
            switch (body.field()) {
                case TaskNewtask.PID -> tid = body.intValue();
                case TaskNewtask.COMM -> comm = text();
                case TaskNewtask.CLONE_FLAGS -> flags = body.intValue();
                default -> {}
            }
        }
        builder.kernel().taskNew(ts, creator, tid, comm, flags);
    }

    private void taskRename(long ts) {
        int tid = 0;
        int comm = -1;
        while (body.next()) {
            switch (body.field()) {
                case TaskRename.PID -> tid = body.intValue();
                case TaskRename.NEWCOMM -> comm = text();
                default -> {}
            }
        }
        builder.kernel().taskRename(ts, tid, comm);
    }

    /** The name of a program is that of its file without the folder. */
    private void processExec(long ts) {
        int pid = 0;
        int program = -1;
        while (body.next()) {
            switch (body.field()) {
                case SchedProcessExec.PID -> pid = body.intValue();
                case SchedProcessExec.FILENAME -> {
                    int from = body.from() + body.length();
                    while (from > body.from() && body.bytes()[from - 1] != '/') {
                        from--;
                    }
                    program = builder.intern(body.bytes(), from, body.from() + body.length() - from);
                }
                default -> {}
            }
        }
        builder.kernel().processExec(ts, pid, program);
    }

    private void taskEnd(long ts) {
        builder.kernel().taskEnd(ts, number(SchedProcessFree.PID));
    }

    private void binderTransaction(long ts, int tid) {
        int number = 0;
        boolean reply = false;
        int flags = 0;
        while (body.next()) {
            switch (body.field()) {
                case BinderTransaction.DEBUG_ID -> number = body.intValue();
                case BinderTransaction.REPLY -> reply = body.intValue() == 1;
                case BinderTransaction.FLAGS -> flags = body.intValue();
                default -> {}
            }
        }
        builder.kernel().binderTransaction(ts, tid, number, reply, (flags & BinderTransaction.ONE_WAY) != 0);
    }

    /** A single numeric field of the event. */
    private int number(int field) {
        int number = 0;
        while (body.next()) {
            if (body.field() == field) {
                number = body.intValue();
            }
        }
        return number;
    }

    private int text() {
        return builder.intern(body.bytes(), body.from(), body.length());
    }
}
