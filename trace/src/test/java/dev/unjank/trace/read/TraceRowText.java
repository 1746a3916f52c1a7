package dev.unjank.trace.read;

import dev.unjank.trace.model.CpuRuns;
import dev.unjank.trace.model.Frames;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.List;

/** A trace's rows as text, by pid and tid, so that two traces can be compared; and a walk over all tables. */
public final class TraceRowText {
    private TraceRowText() {}

    /** All rows, in an order that does not depend on the order of first appearance. */
    public static List<String> rows(Trace trace) {
        List<String> rows = new ArrayList<>();
        Threads threads = trace.threads();
        for (int utid = 0; utid < threads.size(); utid++) {
            addThread(trace, utid, rows);
        }
        CpuRuns runs = trace.cpuRuns();
        for (int cpu = 0; cpu < runs.cpus(); cpu++) {
            for (int row = runs.first(cpu); row < runs.end(cpu); row++) {
                rows.add("cpu " + cpu + " " + runs.ts(row) + "+" + runs.dur(cpu, row) + " "
                        + threads.tid(runs.utid(row)) + " prio " + runs.priority(row));
            }
        }
        Slices slices = trace.slices();
        for (int row = slices.firstAsync(); row < slices.size(); row++) {
            rows.add("async " + slices.ts(row) + "+" + slices.dur(row) + " " + slices.name(row) + " upid "
                    + (slices.upid(row) < 0 ? "none" : trace.processes().pid(slices.upid(row))));
        }
        addFrames(trace, rows);
        for (int track = 0; track < trace.counters().tracks(); track++) {
            for (int row = trace.counters().first(track); row < trace.counters().end(track); row++) {
                rows.add("counter " + trace.counters().name(track) + " "
                        + trace.counters().ts(row) + " " + trace.counters().value(row));
            }
        }
        rows.sort(null);
        return rows;
    }

    private static void addThread(Trace trace, int utid, List<String> rows) {
        Threads threads = trace.threads();
        int upid = threads.upid(utid);
        String thread = "thread " + threads.tid(utid) + " ";
        rows.add(thread + threads.name(utid) + (threads.isMain(utid) ? " main" : "") + " of "
                + (upid < 0
                        ? "?"
                        : trace.processes().pid(upid) + " " + trace.processes().name(upid)));
        ThreadStates states = trace.threadStates();
        for (int row = states.first(utid); row < states.end(utid); row++) {
            int waker = states.waker(row);
            rows.add(thread + states.ts(row) + "+" + states.dur(row) + " " + states.state(row) + " cpu "
                    + states.cpu(row) + " prio " + states.priority(row) + " waker "
                    + (waker < 0 ? "none" : threads.tid(waker)) + " " + states.ioWait(row) + " "
                    + states.blockedFunction(row) + " " + states.isOpen(row));
        }
        Slices slices = trace.slices();
        for (int row = slices.first(utid); row < slices.end(utid); row++) {
            int parent = slices.parent(row);
            rows.add(thread + slices.ts(row) + "+" + slices.dur(row) + " " + slices.name(row) + " depth "
                    + slices.depth(row) + " in " + (parent < 0 ? "none" : slices.name(parent)));
        }
    }

    private static void addFrames(Trace trace, List<String> rows) {
        Frames frames = trace.frames();
        for (int row = 0; row < frames.size(); row++) {
            rows.add("frame " + frames.ts(row) + "+" + frames.dur(row) + " "
                    + trace.processes().pid(frames.upid(row)) + " " + frames.layer(row) + " "
                    + frames.expectedStartNs(row) + " " + frames.deadlineNs(row) + " " + frames.jankMask(row) + " "
                    + frames.presentType(row) + " " + frames.surfaceToken(row) + " " + frames.displayToken(row) + " "
                    + frames.onTimeFinish(row) + " " + frames.gpuComposition(row));
        }
    }
}
