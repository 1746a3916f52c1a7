package dev.unjank.trace.convert;

import dev.unjank.trace.model.Counters;
import dev.unjank.trace.model.DataLoss;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.proto.ThreadLife;
import dev.unjank.trace.text.EnglishCounts;
import dev.unjank.trace.write.TraceClock;
import dev.unjank.trace.write.TraceWriter;
import dev.unjank.trace.write.TrackEventWriter;
import dev.unjank.trace.write.TrackWriter;
import dev.unjank.trace.write.WireFormat;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Converts a trace to Perfetto's format. The result has the same processes and threads, slices with their details,
 * counters, thread states, priority inheritance, CPU frequencies, data losses, frames, and stack samples. Packages are
 * not written. If one of several files has only the wakeups of one process, the copy marks those of all files as such.
 *
 * <p>A Flight Recorder trace stays on the wall clock; all others are on the boot clock.
 */
public final class PerfettoConverter {
    /** No boot clock reaches this; the wall clock did in 2001. */
    private static final long SURELY_WALL_CLOCK = 1_000_000_000_000_000_000L;

    private final Trace trace;
    private final TraceWriter writer;
    private final TrackEventWriter events;
    private final boolean onWallClock;
    private final ThreadTracks tracks;
    private final List<String> omitted = new ArrayList<>();

    private PerfettoConverter(Trace trace, OutputStream out) throws IOException {
        this.trace = trace;
        writer = new TraceWriter(out, WireFormat.PLAIN);
        onWallClock = trace.startNs() >= SURELY_WALL_CLOCK;
        tracks = new ThreadTracks(trace, onWallClock);
        if (onWallClock) {
            writer.wallClock(trace.startNs());
        }
        events = writer.trackEvents(clock(), 0);
    }

    private TraceClock clock() {
        return onWallClock ? TraceClock.REALTIME : TraceClock.BOOTTIME;
    }

    /**
     * Writes a trace.
     *
     * @param trace the trace
     * @param out the output; flushed, not closed
     * @return a description of each kind of data that was not written; empty if nothing is missing
     * @throws IOException if the stream fails
     */
    public static List<String> write(Trace trace, OutputStream out) throws IOException {
        PerfettoConverter model = new PerfettoConverter(trace, out);
        model.machine();
        model.processes();
        model.threads();
        new SliceWriter(trace, model.events, model.tracks).write();
        model.counters();
        model.scheduling();
        new FrameWriter(trace, model.writer.frames(model.clock())).write();
        model.samples();
        if (model.onWallClock || !trace.warnings().isEmpty()) {
            ConversionNotes.write(trace, model.events); // all events of a systrace, as they are those of the copy
        }
        model.describeOmissions();
        model.writer.flush();
        return List.copyOf(model.omitted);
    }

    private void machine() throws IOException {
        String release = trace.machine().facts().get("system_release");
        if (release != null) {
            writer.systemInfo(release, trace.machine().facts().getOrDefault("system_machine", ""), cpus());
        } else if (trace.hasScheduling()) {
            writer.systemInfo("5.0", "", cpus()); // thread states are written with the numbers of kernels since 4.14
        }
    }

    private int cpus() {
        return trace.cpuRuns().cpus();
    }

    private void processes() throws IOException {
        Processes processes = trace.processes();
        List<TraceWriter.ProcessEntry> withParents = new ArrayList<>();
        for (int upid = 0; upid < processes.size(); upid++) {
            int pid = processes.pid(upid);
            String name = processes.name(upid);
            List<String> labels = new ArrayList<>();
            if (processes.isJvm(upid)) {
                labels.add(TrackWriter.JVM);
            }
            if (trace.recorder().recordedPids().contains(pid)) {
                labels.add(TrackWriter.WAKEUPS);
            }
            events.tracks().process(trace.startNs(), pid, name == null ? "" : name, labels.toArray(String[]::new));
            int parent = processes.parent(upid);
            if (parent >= 0 && name != null) {
                withParents.add(new TraceWriter.ProcessEntry(pid, processes.pid(parent), name));
            }
        }
        if (!onWallClock && !withParents.isEmpty()) {
            writer.processTree(trace.startNs(), withParents, List.of());
        }
    }

    private void threads() throws IOException {
        Threads threads = trace.threads();
        for (int utid = 0; utid < threads.size(); utid++) {
            String name = threads.name(utid);
            if (utid != Threads.IDLE && name != null) {
                long from = Math.max(trace.startNs(), threads.startNs(utid));
                events.tracks().thread(from, tracks.of(utid), pid(utid), threads.tid(utid), name, life(utid, from));
            }
        }
    }

    /** The start and the end of a thread: kernel events have them, which are not on the wall clock. */
    private String life(int utid, long from) {
        if (!onWallClock) {
            return "";
        }
        long end = trace.threads().endNs(utid);
        boolean starts = trace.threads().startNs(utid) == from;
        return new ThreadLife(starts, end == Long.MAX_VALUE ? -1 : end - from).text();
    }

    private int pid(int utid) {
        int upid = trace.threads().upid(utid);
        return upid < 0 ? 0 : trace.processes().pid(upid);
    }

    /** The number of threads whose end is unknown although their tid was reused. */
    private int mergedThreads() {
        Threads threads = trace.threads();
        Set<Integer> tids = new HashSet<>();
        int merged = 0;
        for (int utid = threads.size() - 1; utid > 0; utid--) {
            boolean isReused = !tids.add(threads.tid(utid));
            merged += isReused && threads.endNs(utid) == Long.MAX_VALUE ? 1 : 0;
        }
        return merged;
    }

    private void counters() throws IOException {
        Counters counters = trace.counters();
        for (int track = 0; track < counters.tracks(); track++) {
            if (!onWallClock && SchedulingWriter.isClockRate(counters, track)) {
                continue; // written as kernel events
            }
            long parent = 0;
            if (counters.utid(track) >= 0) {
                parent = tracks.of(counters.utid(track));
            } else if (counters.upid(track) >= 0) {
                parent = TrackWriter.ofProcess(trace.processes().pid(counters.upid(track)));
            }
            int cpu = counters.cpu(track);
            String name = counters.name(track)
                    + (cpu < 0 ? "" : " of CPU " + cpu); // otherwise the counters of all CPUs would be one
            events.tracks().counter(trace.startNs(), parent, name, counters.unit(track));
            for (int row = counters.first(track); row < counters.end(track); row++) {
                events.counter(counters.ts(row), TrackWriter.ofCounter(parent, name), counters.value(row));
            }
        }
    }

    private void scheduling() throws IOException {
        if (!onWallClock) {
            new SchedulingWriter(trace).write(writer);
        } else if (trace.hasScheduling()) {
            omitted.add("thread states, since the trace is on the wall clock");
        }
    }

    private void describeOmissions() {
        long anywhere = trace.dataLosses().stream()
                .filter(loss -> loss.cpu() == DataLoss.ANY_CPU)
                .count();
        if (anywhere > 0) {
            omitted.add("data losses of unknown CPUs, " + EnglishCounts.times(anywhere));
        }
        int reused = mergedThreads();
        if (onWallClock && reused > 0) {
            omitted.add(reused + (reused == 1 ? " thread" : " threads")
                    + " with a reused tid, merged with the next thread of that tid, without start and end");
        }
    }

    private void samples() throws IOException {
        long waiting = new StackSampleWriter(trace, writer.perfSamples(clock())).write();
        if (waiting > 0) {
            omitted.add(waiting + (waiting == 1 ? " sample" : " samples")
                    + " of waiting threads, so that estimates of the sampling period and of running times differ");
        }
    }
}
