package dev.unjank.scene;

import dev.unjank.trace.model.Args;
import dev.unjank.trace.model.Callstacks;
import dev.unjank.trace.model.Counters;
import dev.unjank.trace.model.CpuRuns;
import dev.unjank.trace.model.Flows;
import dev.unjank.trace.model.Frames;
import dev.unjank.trace.model.InheritedPriorities;
import dev.unjank.trace.model.MessageQueueEvents;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.StackSamples;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;

/**
 * The invariants of every trace, regardless of its input: rows in time order within the trace's bounds, references to
 * existing rows, nested slices of threads. Reads every table completely.
 */
public final class TraceInvariants {
    private final Trace trace;

    private TraceInvariants(Trace trace) {
        this.trace = trace;
    }

    /** Checks a trace. */
    public static void check(Trace trace) {
        TraceInvariants invariants = new TraceInvariants(trace);
        invariants.bounds();
        invariants.threads();
        invariants.states();
        invariants.runs();
        invariants.slices();
        invariants.flows();
        invariants.queueEvents();
        invariants.frames();
        invariants.counters();
        invariants.inheritedPriorities();
        invariants.samples();
        invariants.args();
    }

    private void bounds() {
        require(0 <= trace.startNs() && trace.startNs() <= trace.endNs(), "times of the trace");
        for (String line : trace.warnings()) {
            require(!line.isBlank() && !line.contains("\n"), "warning \"" + line + '"');
        }
    }

    private void args() {
        Args args = trace.args();
        for (int row = 0; row < args.size(); row++) {
            int slice = args.slice(row);
            require(slice >= 0 && slice < trace.slices().size(), "slice of arg", row);
            require(row == 0 || slice >= args.slice(row - 1), "order of arg", row);
            args.key(row);
            args.text(row);
        }
    }

    private void threads() {
        Threads threads = trace.threads();
        for (int utid = 0; utid < threads.size(); utid++) {
            threads.name(utid);
            require(threads.upid(utid) < trace.processes().size(), "process of thread", utid);
            require(threads.startNs(utid) <= threads.endNs(utid), "life of thread", utid);
            threads.find(threads.tid(utid), trace.startNs());
        }
        for (int upid = 0; upid < trace.processes().size(); upid++) {
            trace.processes().name(upid);
            requireThread(trace.processes().mainThread(upid), "main thread of process", upid);
        }
    }

    private void states() {
        ThreadStates states = trace.threadStates();
        int rows = 0;
        for (int utid = 0; utid < trace.threads().size(); utid++) {
            for (int row = states.first(utid); row < states.end(utid); row++, rows++) {
                requireTimes(states.ts(row), states.dur(row), "state", row);
                require(row + 1 == states.end(utid) || states.endNs(row) == states.ts(row + 1), "gap after state", row);
                require(states.utid(row) == utid, "thread of state", row);
                requireThread(states.waker(row), "waker of state", row);
                states.state(row);
                states.cpu(row);
                states.priority(row);
                states.blockedFunction(row);
            }
        }
        require(rows == states.size(), "states of threads: " + rows + " of " + states.size());
    }

    private void runs() {
        CpuRuns runs = trace.cpuRuns();
        int rows = 0;
        for (int cpu = 0; cpu < runs.cpus(); cpu++) {
            for (int row = runs.first(cpu); row < runs.end(cpu); row++, rows++) {
                requireTimes(runs.ts(row), runs.dur(cpu, row), "run", row);
                require(runs.utid(row) >= 0, "thread of run", row);
                requireThread(runs.utid(row), "thread of run", row);
            }
        }
        require(rows == runs.size(), "runs on CPUs: " + rows + " of " + runs.size());
    }

    private void slices() {
        Slices slices = trace.slices();
        for (int row = 0; row < slices.size(); row++) {
            requireTimes(slices.ts(row), slices.dur(row), "slice", row);
            slices.name(row);
            slices.category(row);
            int parent = slices.parent(row);
            require(parent < row, "parent of slice", row);
            require(parent < 0 || slices.depth(row) == slices.depth(parent) + 1, "depth of slice", row);
            require(parent < 0 || slices.ts(row) >= slices.ts(parent), "start of slice", row);
            requireThread(slices.utid(row), "thread of slice", row);
            require(slices.upid(row) < trace.processes().size(), "process of slice", row);
        }
        for (int utid = 0; utid < trace.threads().size(); utid++) {
            for (int row = slices.first(utid); row < slices.end(utid); row++) {
                require(slices.utid(row) == utid, "thread of slice", row);
                require(row == slices.first(utid) || slices.ts(row - 1) <= slices.ts(row), "order of slice", row);
                require(slices.innermostAt(utid, slices.ts(row)) < slices.end(utid), "innermost slice", row);
            }
        }
    }

