package dev.unjank.trace.processor;

import dev.unjank.trace.processor.ArgSets.Type;
import dev.unjank.trace.processor.ProcessRows.NameSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the kernel's events in time order. */
final class FtraceRows {
    private static final int PRINT = 3;
    private static final int SCHED_SWITCH = 4;
    private static final int COMMON_FLAGS = 5;
    private static final int GENERIC = 327;
    private static final int CLONE_THREAD = 0x10000;
    private static final int KTHREADD = 2;

    private final ProcessorContext context;
    private final SchedEvents sched;
    private final BinderRows binder;
    private final KernelCounters counters;
    final AtraceRows atrace;
    private final Map<Integer, Fences> timelines = new HashMap<>();
    private boolean started;
    private long dropBefore;
    private long onlyRawBefore;

    FtraceRows(ProcessorContext context) {
        this.context = context;
        sched = new SchedEvents(context);
        binder = new BinderRows(context);
        counters = new KernelCounters(context);
        atrace = new AtraceRows(context);
    }

    SchedEvents sched() {
        return sched;
    }

    KernelCounters counters() {
        return counters;
    }

    /** Symbols of the kernel by their number in the sequence. */
    interface Symbols {
        @Nullable
        String name(long number);
    }

    private void start() {
        if (!started) {
            started = true;
            dropBefore = Math.max(0, context.metadata.number("tracing_started_ns"));
            onlyRawBefore = Math.max(dropBefore, context.metadata.number("ftrace_latest_data_start_ns"));
        }
    }

    /** Whether events of a time are ignored: they precede the start of the recording. */
    boolean drops(long ts) {
        start();
        if (ts < dropBefore) {
            context.metadata.count("ftrace_packet_before_tracing_start");
            return true;
        }
        return false;
    }

    /** Whether events of a time only go to the table of events: not all CPUs were recorded then. */
    boolean isOnlyRaw(long ts) {
        return ts < onlyRawBefore;
    }

    void event(int cpu, long ts, ProtoFields event, Symbols symbols) {
        if (drops(ts)) {
            return;
        }
        long tid = event.number(2) & 0xffff_ffffL;
        for (int i = 0; i < event.size(); i++) {
            ProtoFields.Bytes content = event.bytesAt(i);
            int kind = event.numberAt(i);
            if (content == null) {
                continue;
            }
            ProtoFields fields = content.fields();
            if (kind == GENERIC) {
                generic(cpu, ts, tid, fields);
            } else if (kind != SCHED_SWITCH) {
                raw(kind, cpu, ts, tid, fields, symbols);
            }
            if (isOnlyRaw(ts)) {
                continue;
            }
            typed(kind, cpu, ts, tid, fields, (int) event.number(COMMON_FLAGS), event.has(COMMON_FLAGS), symbols);
        }
    }

    private void raw(int kind, int cpu, long ts, long tid, ProtoFields fields, Symbols symbols) {
        FtraceEvents.Event event = FtraceEvents.of(kind);
        if (event == null) {
            context.metadata.count("ftrace_unknown_event");
            return;
        }
        int utid = context.processes.thread(tid);
        context.useCpu(cpu);
        ArgList args = context.args();
        for (int i = 0; i < fields.size(); i++) {
            FtraceEvents.Field field = event.fields().get(fields.numberAt(i));
            if (field == null) {
                continue;
            }
            ProtoFields.Bytes text = fields.bytesAt(i);
            switch (field.type()) {
                case STRING -> {
                    if (text != null) {
                        args.string(field.name(), context.strings.intern(text.array(), text.from(), text.length()));
                    }
                }
                case POINTER -> {
                    String name = symbols.name(fields.valueAt(i));
                    if (name == null) {
                        args.unsigned(field.name(), fields.valueAt(i));
                    } else {
                        args.string(field.name(), name);
                    }
                }
                default -> args.add(field.name(), field.type(), fields.valueAt(i));
            }
        }
        addRaw(ts, event.name(), cpu, utid, args, 0);
    }

