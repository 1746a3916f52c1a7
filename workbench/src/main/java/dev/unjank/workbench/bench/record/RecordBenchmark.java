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
 * Measures the recording overhead in the target process: throughput loss, additional CPU time per operation, and frame
 * delay. Recorded and unrecorded phases alternate within one process in varying order; consecutive phases are compared.
 * The recorder is this process, on the same machine.
 *
 * <p>Targets apply to the CPU time per operation of the target process. This includes all recording work in the
 * process, its JVM and the kernel on its behalf, and excludes other load on the machine. Throughput (operations per
 * second) additionally shows the effect of the recorder's own CPU time on a saturated machine.
 */
public final class RecordBenchmark {
    /** The maximum CPU share of an idle recorded process, in percent. */
    private static final double MOST_IDLE_PERCENT = 1;

    /** The unmeasured time after Flight Recorder has started or ended, since code is recompiled then. */
    private static final double SETTLING_SECONDS = 2.5;

    private static final double WARM_UP_SECONDS = 3;

    private final boolean quick;
    private final PrintWriter out;
    private final ProgressListener progress;
    private final Set<String> missing = new LinkedHashSet<>();

    /** The targets that are missed beyond their confidence interval. */
    private final List<String> missed = new ArrayList<>();

    private RecordBenchmark(boolean quick, PrintWriter out, ProgressListener progress) {
        this.quick = quick;
        this.out = out;
        this.progress = progress;
    }

    /**
     * Runs the benchmark and prints the results; returns the number of targets missed beyond their confidence interval.
     */
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
        out.println("In brackets: 90 % confidence interval of the median. Surely: the whole interval.");
        if (!missed.isEmpty()) {
            out.println("Surely missed: " + String.join("; ", missed) + ".");
        }
        missing.forEach(out::println);
        out.flush();
    }

    private RecordRounds measure(RecordWorkload workload) throws IOException {
        RecordRounds rounds = new RecordRounds();
        Set<RecordingMode> conditions = EnumSet.copyOf(workload.conditions());
        try (ProgressListener.Step _ = progress.begin("recording the workload " + workload.label());
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
                        conditions.remove(condition); // not available on this machine
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
     * The duration of a phase: the interval at which Flight Recorder's events are fetched, so that each phase contains
     * one fetch, the most expensive step, as in a long recording. The resolution of the CPU time, 10 ms, is small in
     * comparison.
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

    /** Compares the median with the target; "surely" if the whole confidence interval agrees. */
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

    /** The CPU share, at least 0: the subtracted compiler time has a finer resolution than the total. */
    private static double percentOfCpu(Measurements figures) {
        return 100 * Math.max(0, figures.get("cpu")) / figures.get("wall");
    }

    private static String percent(MedianInterval spread) {
        return String.format(Locale.ROOT, "%.1f %% (%.1f to %.1f)", spread.median(), spread.low(), spread.high());
    }
}
