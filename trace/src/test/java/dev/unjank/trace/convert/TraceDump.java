package dev.unjank.trace.convert;

import dev.unjank.trace.model.Args;
import dev.unjank.trace.model.Callstacks;
import dev.unjank.trace.model.Counters;
import dev.unjank.trace.model.CpuRuns;
import dev.unjank.trace.model.DataLoss;
import dev.unjank.trace.model.Flows;
import dev.unjank.trace.model.Frames;
import dev.unjank.trace.model.InheritedPriorities;
import dev.unjank.trace.model.MessageQueueEvents;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.StackSamples;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A dump of what a conversion preserves of a trace, one line per row, in an order that does not depend on the order
 * of first appearance.
 */
final class TraceDump {
    private final Trace trace;
    private final List<String> lines = new ArrayList<>();

    private TraceDump(Trace trace) {
        this.trace = trace;
    }

    static List<String> of(Trace trace) {
        TraceDump text = new TraceDump(trace);
        text.processes();
        text.threads();
        text.slices();
        text.flows();
        text.counters();
        text.scheduling();
        text.loans();
        text.frames();
        text.samples();
        text.losses();
        text.lines.sort(null);
        return text.lines;
    }

    private void processes() {
        Processes processes = trace.processes();
        for (int upid = 0; upid < processes.size(); upid++) {
            lines.add("process " + process(upid) + " " + text(processes.name(upid))
                    + (processes.isJvm(upid) ? " JVM" : ""));
        }
    }

    private void threads() {
        Threads threads = trace.threads();
        for (int utid = 1; utid < threads.size(); utid++) {
            lines.add("thread " + thread(utid) + " " + text(threads.name(utid)) + " of " + process(threads.upid(utid)));
        }
    }

    private void slices() {
        Slices slices = trace.slices();
        MessageQueueEvents messages = trace.queueEvents();
        Args args = trace.args();
        for (int row = 0; row < slices.size(); row++) {
            if (slices.name(row).startsWith("converted: ")) {
                continue; // the marks of the conversion itself
            }
            StringBuilder line = new StringBuilder(slice(row));
            line.append(slices.isOpen(row) ? " open" : "+" + slices.dur(row));
            line.append(" [").append(slices.category(row)).append("] depth ").append(slices.depth(row));
            int parent = slices.parent(row);
            line.append(" in ").append(parent < 0 ? "nothing" : slices.name(parent));
            int message = messages.find(row);
            if (message >= 0) {
                line.append(" message ").append(messages.sender(message)).append(" to ");
                line.append(messages.receiver(message)).append(' ').append(messages.code(message));
                line.append(' ').append(messages.delayMs(message));
            }
            for (int arg = args.first(row); arg < args.end(row); arg++) {
                line.append(' ').append(args.key(arg)).append('=');
                line.append(args.text(arg) == null ? Long.toString(args.value(arg)) : args.text(arg));
            }
            lines.add(line.toString());
        }
    }

    private String slice(int row) {
        Slices slices = trace.slices();
        String owner =
                slices.utid(row) >= 0 ? "thread " + thread(slices.utid(row)) : "process " + process(slices.upid(row));
        return "slice of " + owner + " " + slices.ts(row) + " " + slices.name(row);
    }

    private void flows() {
        Flows flows = trace.flows();
        for (int row = 0; row < flows.size(); row++) {
            lines.add("flow from " + slice(flows.out(row)) + " to " + slice(flows.in(row)));
        }
    }

    private void counters() {
        Counters counters = trace.counters();
        for (int track = 0; track < counters.tracks(); track++) {
            // counters of CPUs other than frequencies are written as one counter per CPU
            int cpu = counters.cpu(track);
            boolean isRate = counters.name(track).equals(Counters.CPU_FREQUENCY);
            String name = counters.name(track) + (cpu < 0 ? "" : isRate ? " cpu " + cpu : " of CPU " + cpu);
            for (int row = counters.first(track); row < counters.end(track); row++) {
                lines.add("counter " + name + " (" + counters.unit(track) + ") of "
                        + (counters.utid(track) >= 0
                                ? "thread " + thread(counters.utid(track))
                                : process(counters.upid(track)))
                        + " " + counters.ts(row) + " " + counters.value(row));
            }
        }
    }

