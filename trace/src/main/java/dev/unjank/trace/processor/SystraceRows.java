package dev.unjank.trace.processor;

import dev.unjank.trace.processor.ProcessRows.NameSource;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads kernel events as text: systrace. */
final class SystraceRows {
    private static final Pattern LINE =
            Pattern.compile("^\\s*(.*)-(\\d+)\\s+(?:\\(\\s*(\\d+|-+)\\)\\s+)?\\[(\\d+)]\\s+(?:\\S{4,5}\\s*)??\\s*"
                    + "(\\d+\\.\\d+):\\s+(\\S+):\\s?(.*)$");
    private static final Pattern FIELD = Pattern.compile("(\\w+)=(\\S*)");
    private static final double NANOSECONDS = 1e9;
    private static final int HEX = 16;

    /** A parsed line. */
    record Line(String task, long tid, long process, int cpu, String event, String text) {}

    private final ProcessorContext context;
    private final EventQueues queues = new EventQueues();
    private final SchedEvents sched;
    private final AtraceRows atrace;
    private final BinderRows binder;
    private final KernelCounters counters;

    SystraceRows(ProcessorContext context) {
        this.context = context;
        sched = new SchedEvents(context);
        atrace = new AtraceRows(context);
        binder = new BinderRows(context);
        counters = new KernelCounters(context);
    }

    void read(String text) {
        text.lines().forEach(line -> {
            if (line.startsWith("#") || line.indexOf('[') < 0) {
                return;
            }
            Matcher matcher = LINE.matcher(line);
            if (matcher.matches()) {
                String group = matcher.group(3);
                long process = group == null || group.startsWith("-") ? -1 : Long.parseLong(group);
                Line parsed = new Line(
                        matcher.group(1).strip(),
                        Long.parseLong(matcher.group(2)),
                        process,
                        Integer.parseInt(matcher.group(4)),
                        matcher.group(6),
                        matcher.group(7));
                long ts = (long) (Double.parseDouble(matcher.group(5)) * NANOSECONDS);
                queues.add(0, ts, parsed, 0, 0);
            }
        });
        queues.drain((ts, content, _, _) -> event(ts, (Line) content));
    }

    private void event(long ts, Line line) {
        String task = line.task.equals("<idle>") ? "swapper" : line.task.equals("<...>") ? "" : line.task;
        if (task.isEmpty()) {
            context.processes.thread(line.tid);
        } else {
            context.processes.nameThread(line.tid, context.intern(task), NameSource.FTRACE);
        }
        if (line.process >= 0) {
            context.processes.thread(line.tid, line.process);
        }
        switch (line.event) {
            case "tracing_mark_write", "print", "0" -> atrace.mark(ts, line.tid, line.text);
            case "sched_switch" -> switched(ts, line);
            default -> fields(ts, line);
        }
    }

    private static Map<String, String> fields(String text) {
        Map<String, String> fields = new HashMap<>();
        Matcher matcher = FIELD.matcher(text);
        while (matcher.find()) {
            fields.putIfAbsent(matcher.group(1), matcher.group(2));
        }
        return fields;
    }

    private void switched(long ts, Line line) {
        Map<String, String> fields = fields(line.text);
        String letters = fields.getOrDefault("prev_state", "");
        SchedEvents.Switch event = new SchedEvents.Switch(
                number(fields, "prev_pid"),
                fields.getOrDefault("prev_comm", ""),
                number(fields, "prev_prio"),
                TaskStates.bits(letters),
                number(fields, "next_pid"),
                fields.getOrDefault("next_comm", ""),
                number(fields, "next_prio"));
        sched.switched(line.cpu, ts, event, context.intern(letters.replace("|", "")));
    }

    private void fields(long ts, Line line) {
        Map<String, String> fields = fields(line.text);
        String device = line.text.strip().split("\\s", 2)[0];
        switch (line.event) {
            case "sched_waking" -> {
                int wakee =
                        context.processes.nameThread(number(fields, "pid"), name(fields, "comm"), NameSource.FTRACE);
                context.sched.woken(ts, wakee, context.processes.thread(line.tid), -1);
            }
            case "sched_blocked_reason" ->
                context.sched.blockedReason(
                        context.processes.thread(number(fields, "pid")),
                        number(fields, "iowait") != 0 ? 1 : 0,
                        name(fields, "caller"));
            case "cpu_frequency" ->
                counters.cpu(ts, "cpu_frequency", number(fields, "cpu_id"), "cpufreq", fields, "state");
            case "cpu_idle" -> counters.cpu(ts, "cpu_idle", number(fields, "cpu_id"), "cpuidle", fields, "state");
            case "clock_set_rate" ->
                counters.device(ts, "clock_frequency", device, "Frequency", number(fields, "state"));
            case "clock_enable" -> counters.device(ts, "clock_state", device, "State", 1);
            case "clock_disable" -> counters.device(ts, "clock_state", device, "State", 0);
            case "sched_process_free" -> context.processes.endThread(ts, number(fields, "pid"));
            case "task_rename" ->
                context.processes.nameThreadAndProcess(
                        number(fields, "pid"), name(fields, "newcomm"), NameSource.FTRACE);
            case "task_newtask" ->
                context.processes.nameThread(number(fields, "pid"), name(fields, "comm"), NameSource.FTRACE);
            case "binder_transaction" ->
                binder.transaction(
                        ts,
                        line.tid,
                        new BinderRows.Transaction(
                                number(fields, "transaction"),
                                number(fields, "dest_node"),
                                number(fields, "dest_proc"),
                                number(fields, "dest_thread"),
                                number(fields, "reply") == 1,
                                hex(fields, "flags"),
                                hex(fields, "code")));
            case "binder_transaction_received" -> binder.received(ts, line.tid, number(fields, "transaction"));
            case "binder_command" -> binder.command(line.tid, (int) hex(fields, "cmd"));
            case "binder_return" -> binder.returned(ts, line.tid, (int) hex(fields, "cmd"));
            case "binder_transaction_alloc_buf" ->
                binder.allocated(line.tid, number(fields, "data_size"), number(fields, "offsets_size"));
            case "workqueue_execute_start" -> workqueue(ts, line);
            case "workqueue_execute_end" ->
                context.slices.end(
                        ts, context.threadTrack(context.processes.thread(line.tid)), -1, -1, SliceRows.NO_ARGS);
            default -> {}
        }
    }

    private void workqueue(long ts, Line line) {
        int at = line.text.indexOf("function ");
        String name =
                at < 0 ? "" : line.text.substring(at + "function ".length()).strip();
        int track = context.threadTrack(context.processes.thread(line.tid));
        context.slices.begin(ts, track, context.intern("workqueue"), context.intern(name), SliceRows.NO_ARGS);
    }

    private int name(Map<String, String> fields, String key) {
        String value = fields.get(key);
        return value == null ? -1 : context.intern(value);
    }

    private static long number(Map<String, String> fields, String key) {
        return parse(fields.get(key), 10);
    }

    private static long hex(Map<String, String> fields, String key) {
        String value = fields.get(key);
        return value == null ? 0 : parse(value.startsWith("0x") ? value.substring(2) : value, HEX);
    }

    private static long parse(@Nullable String value, int radix) {
        try {
            return value == null ? 0 : Long.parseLong(value.strip().split("\\s", 2)[0], radix);
        } catch (NumberFormatException _) {
            return 0;
        }
    }
}