    private void flows() {
        Flows flows = trace.flows();
        for (int row = 0; row < flows.size(); row++) {
            int in = flows.in(row);
            require(in >= 0 && in < trace.slices().size(), "end of flow", row);
            require(flows.out(row) >= 0 && flows.out(row) < trace.slices().size(), "start of flow", row);
            require(flows.out(row) != in, "slice of flow", row);
            require(flows.first(in) <= row && row < flows.end(in), "place of flow", row);
        }
    }

    private void queueEvents() {
        MessageQueueEvents events = trace.queueEvents();
        for (int row = 0; row < events.size(); row++) {
            require(events.find(events.slice(row)) == row, "slice of queue event", row);
            require(events.slice(row) < trace.slices().size(), "slice of queue event", row);
            require(events.delayMs(row) >= -1, "delay of queue event", row);
            events.sender(row);
            events.receiver(row);
            events.code(row);
        }
    }

    private void frames() {
        Frames frames = trace.frames();
        for (int row = 0; row < frames.size(); row++) {
            requireTimes(frames.ts(row), frames.dur(row), "frame", row);
            require(frames.upid(row) < trace.processes().size(), "process of frame", row);
            frames.layer(row);
            frames.presentType(row);
        }
    }

    private void counters() {
        Counters counters = trace.counters();
        for (int track = 0; track < counters.tracks(); track++) {
            counters.name(track);
            counters.unit(track);
            requireThread(counters.utid(track), "thread of counter", track);
            require(counters.cpu(track) >= -1, "CPU of counter", track);
            require(counters.upid(track) < trace.processes().size(), "process of counter", track);
            require(counters.first(track) < counters.end(track), "counter", track);
        }
    }

    private void inheritedPriorities() {
        InheritedPriorities table = trace.inheritedPriorities();
        int rows = 0;
        for (int utid = 0; utid < trace.threads().size(); utid++) {
            long end = trace.startNs();
            for (int row = table.first(utid); row < table.end(utid); row++, rows++) {
                require(end <= table.ts(row) && table.ts(row) <= table.endNs(row), "time of a boost", row);
                require(table.boostedPriority(row) < table.basePriority(row), "boosted priority", row);
                end = table.endNs(row);
            }
            require(end <= trace.endNs(), "end of boosts of thread", utid);
        }
        require(rows == table.size(), "boosts of threads: " + rows + " of " + table.size());
    }

    private void samples() {
        Callstacks calls = trace.callstacks();
        for (int row = 0; row < calls.size(); row++) {
            require(calls.parent(row) < row, "caller of call", row);
            calls.name(row);
            calls.file(row);
        }
        StackSamples samples = trace.samples();
        int rows = 0;
        for (int utid = 0; utid < trace.threads().size(); utid++) {
            for (int row = samples.first(utid); row < samples.end(utid); row++, rows++) {
                require(samples.utid(row) == utid, "thread of sample", row);
                require(samples.callstack(row) < calls.size(), "stack of sample", row);
                requireTimes(samples.ts(row), 0, "sample", row);
                require(row == samples.first(utid) || samples.ts(row - 1) <= samples.ts(row), "order of sample", row);
            }
        }
        require(rows == samples.size(), "samples of threads: " + rows + " of " + samples.size());
    }

    private void requireTimes(long ts, long dur, String what, int row) {
        require(ts >= trace.startNs() && ts <= trace.endNs(), "start of " + what, row);
        require(dur >= 0 && dur <= trace.endNs() - ts, "duration of " + what, row);
    }

    private void requireThread(int utid, String what, int row) {
        require(utid < trace.threads().size(), what, row);
    }

    private static void require(boolean holds, String what, int row) {
        if (!holds) {
            throw new AssertionError(what + " in row " + row);
        }
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }
}
