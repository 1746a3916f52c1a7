package dev.unjank.workbench.lab.run;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.linux.LinuxThreads;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.workbench.lab.Experiments;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A quick run of an experiment, and what it left behind.
 *
 * @param output what it printed
 * @param folder where its files are
 * @param missing what could not be recorded
 */
public record QuickExperiment(String output, Path folder, List<String> missing) {

    /** Runs one. */
    public static QuickExperiment of(String experiment, Path folder) throws IOException {
        return of(experiment, folder, false);
    }

    /** Runs one, with real-time threads where it leaves the choice. */
    public static QuickExperiment of(String experiment, Path folder, boolean realTime) throws IOException {
        assumeTrue(LinuxThreads.obstacle() == null, LinuxThreads::obstacle);
        StringWriter output = new StringWriter();
        ExperimentRun.Setup setup =
                new ExperimentRun.Setup(new PrintWriter(output), 100, folder, true, realTime, _ -> () -> {});
        List<String> missing;
        try (ExperimentRun run = ExperimentRun.begin(setup)) {
            Experiments.named(experiment).orElseThrow().program().run(run);
            missing = run.missing();
        }
        return new QuickExperiment(output.toString(), folder, missing);
    }

    /** Skips a test that needs what only root may record. */
    public void assumeScheduling() {
        assumeTrue(missing.isEmpty(), () -> "not everything can be recorded here: " + missing);
    }

    /** The row of the table that begins with a label; its other cells. */
    public List<String> row(String label) {
        return output.lines()
                .filter(line -> line.startsWith(label))
                .findFirst()
                .map(line -> List.of(line.substring(label.length()).strip().split(" {3,}", -1)))
                .orElseThrow(() -> new AssertionError("no row " + label + " in\n" + output));
    }

    /** A trace that it kept, read. */
    public Trace trace(String name) throws IOException {
        return TraceReader.read(folder.resolve(name + ".pftrace"));
    }

    /** A text that it kept. */
    public String text(String file) throws IOException {
        return Files.readString(folder.resolve(file));
    }
}
