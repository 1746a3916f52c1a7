package dev.unjank.trace.processor;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Events of the kernel that become counters, or slices of the kernel's own tracks. */
final class KernelCounters {
    private static final String[] RSS_KEYS = {"rss.file", "rss.anon", "swap", "rss.shmem"};
    private static final String[] SOFT_IRQS = {
        "HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU"
    };

    private final ProcessorContext context;
    final ProcessCounters ofProcesses;
    private final Map<Long, Integer> threadOfMemory = new HashMap<>();

    KernelCounters(ProcessorContext context) {
        this.context = context;
        ofProcesses = context.processCounters;
    }

    void event(int kind, int cpu, long ts, long tid, ProtoFields fields) {
        switch (kind) {
            case 11 -> context.count(ts, cpuCounter("cpu_frequency", fields.number(2), "cpufreq"), fields.number(1));
            case 12 -> {
                long which = fields.number(3);
                context.count(
                        ts,
                        cpuCounter("cpu_max_frequency_limit", which, "Cpu " + which + " Max Freq Limit"),
                        fields.number(2));
                context.count(
                        ts,
                        cpuCounter("cpu_min_frequency_limit", which, "Cpu " + which + " Min Freq Limit"),
                        fields.number(1));
            }
            case 13 ->
                context.count(ts, cpuCounter("cpu_idle", fields.number(2), "cpuidle"), fields.number(1) & 0xffff_ffffL);
            case 14 -> device(ts, "clock_state", fields.text(1), "State", 1);
            case 15 -> device(ts, "clock_state", fields.text(1), "State", 0);
            case 16 -> device(ts, "clock_frequency", fields.text(1), "Frequency", fields.number(2));
            case 341 ->
                keyed(ts, "thermal_temperature", "thermal_zone", fields.text(4), "Temperature", fields.number(3));
            case 342 ->
                keyed(ts, "cooling_device_counter", "linux_device", fields.text(1), "Cooling Device", fields.number(2));
            case 332 -> gpuFrequency(ts, fields);
            case 340 -> gpuMemory(ts, fields.number(1), fields.number(2), fields.number(3));
            case 313, 359 -> rss(ts, tid, fields);
            case 326 ->
                ofProcesses.add(
                        ts, (short) fields.number(2), context.processes.thread(fields.number(3)), "oom_score_adj", "");
            case 35 -> {
                int victim = context.processes.threadOrNone(fields.number(2));
                if (victim >= 0) {
                    int track = context.threadTrack(victim);
                    context.slices.complete(ts, track, -1, context.intern("mem.lmk"), 0, SliceRows.NO_ARGS);
                }
            }
            case 24, 25 -> {
                String name = fields.number(1) < SOFT_IRQS.length ? SOFT_IRQS[(int) fields.number(1)] : "UNKNOWN";
                interrupt(
                        kind == 24,
                        ts,
                        cpu,
                        "cpu_softirq",
                        "SoftIrq Cpu ",
                        name,
                        args -> args.unsigned("vec", fields.number(1)));
            }
            case 36 ->
                interrupt(true, ts, cpu, "cpu_irq", "Irq Cpu ", "IRQ (" + fields.text(2) + ")", SliceRows.NO_ARGS);
            case 37 ->
                interrupt(
                        false,
                        ts,
                        cpu,
                        "cpu_irq",
                        "Irq Cpu ",
                        "",
                        args -> args.string("ret", fields.number(2) == 1 ? "handled" : "unhandled"));
            case 46 -> begin(ts, tid, "direct_reclaim", null);
            case 47 -> end(ts, tid);
            case 113 -> suspendResume(ts, fields);
            default -> {}
        }
    }

    void cpu(long ts, String type, long cpu, String name, Map<String, String> fields, String value) {
        String text = fields.getOrDefault(value, "0");
        context.count(ts, cpuCounter(type, cpu, name), Double.parseDouble(text));
    }

    private int cpuCounter(String type, long cpu, String name) {
        return context.cpuCounter(type, (int) cpu, name);
    }

    void device(long ts, String type, String device, String what, double value) {
        keyed(ts, type, "linux_device", device, what, value);
    }

    private void keyed(long ts, String type, String dimension, String key, String what, double value) {
        int track = context.tracks.intern(
                type,
                context.args().string(dimension, key),
                TrackRows.Details.counter(context.intern(key + " " + what)));
        context.count(ts, track, value);
    }

