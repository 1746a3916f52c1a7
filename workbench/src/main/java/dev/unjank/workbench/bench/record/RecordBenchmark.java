package dev.unjank.workbench.bench.record;

import dev.unjank.record.session.Recording;
import dev.unjank.record.session.RecordingSource;
import dev.unjank.record.session.Rotation;
import dev.unjank.record.session.SourceAvailability;
import dev.unjank.trace.tempfile.ProcessTempFiles;
import dev.unjank.workbench.bench.comparison.MedianInterval;
import dev.unjank.workbench.lab.run.CaseIncidents;
import dev.unjank.workbench.lab.run.ExperimentProcess;
import dev.unjank.workbench.lab.run.Measurements;
import dev.unjank.workbench.lab.run.ProgressListener;
import dev.unjank.workbench.lab.run.ShutdownGuard;
import dev.unjank.workbench.lab.run.TextTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What recording costs the process that is recorded: how much less it gets done, how much more processor time an operation takes
 * it, and how late its frames are. Recorded and not take turns within one process, in changing order, and are compared turn by
 * turn. The recorder is another process, this one, on the same machine.
 *
 * <p>A target is judged by the processor time that the process itself takes for an operation: all that is done for a recording
 * inside the process, by its virtual machine and by the kernel on its behalf, is in there, and what else goes on on the machine is
 * not. What is done in a second beside says what the recorder's own processor time takes away, too, if there is none to spare.
 */
public final class RecordBenchmark {
    /** An idle process that is recorded may take so much of a processor. */
    private static final double MOST_IDLE_PERCENT = 1;

    /** After Flight Recorder has begun or ended, which changes code that must be compiled anew; not measured. */
    private static final double SETTLING_SECONDS = 2.5;

    private static final double WARM_UP_SECONDS = 3;

    private final boolean quick;
    private final PrintWriter out;
    private final ProgressListener progress;
    private final Set<String> missing = new LinkedHashSet<>();

    /** The targets that are surely missed. */
    private final List<String> missed = new ArrayList<>();

    private RecordBenchmark(boolean quick, PrintWriter out, ProgressListener progress) {
        this.quick = quick;
        this.out = out;
        this.progress = progress;
    }

    /** Measures and prints; returns how many targets are surely missed. */
    public static int run(Set<RecordWorkload> workloads, boolean quick, PrintWriter out, ProgressListener progress)
            throws IOException {
        RecordBenchmark benchmark = new RecordBenchmark(quick, out, progress);
        benchmark.run(workloads);
        return benchmark.missed.size();
    }

    private void run(Set<RecordWorkload> workloads) throws IOException {
        for (RecordWorkload workload : workloads) {
            RecordRounds rounds = measure(workload);
            out.println(workload.label() + ": " + workload.description());
            (workload == RecordWorkload.IDLE ? idle(rounds) : busy(workload, rounds)).forEach(out::println);
            out.println();
            out.flush();
        }
        out.println("In brackets the interval that holds the true median with 90 % probability. Surely: all of it.");
        if (!missed.isEmpty()) {
            out.println("Surely missed: " + String.join("; ", missed) + ".");
        }
        missing.forEach(out::println);
        out.flush();
    }

    private RecordRounds measure(RecordWorkload workload) throws IOException {
        RecordRounds rounds = new RecordRounds();
        Set<RecordingMode> conditions = EnumSet.copyOf(workload.conditions());
        try (ProgressListener.Step _ = progress.begin("recording a process that is " + workload.label());
                ExperimentProcess child = ExperimentProcess.start(
                        List.of("-Xmx256m", "-XX:-UseDynamicNumberOfCompilerThreads"), RecordWorkloadProgram.class)) {
            child.ask(workload.name(), quick ? 1 : WARM_UP_SECONDS);
            for (int round = 0; round < rounds(workload); round++) {
                rounds.begin();
                List<RecordingMode> turns = new ArrayList<>(conditions);
                Collections.rotate(turns, round);
                for (RecordingMode condition : turns) {
                    measure(workload, child, condition, rounds);
                    if (!rounds.has(condition)) {
                        conditions.remove(condition); // it cannot be had here
                    }
                }
            }
        }
        return rounds;
    }

    private void measure(RecordWorkload workload, ExperimentProcess child, RecordingMode condition, RecordRounds rounds)
            throws IOException {
        Path folder = ProcessTempFiles.folder("bench");
        Path file = folder.resolve("recording.pftrace");
        try {
            List<RecordingSource> sources = condition.sources(child.pid());
            try (ShutdownGuard guard = ShutdownGuard.early();
                    Recording recording = guard.keep(Recording.start(file, Rotation.NONE, child.pid(), sources))) {
                List<String> off = recording.availability().stream()
                        .filter(source -> !source.isOn())
                        .map(SourceAvailability::toString)
                        .toList();
                if (off.isEmpty()) {
                    child.ask(workload.name(), quick ? 0.5 : SETTLING_SECONDS);
                    rounds.add(condition, child.ask(workload.name(), seconds()));
                } else {
                    missing.addAll(off);
                }
            }
        } finally {
            ProcessTempFiles.delete(folder);
        }
    }

