package dev.unjank.workbench.lab.gc;

import dev.unjank.doctor.ReportMessages;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.linux.LinuxThreads;
import dev.unjank.record.hotspot.CriticalDowncallSource;
import dev.unjank.record.kernel.JniCriticalSource;
import dev.unjank.record.session.RecordingSource;
import dev.unjank.workbench.lab.load.SchedulingPrivilege;
import dev.unjank.workbench.lab.program.ScannerProgram;
import dev.unjank.workbench.lab.run.CaseIncidents;
import dev.unjank.workbench.lab.run.Experiment;
import dev.unjank.workbench.lab.run.ExperimentProcess;
import dev.unjank.workbench.lab.run.ExperimentRun;
import dev.unjank.workbench.lab.run.Measurements;
import dev.unjank.workbench.lab.run.ProgressListener;
import dev.unjank.workbench.lab.run.TextTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * An experiment: a thread holds a Java array in native code for a second, as if it read from a barcode scanner, while
 * the UI thread allocates. It shows the garbage collectors that block the UI thread, the doctor's verdict, and the
 * effect of copying through off-heap memory.
 */
public final class GcCriticalExperiment {
    public static final Experiment EXPERIMENT = new Experiment(
            "gc-critical",
            "native code holds an array for a second: which collectors stop the UI thread",
            180,
            GcCriticalExperiment::run);

    private static final int OLD_FEATURE = 17;

    private enum Collector {
        SERIAL("Serial"),
        PARALLEL("Parallel"),
        G1("G1"),
        Z("Z"),
        SHENANDOAH("Shenandoah");

        final String label;

        Collector(String label) {
            this.label = label;
        }

        String option() {
            return "-XX:+Use" + label + "GC";
        }

        /**
         * Whether the collector is known to wait for JNI critical sections: G1 has pinned regions since Java 22,
         * Shenandoah always.
         */
        boolean stopsForJni(int feature) {
            return this != SHENANDOAH && (this != G1 || feature < 22);
        }
    }

    /** One way of holding the array, with one garbage collector of one JDK. */
    private record Case(InstalledJdk vm, Collector collector, boolean foreign) {
        String call() {
            return foreign ? "FFM" : "JNI";
        }

        String name() {
            return ("java" + vm.feature() + "-" + collector.label + "-" + call()).toLowerCase(Locale.ROOT);
        }

        boolean mustStop() {
            return foreign || collector.stopsForJni(vm.feature());
        }
    }

    private record Result(Case of, Measurements critical, Measurements copied, CaseIncidents findings) {
        boolean stopped() {
            return critical.get("longest") > critical.get("scan") / 2;
        }
    }

    private GcCriticalExperiment() {}

    private static void run(ExperimentRun run) throws IOException {
        Optional<InstalledJdk> old = run.isQuick() ? Optional.empty() : InstalledJdk.installed(OLD_FEATURE);
        List<Result> results = new ArrayList<>();
        for (Case next : cases(run.isQuick(), old)) {
            results.add(measure(run, next));
        }
        run.tell("A UI thread draws 60 frames a second and allocates 4 MB in each; another thread is in native code"
                + " with an array for a second, again and again. JNI: in a critical section (the JDK's"
                + " Deflater). FFM: in a critical call (a blocking read). Copied: the same through off-heap"
                + " memory.");
        run.tell("");
        run.print(table(results));
        run.tell("");
        run.tell("Known: whether the collector waits for such a thread by design (G1 has pinned the array's region"
                + " since Java 22, Shenandoah always). A critical FFM call delays all collectors.");
        List<String> others = results.stream()
                .filter(result -> result.stopped() != result.of.mustStop())
                .map(result -> result.of.name())
                .toList();
        if (!others.isEmpty()) {
            run.tell("Unexpected results: " + String.join(", ", others) + ".");
        }
        if (old.isEmpty() && !run.isQuick()) {
            run.tell("Skipped: Java " + OLD_FEATURE + " was not found (set JAVA_17_HOME).");
        } else if (old.isPresent()) {
            run.tell("Skipped: the foreign function API on Java 17, where it was incubating and different.");
        }
    }

    private static List<Case> cases(boolean quick, Optional<InstalledJdk> old) throws IOException {
        List<Case> cases = new ArrayList<>();
        List<InstalledJdk> vms = new ArrayList<>(List.of(InstalledJdk.ours()));
        old.ifPresent(vms::add);
        List<Collector> collectors = quick ? List.of(Collector.SERIAL, Collector.G1) : List.of(Collector.values());
        for (InstalledJdk vm : vms) {
            for (Collector collector : collectors) {
                if (vm.takes(collector.option())) {
                    cases.add(new Case(vm, collector, false));
                }
            }
        }
        for (Collector collector : quick ? List.of(Collector.SERIAL) : collectors) {
            if (LinuxThreads.obstacle() == null && InstalledJdk.ours().takes(collector.option())) {
                cases.add(new Case(InstalledJdk.ours(), collector, true));
            }
        }
        return cases;
    }

    private static Result measure(ExperimentRun run, Case of) throws IOException {
        // reduces the effect of other load on the machine
        List<String> before = SchedulingPrivilege.maySetNice(-10) ? List.of("nice", "-n", "-10") : List.of();
        int scans = run.isQuick() ? 1 : 2;
        List<String> options = new ArrayList<>(List.of(of.collector.option(), "-Xmx128m"));
        if (of.vm.feature() >= 22) {
            options.add("--enable-native-access=ALL-UNNAMED");
        }
        try (ProgressListener.Step _ =
                        run.begin("Java " + of.vm.feature() + ", " + of.collector.label + ", " + of.call());
                ExperimentProcess child = ExperimentProcess.start(
                        before,
                        of.vm.home(),
                        options,
                        ScannerProgram.class,
                        of.foreign ? ForeignScan.class.getName() : ScannerProgram.JNI)) {
            child.ask("copied", 1);
            List<RecordingSource> holders =
                    List.of(of.foreign ? new CriticalDowncallSource(child.pid()) : new JniCriticalSource(child.pid()));
            ExperimentRun.Outcome critical =
                    run.record(of.name(), child, ScannerProgram.UI, holders, "critically", scans);
            return new Result(
                    of,
                    critical.figures(),
                    child.ask("copied", scans),
                    CaseIncidents.of(critical.diagnosis(), _ -> true));
        }
    }

    private static List<String> table(List<Result> results) {
        TextTable grid = new TextTable(
                "",
                "longest frame",
                "stopped",
                "known",
                "p90 of frames",
                "copied, p90",
                "copied, longest",
                "the doctor on the longest");
        for (Result result : results) {
            grid.row(
                    "Java " + result.of.vm.feature() + ", " + result.of.collector.label + ", " + result.of.call(),
                    CaseIncidents.millis(result.critical.get("longest")),
                    yes(result.stopped()),
                    yes(result.of.mustStop()),
                    CaseIncidents.millis(result.critical.get("p90")),
                    CaseIncidents.millis(result.copied.get("p90")),
                    CaseIncidents.millis(result.copied.get("longest")),
                    result.stopped() ? verdict(result) : "-");
        }
        return grid.lines();
    }

    private static String yes(boolean is) {
        return is ? "yes" : "no";
    }

    /** The doctor's verdict on the wait in the longest frame, if it found one. */
    private static String verdict(Result result) {
        if (result.findings.longestNs() < result.critical.get("longest") / 2) {
            return "not found";
        }
        Incident incident = result.findings.incidents().getFirst();
        ThreadRef responsible = incident.responsibleThread();
        return incident.verdict() + (responsible == null ? "" : " by " + ReportMessages.thread(responsible));
    }
}
