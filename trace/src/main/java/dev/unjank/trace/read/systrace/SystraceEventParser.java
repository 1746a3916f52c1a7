package dev.unjank.trace.read.systrace;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.Counters;
import dev.unjank.trace.read.common.MachineCounters;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the kernel events of systrace text, except the marks of programs. */
final class SystraceEventParser {
    private static final String WAIT_START = "dma_fence_wait_start";
    private static final String WAIT_END = "dma_fence_wait_end";

    private static final Pattern SYS_ENTER = Pattern.compile("NR (\\d{1,9}) \\(([0-9a-f]{1,16}), ([0-9a-f]{1,16})");
    private static final Pattern SYS_EXIT = Pattern.compile("NR (\\d{1,9}) = (-?\\d{1,18})");

    private final TraceBuilder builder;
    private final KeyValueFields fields = new KeyValueFields();
    private final int fenceWait;
    private final int directReclaim;
    private final int frequency;
    private final int idle;
    private final MachineCounters counters;

    SystraceEventParser(TraceBuilder builder) {
        this.builder = builder;
        fenceWait = builder.intern("dma_fence_wait");
        directReclaim = builder.intern("mm_vmscan_direct_reclaim");
        frequency = builder.intern(Counters.CPU_FREQUENCY);
        idle = builder.intern(Counters.CPU_IDLE);
        counters = new MachineCounters(builder);
    }

