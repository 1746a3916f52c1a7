package dev.unjank.bench.queue;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs the benchmarks of the queues in one go and prints medians, each with its ratio to the monitor queue. */
public final class QueueBenchmarks {

    /** Agrona and Netty reach into the JDK; a fixed heap keeps its growth out of the measurement. */
    private static final String[] JVM_ARGS = {
        "-Xms2g",
        "-Xmx2g",
        "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow",
        "--enable-native-access=ALL-UNNAMED"
    };

    private enum Question {
        POST_TO_RUN(PostToRun.class, "Post to run, ns per message", "producers"),
        INSERT(InsertAmongPending.class, "Insert at a random deadline, ns per post", "pending"),
        DRAIN(DrainDueTimers.class, "Drain of 10,000 due timers, ns per timer", ""),
        CANCEL(PostAndCancel.class, "Set a timeout and cancel it, ns per pair", "staying");

        final Class<?> benchmark;
        final String title;
        final String parameter;

        Question(Class<?> benchmark, String title, String parameter) {
            this.benchmark = benchmark;
            this.title = title;
            this.parameter = parameter;
        }

        String column(RunResult result) {
            return parameter.isEmpty()
                    ? "median"
                    : parameter + " = " + result.getParams().getParam(parameter);
        }
    }

    private QueueBenchmarks() {}

    /**
     * Runs everything; takes some minutes if quick, and most of an hour otherwise.
     *
     * @param quick one JVM and short iterations for each measurement: enough to see orders of magnitude
     * @param out the tables
     * @param progress a line for each benchmark that begins
     * @throws RunnerException if a benchmark fails
     */
    public static void run(boolean quick, PrintWriter out, PrintWriter progress) throws RunnerException {
        out.printf(
                Locale.ROOT,
                "Medians%s and, in brackets, the ratio to the monitor queue; smaller is better. JDK %s, %d processors.%n",
                quick ? " of a quick run" : "",
                Runtime.version(),
                Runtime.getRuntime().availableProcessors());
        out.flush();
        for (Question question : Question.values()) {
            progress.println("measuring: " + question.title + " ...");
            Medians medians = new Medians();
            for (RunResult result : new Runner(options(question, quick).build()).run()) {
                medians.add(
                        question.column(result), Peer.valueOf(result.getParams().getParam("peer")), median(result));
            }
            out.println();
            out.println(question.title);
            medians.lines().forEach(out::println);
            out.flush();
        }
    }

    private static ChainedOptionsBuilder options(Question question, boolean quick) {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(question.benchmark.getName() + "\\.")
                .jvmArgs(JVM_ARGS)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
        if (quick) {
            TimeValue brief = new TimeValue(300, TimeUnit.MILLISECONDS);
            options.forks(1).warmupTime(brief).measurementTime(brief);
            if (question == Question.POST_TO_RUN) {
                options.warmupIterations(3).measurementIterations(5);
            } else {
                options.warmupIterations(5).measurementIterations(9);
            }
        }
        return options;
    }

    private static double median(RunResult result) {
        return result.getPrimaryResult().getStatistics().getPercentile(50);
    }
}