    void addRaw(long ts, String name, int cpu, int utid, ArgList args, int flags) {
        context.ftraceEvents.add(
                context.ftraceEvents.rows(),
                ts,
                context.intern(name),
                cpu,
                utid,
                context.args.add(args.args()),
                flags,
                context.useCpu(cpu));
    }

    private void generic(int cpu, long ts, long tid, ProtoFields fields) {
        int utid = context.processes.thread(tid);
        ArgList args = context.args();
        for (ProtoFields.Bytes part : fields.all(2)) {
            ProtoFields field = part.fields();
            String name = field.text(1);
            if (field.has(4)) {
                args.integer(name, field.number(4));
            } else if (field.has(5)) {
                args.integer(name, field.number(5));
            } else if (field.has(3)) {
                args.string(name, field.text(3));
            }
        }
        addRaw(ts, fields.text(1), cpu, utid, args, 0);
    }

    private void typed(
            int kind, int cpu, long ts, long tid, ProtoFields fields, int flags, boolean hasFlags, Symbols symbols) {
        switch (kind) {
            case SCHED_SWITCH -> sched.switched(cpu, ts, fields);
            case 20 -> {
                int wakee = context.processes.nameThread(fields.number(2), text(fields, 1), NameSource.FTRACE);
                int waker = context.processes.thread(tid);
                context.sched.woken(ts, wakee, waker, hasFlags ? flags : -1);
            }
            case 18 -> blockedReason(fields, symbols);
            case PRINT -> atrace.mark(ts, tid, fields.text(2));
            case 331 -> zero(ts, tid, fields);
            case 80 -> mark(ts, tid, 0, fields.number(3) != 0, fields.text(2), fields.number(1), 0);
            case 333 ->
                mark(
                        ts,
                        tid,
                        (int) fields.number(3),
                        fields.number(5) != 0,
                        fields.text(2),
                        fields.number(1),
                        fields.number(4));
            case 348, 467, 484 ->
                mark(
                        ts,
                        tid,
                        (int) fields.number(kind == 348 ? 3 : 4),
                        false,
                        fields.text(kind == 348 ? 2 : 1),
                        fields.number(kind == 348 ? 1 : 2),
                        fields.number(kind == 348 ? 4 : 3));
            case 349 ->
                mark(ts, tid, (int) fields.number(5), false, fields.text(4), fields.number(1), fields.number(6));
            case 350 ->
                mark(ts, tid, (int) fields.number(3), false, fields.text(1), fields.number(2), fields.number(4));
            case 235 -> newTask(ts, tid, fields);
            case 236 -> context.processes.nameThreadAndProcess(fields.number(1), text(fields, 3), NameSource.FTRACE);
            case 240 -> context.processes.endThread(ts, fields.number(2));
            case 50 ->
                binder.transaction(
                        ts,
                        tid,
                        new BinderRows.Transaction(
                                (int) fields.number(1),
                                (int) fields.number(2),
                                fields.number(3) & 0xffff_ffffL,
                                fields.number(4) & 0xffff_ffffL,
                                fields.number(5) == 1,
                                fields.number(7),
                                fields.number(6)));
            case 51 -> binder.received(ts, tid, (int) fields.number(1));
            case 323 -> binder.allocated(tid, fields.number(1), fields.number(3));
            case 485 -> binder.command(tid, (int) fields.number(1));
            case 486 -> binder.returned(ts, tid, (int) fields.number(1));
            case 414, 415, 416, 417, 418 -> fence(kind, ts, tid, fields);
            default -> counters.event(kind, cpu, ts, tid, fields);
        }
    }

    private int text(ProtoFields fields, int number) {
        ProtoFields.Bytes bytes = fields.bytes(number);
        return bytes == null ? -1 : context.strings.intern(bytes.array(), bytes.from(), bytes.length());
    }