    /** Parses an event; returns false if it is of another kind. */
    boolean read(String event, SystraceLine line, byte[] bytes, int to) {
        long ts = line.ts;
        int tid = line.tid;
        fields.reset(bytes, line.bodyFrom(), to);
        switch (event) {
            case "sched_switch" -> {
                return schedSwitch(ts, line.cpu, bytes);
            }
            case "sched_waking" -> {
                return waking(ts, line);
            }
            case "sched_wakeup", "sched_wakeup_new" ->
                builder.kernel().wakeup(ts, line.cpu, integer("pid"), integer("prio"));
            case "sched_blocked_reason" -> blockedReason(ts, bytes);
            case "task_newtask" ->
                builder.kernel()
                        .taskNew(ts, tid, integer("pid"), text("comm", "clone_flags", bytes), (int) hex("clone_flags"));
            case "task_rename" ->
                builder.kernel().taskRename(ts, integer("pid"), text("newcomm", "oom_score_adj", bytes));
            case "sched_process_exec" -> processExec(ts, bytes);
            case "sched_process_exit" -> builder.kernel().taskExit(ts, integer("pid"));
            case "sched_process_free" -> builder.kernel().taskEnd(ts, integer("pid"));
            case "binder_transaction" -> {
                boolean oneWay = (hex("flags") & 1) != 0;
                builder.kernel().binderTransaction(ts, tid, integer("transaction"), integer("reply") == 1, oneWay);
            }
            case "binder_transaction_received" -> builder.kernel().binderReceived(ts, tid, integer("transaction"));
            case "binder_return" -> builder.kernel().binderReturn(ts, tid, hex("cmd"));
            case "sched_pi_setprio" ->
                builder.rareKernel().inheritedPriority(ts, integer("pid"), integer("oldprio"), integer("newprio"));
            case "cpu_frequency" -> builder.rareKernel().cpuCounter(ts, integer("cpu_id"), frequency, integer("state"));
            case "cpu_idle" -> builder.rareKernel().cpuCounter(ts, integer("cpu_id"), idle, number("state"));
            case "cpu_frequency_limits" ->
                counters.frequencyLimits(ts, integer("cpu_id"), number("min", "min_freq"), number("max", "max_freq"));
            case "clock_set_rate" -> counters.clockRate(ts, clock(bytes, line.bodyFrom()), number("state"));
            case "clock_enable", "clock_disable" ->
                counters.clockState(ts, clock(bytes, line.bodyFrom()), number("state"));
            case "sys_enter" -> systemCall(ts, tid, text(bytes, line.bodyFrom(), to));
            case "sys_exit" -> systemCallReturns(ts, tid, text(bytes, line.bodyFrom(), to));
            case WAIT_START -> builder.program().begin(ts, tid, 0, fenceWait);
            case "mm_vmscan_direct_reclaim_begin" -> builder.program().begin(ts, tid, 0, directReclaim);
            case WAIT_END, "mm_vmscan_direct_reclaim_end" -> builder.program().end(ts, tid, 0);
            default -> {
                return false;
            }
        }
        return true;
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, Math.min(to - from, 256), StandardCharsets.ISO_8859_1);
    }

    /** The name of a clock, which is before the fields. */
    private String clock(byte[] bytes, int from) {
        int to = fields.seek("state") ? fields.valueFrom - "state=".length() : from;
        return text(bytes, from, to).strip();
    }

    private void systemCall(long ts, int tid, String text) {
        Matcher call = SYS_ENTER.matcher(text);
        if (call.lookingAt()) {
            long address = Long.parseUnsignedLong(call.group(2), 16);
            long operation = Long.parseUnsignedLong(call.group(3), 16);
            builder.rareKernel().systemCall(ts, tid, Long.parseLong(call.group(1)), (int) operation, address);
        }
    }

    private void systemCallReturns(long ts, int tid, String text) {
        Matcher call = SYS_EXIT.matcher(text);
        if (call.lookingAt()) {
            builder.rareKernel()
                    .systemCallReturns(ts, tid, Long.parseLong(call.group(1)), Long.parseLong(call.group(2)));
        }
    }

    private boolean schedSwitch(long ts, int cpu, byte[] bytes) {
        if (fields.number("prev_pid") == KeyValueFields.NONE || fields.number("next_pid") == KeyValueFields.NONE) {
            return false;
        }
        int prevComm = text("prev_comm", "prev_pid", bytes);
        int nextComm = text("next_comm", "next_pid", bytes);
        String state = fields.seek("prev_state")
                ? new String(bytes, fields.valueFrom, fields.valueTo - fields.valueFrom, StandardCharsets.ISO_8859_1)
                : "";
        builder.kernel()
                .schedSwitch(
                        ts,
                        cpu,
                        integer("prev_pid"),
                        prevComm,
                        integer("prev_prio"),
                        SystraceReader.state(state),
                        integer("next_pid"),
                        nextComm,
                        integer("next_prio"));
        return true;
    }

    private boolean waking(long ts, SystraceLine line) {
        if (fields.number("pid") == KeyValueFields.NONE) {
            return false;
        }
        int tid = integer("pid");
        int priority = integer("prio");
        if (line.inInterrupt) {
            builder.kernel().wakingFromInterrupt(ts, line.cpu, line.tid, tid, priority);
        } else {
            builder.kernel().waking(ts, line.cpu, line.tid, tid, priority);
        }
        return true;
    }

    /** The function without the offset in it, as in other formats. */
    private void blockedReason(long ts, byte[] bytes) {
        int tid = integer("pid");
        boolean ioWait = integer("iowait") == 1;
        int function = -1;
        if (fields.seek("caller")) {
            int end = fields.valueFrom;
            while (end < fields.valueTo && bytes[end] != '+') {
                end++;
            }
            function = builder.intern(bytes, fields.valueFrom, end - fields.valueFrom);
        }
        builder.kernel().blockedReason(ts, tid, ioWait, function);
    }

    /** The name of a program is that of its file without the folder. */
    private void processExec(long ts, byte[] bytes) {
        if (fields.seek("filename", "pid")) {
            int from = fields.valueTo;
            while (from > fields.valueFrom && bytes[from - 1] != '/') {
                from--;
            }
            int program = builder.intern(bytes, from, fields.valueTo - from);
            builder.kernel().processExec(ts, integer("pid"), program);
        }
    }

    private int text(String key, String next, byte[] bytes) {
        return fields.seek(key, next) ? builder.intern(bytes, fields.valueFrom, fields.valueTo - fields.valueFrom) : -1;
    }

    private int integer(String key) {
        return (int) number(key);
    }

    private long number(String key) {
        long number = fields.number(key);
        return number == KeyValueFields.NONE ? 0 : number;
    }

    /** A number under either name: kernels differ. */
    private long number(String key, String other) {
        return fields.seek(key) ? number(key) : number(other);
    }

    private long hex(String key) {
        long number = fields.hex(key);
        return number == KeyValueFields.NONE ? 0 : number;
    }
}