    private int rounds(RecordWorkload workload) {
        return quick ? 2 : workload == RecordWorkload.IDLE ? 5 : 8;
    }

    /**
     * As long as a piece of Flight Recorder's recording, so that the end of one piece, which costs the most, falls into each turn as
     * often as it would in a long recording: once. The processor time of a process is known to a hundredth of a second, which is
     * little of that.
     */
    private double seconds() {
        return quick ? 1 : RecordingMode.PIECE.toSeconds();
    }

    private List<String> busy(RecordWorkload workload, RecordRounds rounds) {
        TextTable grid =
                new TextTable("", "a second", "less", "frames, p99", "CPU per operation", "more", "target", "met");
        for (RecordingMode condition : workload.conditions()) {
            if (!rounds.has(condition)) {
                grid.row("  " + condition.label(), "not measured");
                continue;
            }
            String perSecond =
                    String.format(Locale.ROOT, "%,.0f", rounds.median(condition, RecordBenchmark::perSecond));
            String frames = workload == RecordWorkload.MESSAGES
                    ? CaseIncidents.millis(rounds.median(condition, figures -> figures.get("p99")))
                    : "";
            String cpu =
                    String.format(Locale.ROOT, "%,.0f ns", rounds.median(condition, RecordBenchmark::cpuPerOperation));
            if (condition == RecordingMode.WITHOUT) {
                grid.row("  " + condition.label(), perSecond, "", frames, cpu);
                grid.row(
                        "  the same, a round later",
                        "",
                        percent(rounds.laterPercent(figures -> 1 / perSecond(figures))),
                        "",
                        "",
                        percent(rounds.laterPercent(RecordBenchmark::cpuPerOperation)));
                continue;
            }
            MedianInterval more = rounds.morePercent(condition, RecordBenchmark::cpuPerOperation);
            grid.row(
                    "  " + condition.label(),
                    perSecond,
                    percent(rounds.morePercent(condition, figures -> 1 / perSecond(figures))),
                    frames,
                    cpu,
                    percent(more),
                    String.format(Locale.ROOT, "<= %.0f %%", condition.mostPercent()),
                    met(more, condition.mostPercent(), workload, condition));
        }
        return grid.lines();
    }

    private List<String> idle(RecordRounds rounds) {
        TextTable grid = new TextTable("", "of a CPU", "more", "target", "met");
        for (RecordingMode condition : RecordWorkload.IDLE.conditions()) {
            if (!rounds.has(condition)) {
                grid.row("  " + condition.label(), "not measured");
                continue;
            }
            String share =
                    String.format(Locale.ROOT, "%.2f %%", rounds.median(condition, RecordBenchmark::percentOfCpu));
            if (condition == RecordingMode.WITHOUT) {
                grid.row("  " + condition.label(), share);
                continue;
            }
            MedianInterval more = rounds.more(condition, RecordBenchmark::percentOfCpu);
            grid.row(
                    "  " + condition.label(),
                    share,
                    percent(more),
                    String.format(Locale.ROOT, "<= %.0f %%", MOST_IDLE_PERCENT),
                    met(more, MOST_IDLE_PERCENT, RecordWorkload.IDLE, condition));
        }
        return grid.lines();
    }

    /** By the median; the interval says how sure that is. */
    private String met(MedianInterval more, double most, RecordWorkload workload, RecordingMode condition) {
        boolean surely = more.high() <= most || more.low() > most;
        boolean met = more.median() <= most;
        if (surely && !met) {
            missed.add(workload.label() + ", " + condition.label());
        }
        return (met ? "yes" : "no") + (surely ? ", surely" : "");
    }

    private static double perSecond(Measurements figures) {
        return figures.get("operations") / figures.get("wall") * 1e9;
    }

    private static double cpuPerOperation(Measurements figures) {
        return figures.get("cpu") / figures.get("operations");
    }

    /** What is next to nothing may come out as less than that: the compilers' time is known more exactly than that of all. */
    private static double percentOfCpu(Measurements figures) {
        return 100 * Math.max(0, figures.get("cpu")) / figures.get("wall");
    }

    private static String percent(MedianInterval spread) {
        return String.format(Locale.ROOT, "%.1f %% (%.1f to %.1f)", spread.median(), spread.low(), spread.high());
    }
}