    private void gpuFrequency(long ts, ProtoFields fields) {
        int gpu = (int) fields.number(1);
        int row = context.useGpu(gpu);
        int track = context.tracks.intern(
                "gpu_frequency",
                context.args().integer("ugpu", row).integer("gpu", gpu),
                TrackRows.Details.counter(context.intern("gpufreq"), "kHz"));
        context.count(ts, track, fields.number(2));
    }

    /** The memory of a GPU that a process uses, or all processes if the pid is 0. */
    void gpuMemory(long ts, long gpu, long pid, long size) {
        int row = context.useGpu((int) gpu);
        ArgList dimensions = context.args().integer("ugpu", row).integer("gpu", gpu);
        String type = "gpu_memory";
        if (pid != 0) {
            type = "process_gpu_memory";
            int utid = context.processes.thread(pid);
            int upid = context.processes.processOf(utid);
            dimensions.integer("upid", upid < 0 ? context.processes.process(pid) : upid);
        }
        int track = context.tracks.intern(
                type, dimensions, TrackRows.Details.counter(context.intern("GPU Memory"), "bytes"));
        context.count(ts, track, size);
    }

    private void rss(long ts, long tid, ProtoFields fields) {
        long member = fields.number(1);
        long size = fields.number(2);
        if (member < 0 || member >= RSS_KEYS.length) {
            context.metadata.count("rss_stat_unknown_keys");
        } else if (size < 0) {
            context.metadata.count("rss_stat_negative_size");
        } else {
            int utid = fields.has(4) && fields.has(3)
                    ? ofMemory(fields.number(4), fields.number(3) != 0, tid)
                    : context.processes.thread(tid);
            if (utid < 0) {
                context.metadata.count("rss_stat_unknown_thread_for_mm_id");
            } else {
                ofProcesses.add(ts, size, utid, "process_memory", RSS_KEYS[(int) member]);
            }
        }
    }

    /** The thread whose memory changed; -1 if unknown. The current thread may change the memory of another process. */
    private int ofMemory(long memory, boolean current, long tid) {
        if (current) {
            int utid = context.processes.thread(tid);
            threadOfMemory.put(memory, utid);
            return utid;
        }
        Integer known = threadOfMemory.get(memory);
        if (known == null) {
            return -1;
        }
        if (!context.processes.isAlive(known)) {
            threadOfMemory.remove(memory);
            return -1;
        }
        return known;
    }

    private void interrupt(
            boolean begins, long ts, int cpu, String type, String trackName, String name, SliceRows.ArgsOf args) {
        context.useCpu(cpu);
        int track = context.tracks.intern(
                type, context.args().integer("cpu", cpu), TrackRows.Details.slices(context.intern(trackName + cpu)));
        if (begins) {
            context.slices.begin(ts, track, context.intern("irq"), context.intern(name), SliceRows.NO_ARGS);
        } else {
            context.slices.end(ts, track, -1, -1, args);
        }
    }

    private void begin(long ts, long tid, String name, SliceRows.@Nullable ArgsOf args) {
        int track = context.threadTrack(context.processes.thread(tid));
        context.slices.begin(ts, track, -1, context.intern(name), args == null ? SliceRows.NO_ARGS : args);
    }

    private void end(long ts, long tid) {
        int track = context.threadTrack(context.processes.thread(tid));
        context.slices.end(ts, track, -1, -1, SliceRows.NO_ARGS);
    }

    private void suspendResume(long ts, ProtoFields fields) {
        String action = fields.text(1);
        if (action.equals("timekeeping_freeze")) {
            action = "Timekeeping Freeze";
        }
        long value = fields.number(2);
        String name = action + "(" + value + ")";
        AsyncTracks.TrackSet set =
                context.asyncTracks.set("suspend_resume", context.args(), context.intern("Suspend/Resume Latency"));
        long cookie = context.intern(name);
        if (fields.number(3) != 0) {
            int track = context.asyncTracks.begin(set, cookie, true, context.strings);
            context.slices.begin(ts, track, -1, context.intern(name), SliceRows.NO_ARGS);
        } else {
            int track = context.asyncTracks.end(set, cookie, context.strings);
            context.slices.end(ts, track, -1, -1, SliceRows.NO_ARGS);
        }
    }
}