    private void blockedReason(ProtoFields fields, Symbols symbols) {
        int utid = context.processes.thread(fields.number(1));
        String function = fields.has(2) ? symbols.name(fields.number(2)) : null;
        context.sched.blockedReason(
                utid,
                fields.has(3) ? (fields.number(3) != 0 ? 1 : 0) : -1,
                function == null ? -1 : context.intern(function));
    }

    private void zero(long ts, long tid, ProtoFields fields) {
        long flag = fields.number(1);
        char phase = (flag & 1) != 0 ? 'B' : (flag & 2) != 0 ? 'E' : (flag & 4) != 0 ? 'C' : 0;
        if (phase != 0) {
            atrace.point(ts, tid, phase, fields.number(3), fields.text(2), "", fields.number(4));
        }
    }

    private void mark(long ts, long tid, int type, boolean begin, String name, long process, long value) {
        char phase = type == 0 ? begin ? 'B' : 'E' : (char) type;
        if (phase == 'B' || phase == 'E' || phase == 'C' || phase == 'I') {
            atrace.point(ts, tid, phase, process & 0xffff_ffffL, name, "", value);
        } else {
            context.metadata.count("systrace_parse_failure");
        }
    }

    private void newTask(long ts, long parent, ProtoFields fields) {
        long tid = fields.number(1);
        int name = text(fields, 2);
        ProcessRows processes = context.processes;
        int created;
        if ((fields.number(3) & CLONE_THREAD) == 0 || parent == KTHREADD) {
            if (parent == KTHREADD) {
                processes.nameProcess(processes.process(KTHREADD), context.intern("kthreadd"));
            }
            processes.startProcess(ts, parent, tid, name, NameSource.FTRACE);
            created = processes.thread(tid);
        } else {
            int source = processes.thread(parent);
            created = processes.startThread(ts, tid);
            processes.nameThread(created, name, NameSource.FTRACE);
            processes.associate(source, created);
        }
        context.sched.created(ts, created, processes.thread(parent));
    }

    /** Signalled fences lie on a track of their own, waits for them on the thread. */
    private void fence(int kind, long ts, long tid, ProtoFields fields) {
        long number = fields.number(1);
        long sequence = fields.number(3);
        if (kind >= 417) {
            int track = context.threadTrack(context.processes.thread(tid));
            if (kind == 417) {
                context.slices.begin(
                        ts,
                        track,
                        -1,
                        context.intern("dma_fence_wait"),
                        args -> args.unsigned("fence context", number).unsigned("fence seqno", sequence));
            } else {
                context.slices.end(ts, track, -1, -1, SliceRows.NO_ARGS);
            }
            return;
        }
        String timeline = fields.text(4);
        String name = "fence-" + timeline + "-" + number;
        int track = context.tracks.intern(
                "drm_fence",
                context.args().string("name", timeline).add("context", Type.INT, number),
                TrackRows.Details.slices(context.intern(name)));
        Fences fences = timelines.computeIfAbsent(track, _ -> new Fences());
        if (kind == 416) {
            signalled(ts, track, fences.pending, sequence);
        } else if (kind == 415 || !fences.emits) {
            fences.emits |= kind == 415;
            fences.pending.add(sequence);
            if (fences.pending.size() == 1) {
                beginFence(ts, track, sequence);
            }
        }
    }

    /** Fences of a timeline signal in order: a signal ends all up to its number. */
    private void signalled(long ts, int track, Deque<Long> pending, long sequence) {
        while (!pending.isEmpty() && sequence - pending.getFirst() >= 0) {
            pending.removeFirst();
            context.slices.end(ts, track, -1, -1, SliceRows.NO_ARGS);
            if (!pending.isEmpty()) {
                beginFence(ts, track, pending.getFirst());
            }
        }
    }

    private void beginFence(long ts, int track, long sequence) {
        context.slices.begin(ts, track, -1, context.intern("fence"), args -> args.unsigned("fence seqno", sequence));
    }

    /** The fences of a timeline that have not signalled; their creation counts only if there are no other events. */
    private static final class Fences {
        final Deque<Long> pending = new ArrayDeque<>();
        boolean emits;
    }
}
