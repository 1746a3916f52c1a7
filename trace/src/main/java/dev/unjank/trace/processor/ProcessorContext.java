package dev.unjank.trace.processor;

import static dev.unjank.trace.processor.ProcessorTable.NULL;

import dev.unjank.trace.collections.StringPool;
import java.util.Map;
import java.util.TreeMap;

/** The tables that importers share. */
final class ProcessorContext {
    final StringPool strings = new StringPool();
    final ArgSets args = new ArgSets(strings);
    final TrackRows tracks = new TrackRows(strings, args);
    final AsyncTracks asyncTracks = new AsyncTracks(tracks);
    final ProcessRows processes = new ProcessRows(strings.intern("swapper"));
    final SchedRows sched = new SchedRows(strings);
    final SliceRows slices = new SliceRows(strings, args);
    final MetadataRows metadata = new MetadataRows(strings);
    final ProcessorTable counters =
            new ProcessorTable("counter", "id INT, ts INT, track_id INT, value REAL, arg_set_id INT");
    final ProcessorTable flows =
            new ProcessorTable("flow", "id INT, slice_out INT, slice_in INT, trace_id INT, arg_set_id INT");
    final ProcessorTable ftraceEvents = new ProcessorTable(
            "ftrace_event", "id INT, ts INT, name TEXT, cpu INT, utid INT, arg_set_id INT, common_flags INT, ucpu INT");
    final ProcessorTable logs =
            new ProcessorTable("android_logs", "id INT, ts INT, utid INT, prio INT, tag TEXT, msg TEXT");
    final ProcessorTable clockSnapshots = new ProcessorTable(
            "clock_snapshot",
            "id INT, ts INT, clock_id INT, clock_name TEXT, clock_value INT, snapshot_id INT, machine_id INT");
    final ProcessorTable packages = new ProcessorTable(
            "package_list",
            "id INT, package_name TEXT, uid INT, debuggable INT, profileable_from_shell INT, version_code INT");
    final ProcessorTable cpus = new ProcessorTable(
            "cpu",
            "id INT, ucpu INT, cpu INT, cluster_id INT, processor TEXT, machine_id INT, capacity INT, arg_set_id INT");
    final ProcessorTable gpus = new ProcessorTable(
            "gpu",
            "id INT, ugpu INT, gpu INT, name TEXT, vendor TEXT, model TEXT, architecture TEXT, uuid TEXT, pci_bdf TEXT,"
                    + " machine_id INT, arg_set_id INT");
    final ProcessCounters processCounters = new ProcessCounters(this);
    private final Map<Integer, Integer> cpuRows = new TreeMap<>();
    private final Map<Integer, Integer> gpuRows = new TreeMap<>();

    int intern(String text) {
        return strings.intern(text);
    }

    ArgList args() {
        return new ArgList(strings);
    }

    void count(long ts, int track, double value) {
        counters.add(counters.rows(), ts, track, Double.doubleToRawLongBits(value), NULL);
    }

    /** The track of a thread's slices, as the kernel's events and atrace use it. */
    int threadTrack(int utid) {
        return tracks.intern("thread_execution", args().integer("utid", utid), TrackRows.Details.slices(-1));
    }

    int processCounter(int upid, String name) {
        return tracks.intern(
                "atrace_counter",
                args().integer("upid", upid).string("name", name),
                TrackRows.Details.counter(intern(name)));
    }

    int cpuCounter(String type, int cpu, String name) {
        useCpu(cpu);
        return tracks.intern(type, args().integer("cpu", cpu), TrackRows.Details.counter(intern(name)));
    }

    /** The row of a CPU; rows of all lower numbers exist as well. */
    int useCpu(int cpu) {
        Integer known = cpuRows.get(cpu);
        if (known == null) {
            for (int i = cpus.rows(); i <= cpu; i++) {
                cpus.add(i, i, i, 0, NULL, 0, NULL, NULL);
                cpuRows.put(i, i);
            }
            known = cpu;
        }
        return known;
    }

    int useGpu(int gpu) {
        Integer known = gpuRows.get(gpu);
        if (known == null) {
            known = gpus.rows();
            gpus.add(known, known, gpu, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
            gpuRows.put(gpu, known);
        }
        return known;
    }

    void flow(int out, int in, long traceId) {
        flows.add(flows.rows(), out, in, traceId, NULL);
    }
}
