package dev.unjank.workbench.lab.run;

import dev.unjank.cli.terminal.LineWrapping;
import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.ReportQueries;
import dev.unjank.doctor.report.html.HtmlReport;
import dev.unjank.doctor.report.json.JsonReport;
import dev.unjank.query.SqlReportQueries;
import dev.unjank.record.jvm.TargetJvm;
import dev.unjank.record.kernel.KernelSource;
import dev.unjank.record.session.Recording;
import dev.unjank.record.session.RecordingSource;
import dev.unjank.record.session.Rotation;
import dev.unjank.record.session.SourceAvailability;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.trace.tempfile.ProcessTempFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One run of an experiment: prints its table and keeps its traces. For one thread. */
public final class ExperimentRun implements AutoCloseable {
    /** The minimum duration of waits in recordings and diagnoses. */
    private static final Duration LEAST_WAIT = Duration.ofNanos(200_000);

    /**
     * The interval at which Flight Recorder's events are fetched: only at the end, since fetching would add load to the
     * program.
     */
    private static final Duration PIECE = Duration.ofMinutes(1);

    private final Setup setup;
    private final Path directory;
    private final Set<String> missing = new LinkedHashSet<>();

    /**
     * The settings of a run.
     *
     * @param keep a directory for traces, HTML pages and JSON, created if missing; null to delete them
     * @param quick whether to run for a few seconds, with less certain results
     * @param realTime whether important threads use a real-time policy, in experiments that support both
     */
    public record Setup(
            PrintWriter out,
            int width,
            @Nullable Path keep,
            boolean quick,
            boolean realTime,
            ProgressListener progress) {}

    private ExperimentRun(Setup setup, Path directory) {
        this.setup = setup;
        this.directory = directory;
    }

    public static ExperimentRun begin(Setup setup) throws IOException {
        if (setup.keep != null) {
            return new ExperimentRun(setup, made(setup.keep));
        }
        return new ExperimentRun(setup, ProcessTempFiles.folder("lab"));
    }

    /** Creates a directory and its parents; those that are still empty are deleted when the process ends. */
    private static Path made(Path directory) throws IOException {
        Deque<Path> missing = new ArrayDeque<>();
        for (Path each = directory.toAbsolutePath(); each != null && Files.notExists(each); each = each.getParent()) {
            missing.push(each);
        }
        Files.createDirectories(directory);
        missing.forEach(each -> each.toFile().deleteOnExit()); // the last one is deleted first
        return directory;
    }

    /** A recorded phase of a program. */
    private record Recorded(Measurements figures, Path trace) {}

    /** The result of a case. */
    public record Outcome(Measurements figures, Diagnosis diagnosis) {}

    /** Returns whether the run takes only a few seconds. */
    public boolean isQuick() {
        return setup.quick;
    }

    public boolean isRealTime() {
        return setup.realTime;
    }

    public ProgressListener.Step begin(String what) {
        return setup.progress.begin(what);
    }

    /** Prints sentences, wrapped into lines. */
    public void tell(String sentences) {
        print(List.of(LineWrapping.wrapped(sentences, setup.width)));
    }

    public void print(List<String> lines) {
        lines.forEach(setup.out::println);
        setup.out.flush();
    }

    /** Records a program during a request, diagnoses the recording, and keeps the report if requested. */
    public Outcome record(
            String name,
            ExperimentProcess child,
            String thread,
            List<? extends RecordingSource> more,
            String what,
            double amount)
            throws IOException {
        Recorded recorded = recorded(name, child, more, what, amount);
        Trace trace = TraceReader.read(recorded.trace);
        Diagnosis diagnosis =
                Doctor.diagnose(trace, new DoctorOptions(thread, String.valueOf(child.pid()), LEAST_WAIT));
        if (setup.keep != null) {
            ReportQueries queries = new SqlReportQueries("unjank query " + recorded.trace);
            keep(name + ".html", page -> HtmlReport.write(diagnosis, trace, queries, page));
            keep(name + ".json", json -> JsonReport.write(diagnosis, queries, json));
        }
        return new Outcome(recorded.figures, diagnosis);
    }

    private interface Content {
        void write(Writer to) throws IOException;
    }

    /** Keeps a file, which is written atomically: an interrupted process does not leave a partial file. */
    private void keep(String file, Content content) throws IOException {
        StringWriter text = new StringWriter();
        content.write(text);
        Files.writeString(directory.resolve(file), text.getBuffer());
    }

    private Recorded recorded(
            String name, ExperimentProcess child, List<? extends RecordingSource> more, String what, double amount)
            throws IOException {
        Path file = directory.resolve(name + ".pftrace");
        if (setup.keep == null) {
            file.toFile().deleteOnExit();
        }
        List<RecordingSource> sources = new ArrayList<>();
        sources.add(new KernelSource(child.pid(), false, false));
        sources.addAll(new TargetJvm(child.pid()).sources(LEAST_WAIT, PIECE));
        sources.addAll(more);
        Measurements figures;
        try (ShutdownGuard guard = ShutdownGuard.early();
                Recording recording = guard.keep(Recording.start(file, Rotation.NONE, child.pid(), sources))) {
            recording.availability().stream()
                    .filter(source -> !source.isOn())
                    .map(SourceAvailability::toString)
                    .forEach(missing::add);
            figures = child.ask(what, amount);
        }
        return new Recorded(figures, file);
    }

    /** One line per data source that was off, with the remedy; empty if all were on. */
    public List<String> missing() {
        return List.copyOf(missing);
    }

    /** Prints the data that could not be recorded and the location of the files; deletes files that are not kept. */
    @Override
    public void close() throws IOException {
        if (!missing.isEmpty()) {
            tell("");
            tell("Some data could not be recorded:");
            missing.forEach(this::tell);
        }
        if (setup.keep != null) {
            tell("");
            tell("Traces, HTML pages and JSON are in " + directory + ".");
            return;
        }
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(directory);
    }
}
