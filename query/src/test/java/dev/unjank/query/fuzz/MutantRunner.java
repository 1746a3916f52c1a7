package dev.unjank.query.fuzz;

import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Damaged copies of traces, one after the other, through {@link MutantCheck}. A mutant that fails, or takes more
 * processor time than {@link #LONGEST}, is kept as a file. Also a program, for as many mutants as one likes:
 *
 * <pre>java … dev.unjank.query.fuzz.MutantRunner FOLDER FIRST MUTANTS TRACE...</pre>
 */
final class MutantRunner {
    /** A mutant takes milliseconds. */
    static final Duration LONGEST = Duration.ofSeconds(20);

    private static final int KEPT_OF_A_KIND = 3;
    private static final int MUTANTS_PER_LINE = 500;
    private static final int MOST_NAMES = 2_000;

    private final Path kept;
    private final PrintStream out;
    private final List<String> failures = new ArrayList<>();
    private final Map<String, Integer> kinds = new TreeMap<>();

    /**
     * A run.
     *
     * @param kept where mutants go that fail
     * @param out gets a line for each trace
     */
    MutantRunner(Path kept, PrintStream out) {
        this.kept = kept;
        this.out = out;
    }

    /** One line for each mutant that failed. */
    List<String> failures() {
        return failures;
    }

    /** Tries the mutants {@code first} to {@code first + count} of a trace; {@return how many were tried}. */
    int of(SeedTrace trace, int first, int count) throws IOException, InterruptedException {
        Files.createDirectories(kept);
        Mutants mutants = new Mutants(trace, names(trace), 1);
        long begin = System.nanoTime();
        long slowest = 0;
        int read = 0;
        int failed = 0;
        int tried = 0;
        Path file = Files.createTempFile("unjank-mutant-", "");
        Worker worker = new Worker();
        try {
            for (int number = first; number < first + count; number++) {
                byte[] bytes = mutants.get(number);
                Files.write(file, bytes);
                long start = System.nanoTime();
                Object result = worker.check(file);
                slowest = Math.max(slowest, System.nanoTime() - start);
                tried++;
                if (tried % MUTANTS_PER_LINE == 0) {
                    out.println(trace.name() + ": " + tried + " mutants so far");
                }
                if (result instanceof Boolean wasRead) {
                    read += wasRead ? 1 : 0;
                } else {
                    failed++;
                    keep(trace, number, bytes, result);
                    if (result.equals(Worker.TOO_LONG)) {
                        worker = new Worker(); // the other goes on with the old file
                        file = Files.createTempFile("unjank-mutant-", "");
                    }
                }
            }
        } finally {
            worker.end();
            Files.deleteIfExists(file);
        }
        out.println(String.format(
                Locale.ROOT,
                "%s: %d mutants, %d read, %d refused, %d failed, slowest %d ms, %.1f per second",
                trace.name(),
                tried,
                read,
                tried - read - failed,
                failed,
                slowest / 1_000_000,
                tried / ((System.nanoTime() - begin) / 1e9)));
        return tried;
    }

    private void keep(SeedTrace trace, int number, byte[] bytes, Object result) throws IOException {
        failures.add(trace.name() + ", mutant " + number + ": " + result);
        int known = kinds.merge(kind(result), 1, Integer::sum);
        if (known > KEPT_OF_A_KIND) {
            return;
        }
        Path path = kept.resolve(trace.name() + "." + number);
        Files.write(path, bytes);
        out.println(path + ": " + result);
        if (result instanceof Throwable t && known == 1) {
            t.printStackTrace(out);
        }
    }

    /** Where it was thrown, so that one fault is not printed a thousand times. */
    private static String kind(Object result) {
        Object root = result;
        while (root instanceof Throwable t && t.getCause() != null) {
            root = t.getCause();
        }
        return root instanceof Throwable t && t.getStackTrace().length > 0
                ? t.getClass() + " " + t.getStackTrace()[0]
                : String.valueOf(root);
    }

    /** Names that the trace has. */
    private static List<String> names(SeedTrace trace) throws IOException {
        TreeSet<String> names = new TreeSet<>();
        Path file = Files.createTempFile("unjank-seed-", "");
        try {
            for (byte[] piece : trace.pieces()) {
                try {
                    Files.write(file, piece);
                    Trace model = TraceReader.read(file, Runnable::run);
                    for (int id = 0; id < model.strings().size() && names.size() < MOST_NAMES; id++) {
                        names.add(model.strings().get(id));
                    }
                } catch (UnusableTraceException _) {
                    // a piece without an event
                }
            }
        } finally {
            Files.deleteIfExists(file);
        }
        return List.copyOf(names);
    }

    /** Checks files on a thread of its own, which is left behind if it does not end. */
    private static final class Worker {
        static final String TOO_LONG = "takes longer than " + LONGEST.toSeconds() + " s";

        private static final Path END = Path.of("");

        private final BlockingQueue<Path> files = new ArrayBlockingQueue<>(1);
        private final BlockingQueue<Object> results = new ArrayBlockingQueue<>(1);
        private final Thread thread;

        Worker() {
            thread = Thread.ofPlatform().daemon().name("mutants").start(this::work);
        }

        private void work() {
            try (MutantCheck check = new MutantCheck()) {
                for (Path file = files.take(); !file.equals(END); file = files.take()) {
                    results.put(result(check, file));
                }
            } catch (InterruptedException _) {
                // left behind
            }
        }

        private static Object result(MutantCheck check, Path file) {
            try {
                return check.check(file);
            } catch (Throwable t) { // a failure of this mutant; the run goes on
                return t;
            }
        }

        Object check(Path file) throws InterruptedException {
            files.put(file);
            Duration begin = cpuTime();
            do {
                @Nullable Object result = results.poll(LONGEST.toNanos(), TimeUnit.NANOSECONDS);
                if (result != null) {
                    return result;
                }
            } while (cpuTime().minus(begin).compareTo(LONGEST) < 0); // a busy machine is no fault
            for (StackTraceElement frame : thread.getStackTrace()) {
                System.err.println("    at " + frame);
            }
            thread.interrupt();
            return TOO_LONG;
        }

        private static Duration cpuTime() {
            return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ofNanos(System.nanoTime()));
        }

        void end() throws InterruptedException {
            if (files.offer(END)) {
                thread.join(LONGEST.toMillis());
            }
        }
    }

    /** Tries mutants of traces. */
    public static void main(String[] args) throws IOException, InterruptedException {
        MutantRunner run = new MutantRunner(Path.of(args[0]), System.out);
        int first = Integer.parseInt(args[1]);
        int count = Integer.parseInt(args[2]);
        int all = 0;
        for (int i = 3; i < args.length; i++) {
            all += run.of(SeedTrace.read(Path.of(args[i])), first, count);
        }
        System.out.println(all + " mutants, " + run.failures().size() + " failed");
    }
}