    private void scheduling() {
        ThreadStates states = trace.threadStates();
        for (int utid = 1; utid < trace.threads().size(); utid++) {
            for (int row = states.first(utid); row < states.end(utid); row++) {
                int waker = states.waker(row);
                lines.add("state of " + thread(utid) + " " + states.ts(row) + "+" + states.dur(row) + " "
                        + states.state(row) + " cpu " + states.cpu(row) + " prio " + states.priority(row)
                        + " waker " + (waker < 0 ? "none" : thread(waker)) + " " + states.ioWait(row) + " "
                        + states.blockedFunction(row));
            }
        }
        CpuRuns runs = trace.cpuRuns();
        for (int cpu = 0; cpu < runs.cpus(); cpu++) {
            for (int row = runs.first(cpu); row < runs.end(cpu); row++) {
                lines.add("cpu " + cpu + " " + runs.ts(row) + " " + thread(runs.utid(row)));
            }
        }
    }

    private void loans() {
        InheritedPriorities loans = trace.inheritedPriorities();
        for (int utid = 1; utid < trace.threads().size(); utid++) {
            for (int row = loans.first(utid); row < loans.end(utid); row++) {
                lines.add("boosted " + thread(utid) + " " + loans.ts(row) + " to " + loans.endNs(row) + " "
                        + loans.boostedPriority(row) + " instead of " + loans.basePriority(row));
            }
        }
    }

    private void frames() {
        Frames frames = trace.frames();
        for (int row = 0; row < frames.size(); row++) {
            lines.add("frame " + frames.surfaceToken(row) + "/" + frames.displayToken(row) + " of "
                    + process(frames.upid(row)) + " " + frames.layer(row) + " " + frames.ts(row)
                    + (frames.isOpen(row) ? " open" : "+" + frames.dur(row)) + " expected "
                    + frames.expectedStartNs(row) + " to " + frames.deadlineNs(row) + " jank "
                    + frames.jankMask(row) + " " + frames.presentType(row) + " " + frames.onTimeFinish(row) + " "
                    + frames.gpuComposition(row));
        }
        for (Frames.Missed missed : frames.missed()) {
            lines.add("frame without an actual one " + missed.surfaceToken() + "/" + missed.displayToken() + " of "
                    + process(missed.upid()) + " " + frames.layer(missed) + " " + missed.expectedStartNs() + " to "
                    + missed.deadlineNs());
        }
    }

    /** Adjacent losses are one. */
    private void losses() {
        Map<Integer, DataLoss> lasts = new HashMap<>();
        for (DataLoss loss : trace.dataLosses()) {
            DataLoss last = lasts.get(loss.cpu());
            boolean goesOn = last != null && last.endNs() == loss.startNs();
            if (last != null && !goesOn) {
                lines.add(last.toString());
            }
            lasts.put(
                    loss.cpu(),
                    goesOn ? new DataLoss(loss.cpu(), last.startNs(), loss.endNs(), loss.isRecorded()) : loss);
        }
        lasts.values().forEach(loss -> lines.add(loss.toString()));
    }

    private void samples() {
        StackSamples samples = trace.samples();
        for (int row = 0; row < samples.size(); row++) {
            if (samples.isRunning(row)) {
                lines.add("sample of " + thread(samples.utid(row)) + " " + samples.ts(row) + " cpu " + samples.cpu(row)
                        + " in " + stack(samples.callstack(row)));
            }
        }
    }

    private String stack(int innermost) {
        StringBuilder text = new StringBuilder();
        Callstacks calls = trace.callstacks();
        for (int call = innermost; call >= 0; call = calls.parent(call)) {
            text.append(calls.name(call)).append(" (").append(calls.file(call)).append(") ");
        }
        return text.toString();
    }

    private String thread(int utid) {
        return Integer.toString(trace.threads().tid(utid));
    }

    private String process(int upid) {
        return upid < 0 ? "?" : Integer.toString(trace.processes().pid(upid));
    }

    private static String text(@Nullable String name) {
        return name == null ? "" : name;
    }
}
