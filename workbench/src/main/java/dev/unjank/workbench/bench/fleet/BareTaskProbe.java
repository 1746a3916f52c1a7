package dev.unjank.workbench.bench.fleet;

import dev.unjank.fleet.input.Inputs;
import dev.unjank.fleet.input.TraceFile;
import dev.unjank.fleet.label.LabelFile;
import dev.unjank.fleet.task.TraceAnalyzer;
import dev.unjank.fleet.task.TraceLimits;
import dev.unjank.fleet.task.TraceResult;
import dev.unjank.fleet.task.TraceTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs the bare task in a JVM: one thread per CPU analyses traces and discards the results. */
final class BareTaskProbe {
    private BareTaskProbe() {}

    /**
     * Analyses all traces in a folder.
     *
     * @param args the folder, and a file of statements unless the doctor is measured
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        TraceTask task = args.length > 1
                ? TraceTask.ofStatements(Files.readString(Path.of(args[1])), null, LabelFile.EMPTY, TraceLimits.DEFAULT)
                : TraceTask.ofTheDoctor(Duration.ofMillis(1), null, LabelFile.EMPTY, TraceLimits.DEFAULT);
        List<TraceFile> files = new ArrayList<>();
        new Inputs(List.of(args[0]), null)
                .forEach((file, isFound) -> files.add(new TraceFile(file.toString(), file, Files.size(file), isFound)));
        AtomicInteger next = new AtomicInteger();
        AtomicInteger failed = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                try (TraceAnalyzer analyzer = task.analyzer()) {
                    for (int at = next.getAndIncrement(); at < files.size(); at = next.getAndIncrement()) {
                        TraceResult outcome = analyzer.ask(files.get(at));
                        failed.addAndGet(outcome.failure() == null ? 0 : 1);
                    }
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (failed.get() > 0) {
            System.err.println(failed.get() + " traces failed");
            System.exit(1);
        }
    }
}
