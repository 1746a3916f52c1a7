package dev.unjank.trace.processor;

import static dev.unjank.trace.processor.ProcessorTable.NULL;

import dev.unjank.trace.processor.ProcessRows.NameSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads switches between threads, in the full and in the compact encoding. */
final class SchedEvents {
    private static final class Cpu {
        int run = -1;
        long tid;
        int utid = -1;
        long priority;
    }

    private final ProcessorContext context;
    private final List<Cpu> cpus = new ArrayList<>();
    private final Map<Long, Integer> stateNames = new HashMap<>();
    private @Nullable TaskStates states;

    SchedEvents(ProcessorContext context) {
        this.context = context;
    }

    private Cpu cpu(int number) {
        while (cpus.size() <= number) {
            cpus.add(new Cpu());
        }
        return cpus.get(number);
    }

    /** The string of a switched thread's state, -1 for an impossible one. */
    private int state(long bits) {
        TaskStates known = states;
        if (known == null) {
            known = TaskStates.of(context.metadata.text("system_release"));
            states = known;
        }
        TaskStates names = known;
        return stateNames.computeIfAbsent(bits, key -> {
            String name = names.name((int) (key & 0xffff));
            if (name == null) {
                context.metadata.count("task_state_invalid");
            }
            return name == null ? -1 : context.intern(name);
        });
    }

    void switched(int cpu, long ts, ProtoFields fields) {
        switched(
                cpu,
                ts,
                new Switch(
                        fields.number(2) & 0xffff_ffffL,
                        fields.text(1),
                        fields.number(3),
                        fields.number(4),
                        fields.number(6) & 0xffff_ffffL,
                        fields.text(5),
                        fields.number(7)),
                state(fields.number(4)));
    }

    /** The fields of a switch. */
    record Switch(
            long prevTid,
            String prevName,
            long prevPriority,
            long prevState,
            long nextTid,
            String nextName,
            long nextPriority) {}

    void switched(int number, long ts, Switch event, int state) {
        Cpu cpu = cpu(number);
        int nextName = context.intern(event.nextName);
        int next = context.processes.nameThread(event.nextTid, nextName, NameSource.FTRACE);
        if (cpu.run >= 0) {
            if (cpu.tid == event.prevTid) {
                context.sched.end(cpu.run, ts, state);
            } else {
                context.metadata.count("mismatched_sched_switch_tids");
            }
        }
        int prevName = context.intern(event.prevName);
        int previous = context.processes.nameThread(event.prevTid, prevName, NameSource.FTRACE);
        raw(
                number,
                ts,
                previous,
                event.prevTid,
                prevName,
                event.prevPriority,
                event.prevState,
                event.nextTid,
                nextName,
                event.nextPriority);
        run(cpu, number, ts, next, event.nextTid, event.nextPriority);
        context.sched.switched(ts, number, previous, state, next);
    }

    void compactSwitch(int number, long ts, long prevState, long tid, long priority, int name, boolean onlyRaw) {
        Cpu cpu = cpu(number);
        int next = context.processes.nameThread(tid, name, NameSource.FTRACE);
        int previous = cpu.utid;
        if (previous < 0) {
            context.metadata.count("compact_sched_switch_skipped");
            note(cpu, next, tid, priority, -1);
            return;
        }
        long prevTid = cpu.tid;
        long prevPriority = cpu.priority;
        int state = state(prevState);
        if (cpu.run >= 0 && !onlyRaw) {
            context.sched.end(cpu.run, ts, state);
        }
        long prevName = context.processes.nameOf(previous);
        raw(
                number,
                ts,
                previous,
                prevTid,
                prevName == NULL ? -1 : (int) prevName,
                prevPriority,
                prevState,
                tid,
                name,
                priority);
        if (onlyRaw) {
            note(cpu, next, tid, priority, -1);
            return;
        }
        run(cpu, number, ts, next, tid, priority);
        context.sched.switched(ts, number, previous, state, next);
    }

    private void run(Cpu cpu, int number, long ts, int utid, long tid, long priority) {
        context.useCpu(number);
        note(cpu, utid, tid, priority, context.sched.start(ts, number, utid, priority));
    }

    private static void note(Cpu cpu, int utid, long tid, long priority, int run) {
        cpu.run = run;
        cpu.tid = tid;
        cpu.utid = utid;
        cpu.priority = priority;
    }

    /** A wakeup in the compact encoding; {@code flags} is -1 if it has none. */
    void compactWaking(
            int number, long ts, long tid, long targetCpu, long priority, int name, int flags, boolean onlyRaw) {
        Cpu cpu = cpu(number);
        if (cpu.utid < 0) {
            context.metadata.count("compact_sched_waking_skipped");
            return;
        }
        ArgList args = context.args()
                .string("comm", name)
                .integer("pid", tid)
                .integer("prio", priority)
                .integer("target_cpu", targetCpu);
        context.ftraceEvents.add(
                context.ftraceEvents.rows(),
                ts,
                context.intern("sched_waking"),
                number,
                cpu.utid,
                context.args.add(args.args()),
                Math.max(flags, 0),
                context.useCpu(number));
        int wakee = context.processes.thread(tid);
        if (!onlyRaw) {
            context.sched.woken(ts, wakee, cpu.utid, flags);
        }
    }

    private void raw(
            int cpu,
            long ts,
            int previous,
            long prevTid,
            int prevName,
            long prevPriority,
            long prevState,
            long nextTid,
            int nextName,
            long nextPriority) {
        ArgList args = context.args()
                .string("prev_comm", prevName)
                .integer("prev_pid", prevTid)
                .integer("prev_prio", prevPriority)
                .integer("prev_state", prevState)
                .string("next_comm", nextName)
                .integer("next_pid", nextTid)
                .integer("next_prio", nextPriority);
        context.ftraceEvents.add(
                context.ftraceEvents.rows(),
                ts,
                context.intern("sched_switch"),
                cpu,
                previous,
                context.args.add(args.args()),
                0,
                context.useCpu(cpu));
    }
}
