package dev.unjank.workbench.lab.launcher;

import dev.unjank.doctor.model.Verdict;
import dev.unjank.looper.QueueKind;
import dev.unjank.workbench.lab.run.CaseIncidents;
import dev.unjank.workbench.lab.run.Experiment;
import dev.unjank.workbench.lab.run.ExperimentProcess;
import dev.unjank.workbench.lab.run.ExperimentRun;
import dev.unjank.workbench.lab.run.Measurements;
import dev.unjank.workbench.lab.run.ProgressListener;
import dev.unjank.workbench.lab.run.TextTable;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * An experiment: measures a UI thread whose queue has a lock that a preempted low-priority thread holds, and the same
 * with the lock-free queue.
 *
 * <p>The UI thread draws 60 frames a second. Executors of low priority arm timeouts in its queue. A medium-priority
 * camera keeps the CPUs busy for two thirds of the time. An executor that holds the lock when the camera starts blocks
 * the UI thread until the camera has finished: a priority inversion.
 */
public final class LauncherJankExperiment {
    public static final Experiment EXPERIMENT = new Experiment(
            "launcher-jank",
            "a low-priority executor holds the queue's lock while a camera has the CPUs",
            60,
            LauncherJankExperiment::run);

    private static final double WARM_UP_SECONDS = 2;

    /** The results of one queue. */
    private record Side(Measurements frames, Measurements starts, CaseIncidents locks, CaseIncidents others) {}

    private LauncherJankExperiment() {}

    private static void run(ExperimentRun run) throws IOException {
        double seconds = run.isQuick() ? 2 : 6;
        int starts = run.isQuick() ? 5 : 50;
        Side monitor = side(run, QueueKind.MONITOR, "monitor", seconds, starts);
        Side lockFree = side(run, QueueKind.LOCK_FREE, "lock-free", seconds, starts);
        introduce(run, monitor.frames, seconds);
        run.print(table(monitor, lockFree, starts, run.missing().isEmpty()));
        run.tell("");
        evidence(run, "monitor", monitor);
        evidence(run, "lock-free", lockFree);
        run.tell("");
        run.tell("Published: the effect of replacing the queue on phones in daily use, with Android 17. Here the"
                + " executor is always active, so the shares are larger.");
    }

    private static Side side(ExperimentRun run, QueueKind queue, String name, double seconds, int starts)
            throws IOException {
        try (ProgressListener.Step _ = run.begin("the " + name + " queue");
                ExperimentProcess child = ExperimentProcess.start(
                        List.of("-Xmx256m"), LauncherProgram.class, queue.name(), String.valueOf(run.isRealTime()))) {
            child.ask("frames", run.isQuick() ? 1 : WARM_UP_SECONDS);
            ExperimentRun.Outcome frames = run.record(name, child, LauncherProgram.UI, List.of(), "frames", seconds);
            return new Side(
                    frames.figures(),
                    child.ask("starts", starts),
                    CaseIncidents.of(
                            frames.diagnosis(),
                            incident -> incident.rootWait().kind().isLock()),
                    CaseIncidents.of(
                            frames.diagnosis(),
                            incident -> !incident.rootWait().kind().isLock()));
        }
    }

    private static void introduce(ExperimentRun run, Measurements figures, double seconds) {
        run.tell(String.format(
                Locale.ROOT,
                "A UI thread (nice %d) draws 60 frames a second for %.0f s; executors (nice %d) arm timeouts in its"
                        + " queue; a camera (nice %d) keeps all CPUs busy for two thirds of the time.",
                figures.count("ui"),
                seconds,
                figures.count("executor"),
                figures.count("camera")));
        run.tell(tier(figures, run.isRealTime()));
        run.tell("");
    }

    private static String tier(Measurements figures, boolean wantsRealTime) {
        if (figures.count("real-time") > 0) {
            return "Tier: real-time for the UI thread (SCHED_RR, priority 1), nice values for the others.";
        }
        String refused = wantsRealTime ? " --real-time was given but is not permitted here." : "";
        return (figures.count("ui") < 0
                        ? "Tier: nice values, with a negative one for the UI thread (needs root)."
                        : "Tier: nice values that any user may set; with root the UI thread gets a negative one.")
                + refused;
    }

    private static List<String> table(Side monitor, Side lockFree, int starts, boolean scheduled) {
        TextTable grid = new TextTable("", "monitor", "lock-free", "less by", "published, less by");
        grid.row(
                "frames missed",
                missed(monitor.frames),
                missed(lockFree.frames),
                CaseIncidents.less(monitor.frames.get("missed"), lockFree.frames.get("missed")),
                "4 % apps, 7.7 % launcher");
        row(grid, "longest frame", monitor.frames.get("longest"), lockFree.frames.get("longest"), "-");
        row(grid, "UI thread waiting for a lock", monitor.locks.totalNs(), lockFree.locks.totalNs(), "15 %");
        row(grid, "longest wait for a lock", monitor.locks.longestNs(), lockFree.locks.longestNs(), "-");
        row(
                grid,
                "start to first frame, p95 of " + starts,
                monitor.starts.get("p95"),
                lockFree.starts.get("p95"),
                "9.1 %");
        grid.row(
                "priority inversions",
                scheduled ? String.valueOf(monitor.locks.count(Verdict.PRIORITY_INVERSION)) : "not known",
                scheduled ? String.valueOf(lockFree.locks.count(Verdict.PRIORITY_INVERSION)) : "not known");
        return grid.lines();
    }

    private static void row(TextTable grid, String label, double monitorNs, double lockFreeNs, String published) {
        grid.row(
                label,
                CaseIncidents.millis(monitorNs),
                CaseIncidents.millis(lockFreeNs),
                CaseIncidents.less(monitorNs, lockFreeNs),
                published);
    }

    private static String missed(Measurements figures) {
        return figures.count("missed") + " of " + figures.count("due");
    }

    private static void evidence(ExperimentRun run, String name, Side side) {
        run.tell("The " + name + " queue: waits of the UI thread for a lock: " + side.locks.verdicts() + "; others: "
                + side.others.verdicts() + ".");
        String worst = side.locks.longest(Verdict.PRIORITY_INVERSION);
        if (!worst.isEmpty()) {
            run.tell(worst + ".");
        }
    }
}
