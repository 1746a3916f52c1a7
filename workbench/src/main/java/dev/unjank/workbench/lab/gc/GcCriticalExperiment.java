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
 * A thread is in native code for a second with an array of Java's in its hands, as one that reads from a barcode scanner; the UI
 * thread meanwhile allocates. Which garbage collectors make the UI thread wait, who is named, and what becomes of it if the
 * data goes through memory outside the heap.
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

        /** What is known of it and JNI critical sections: G1 pins regions since 22, Shenandoah always did. */
        boolean stopsForJni(int feature) {
            return this != SHENANDOAH && (this != G1 || feature < 22);
        }
    }

    /** One way of holding the array, under one collector of one Java VM. */
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
        run.tell(
                "A UI thread draws 60 frames a second and allocates 4 MB in each; another thread is in native code with an"
                        + " array for a second, again and again. JNI: in a critical section (the JDK's own Deflater). FFM: in a"
                        + " critical call (a read that blocks). Copied: the same by memory outside the heap.");
        run.tell("");
        run.print(table(results));
        run.tell("");
        run.tell(
                "Known: whether the collector waits for such a thread by its design (G1 pins the array's region since Java"
                        + " 22, Shenandoah always did); a critical call of the FFM API stops everybody, whatever the collector.");
        List<String> others = results.stream()
                .filter(result -> result.stopped() != result.of.mustStop())
                .map(result -> result.of.name())
                .toList();
        if (!others.isEmpty()) {
            run.tell("Not as it is known: " + String.join(", ", others) + ".");
        }
        if (old.isEmpty() && !run.isQuick()) {
            run.tell("Left out: there is no Java " + OLD_FEATURE + " here (JAVA_17_HOME says where).");
        } else if (old.isPresent()) {
            run.tell("Left out: the foreign function API on Java 17, where it was an incubating one of another form.");
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
        // who else keeps the processors busy is not what this is about
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

    /** What the doctor says of the wait that made the longest frame so long, if it sees one. */
    private static String verdict(Result result) {
        if (result.findings.longestNs() < result.critical.get("longest") / 2) {
            return "does not see it";
        }
        Incident incident = result.findings.incidents().getFirst();
        ThreadRef responsible = incident.responsibleThread();
        return incident.verdict() + (responsible == null ? "" : " by " + ReportMessages.thread(responsible));
    }
}
