package dev.unjank.workbench.lab.inversion;

import dev.unjank.doctor.model.Verdict;
import dev.unjank.linux.LinuxThreads;
import dev.unjank.record.session.RecordingSource;
import dev.unjank.trace.tempfile.ProcessTempFiles;
import dev.unjank.workbench.lab.run.CaseIncidents;
import dev.unjank.workbench.lab.run.Experiment;
import dev.unjank.workbench.lab.run.ExperimentProcess;
import dev.unjank.workbench.lab.run.ExperimentRun;
import dev.unjank.workbench.lab.run.Measurements;
import dev.unjank.workbench.lab.run.ProgressListener;
import dev.unjank.workbench.lab.run.TextTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * An experiment: measures the waits of an important thread for a mutex whose owner is preempted, under the same load on
 * all CPUs and on fewer, with a plain mutex and with a priority-inheriting one.
 */
public final class InversionByCoresExperiment {
    public static final Experiment EXPERIMENT = new Experiment(
            "inversion-by-cores",
            "block times on all CPUs and on fewer, plain mutex and priority-inheriting mutex",
            60,
            InversionByCoresExperiment::run);

    /** One kind of mutex on a number of CPUs. */
    private record Case(int processors, boolean inherits) {
        String where() {
            return processors == 1 ? "1 CPU" : processors + " CPUs";
        }

        String mutex() {
            return inherits ? "PI" : "plain";
        }
    }

    private record Result(Case of, Measurements figures, CaseIncidents findings) {}

    private InversionByCoresExperiment() {}

    private static void run(ExperimentRun run) throws IOException {
        String obstacle = LinuxThreads.obstacle();
        if (obstacle != null) {
            run.tell("This experiment needs 64-bit Linux, CPU affinity, and pthread mutexes: " + obstacle + ".");
            return;
        }
        int all = LinuxThreads.affinity(LinuxThreads.SELF).cardinality();
        double seconds = run.isQuick() ? 1 : 6;
        List<Result> results = new ArrayList<>();
        for (int processors : counts(all)) {
            for (boolean inherits : new boolean[] {false, true}) {
                results.add(measure(run, new Case(processors, inherits), all, seconds));
            }
        }
        boolean realTime = results.getFirst().figures.get("realtime") > 0;
        run.tell("An important thread takes a mutex 250 times a second for " + Math.round(seconds)
                + " s; threads of nice 19 hold it for 0.5 ms at a time; " + all + " cameras keep " + all
                + " CPUs busy for two thirds of the time.");
        run.tell(
                realTime
                        ? "Tier: the important thread has a real-time policy (SCHED_RR 1), so the mutex owner can"
                                + " inherit its priority."
                        : "Tier: ordinary threads, nice 0 against 19. A mutex does not lend nice values, so"
                                + " inheritance has no effect; a real-time thread needs root.");
        run.tell("");
        run.print(table(results));
        results.stream()
                .map(result -> result.findings.longest(Verdict.PRIORITY_INVERSION))
                .filter(sentence -> !sentence.isEmpty())
                .findFirst()
                .ifPresent(sentence -> {
                    run.tell("");
                    run.tell(sentence + ".");
                });
        run.tell("");
        run.tell("Published: priority inversions in a phone's frames with its system's plain locks, and with the"
                + " kernel's priority-inheriting mutex, which makes locking more expensive.");
    }

    /** The numbers of CPUs: all, half and a quarter. */
    private static List<Integer> counts(int all) {
        return Stream.of(all, all / 2, all / 4)
                .filter(count -> count > 0)
                .distinct()
                .toList();
    }

    private static Result measure(ExperimentRun run, Case of, int cameras, double seconds) throws IOException {
        String name = of.processors + "-cpus-" + of.mutex().toLowerCase(Locale.ROOT);
        Path folder = ProcessTempFiles.folder("lab");
        Path waits = Files.createFile(folder.resolve("waits"));
        try (ProgressListener.Step _ = run.begin(of.where() + ", " + of.mutex() + " mutex");
                ExperimentProcess child = ExperimentProcess.start(
                        List.of("-Xmx128m", "-XX:+UseSerialGC"),
                        InversionProgram.class,
                        String.valueOf(of.processors),
                        String.valueOf(cameras),
                        String.valueOf(of.inherits),
                        waits.toString())) {
            child.ask("take", run.isQuick() ? 0.3 : 1);
            List<RecordingSource> more = List.of(new MutexWaitSource(child.pid(), waits));
            ExperimentRun.Outcome outcome = run.record(name, child, InversionProgram.WAITER, more, "take", seconds);
            return new Result(
                    of,
                    outcome.figures(),
                    CaseIncidents.of(
                            outcome.diagnosis(),
                            incident -> incident.rootWait().kind().isLock()));
        } finally {
            ProcessTempFiles.delete(folder);
        }
    }

    private static List<String> table(List<Result> results) {
        TextTable grid =
                new TextTable("", "1-10 ms", "10-16 ms", "over 16 ms", "longest", "verdicts of 0.2 ms and more");
        for (Result result : results) {
            grid.row(
                    result.of.where() + ", " + result.of.mutex() + " mutex",
                    String.valueOf(result.figures.count("over1")),
                    String.valueOf(result.figures.count("over10")),
                    String.valueOf(result.figures.count("over16")),
                    CaseIncidents.millis(result.figures.get("longest")),
                    result.findings.verdicts());
        }
        grid.row("published, 8 cores, plain", "194", "0", "0", "6 ms");
        grid.row("published, 4 small cores, plain", "749", "39", "28", "78 ms");
        grid.row("published, 2 small cores, plain", "493", "43", "77", "216 ms");
        grid.row("published, PI", "", "", "", "about 1 ms");
        return grid.lines();
    }
}
