package dev.unjank.fleet.task;

import dev.unjank.fleet.input.TraceFile;
import dev.unjank.fleet.label.LabelFile;
import dev.unjank.query.QuerySession;
import dev.unjank.query.result.QueryException;
import dev.unjank.trace.build.TraceBuilder;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The task of a fleet: a pure function from a trace file to rows. It depends only on the file and its own fields, has
 * no state and is serializable, so that every machine and every retry computes the same rows.
 *
 * @param least the minimum duration of incidents in the doctor's tables; null for all
 * @param app the app whose version is a label; null for none
 */
public record TraceTask(
        List<TaskQuery> questions,
        @Nullable Duration least,
        @Nullable String app,
        LabelFile labels,
        TraceLimits limits) implements Serializable {
    private static final long serialVersionUID = 1;

    public TraceTask {
        questions = List.copyOf(questions);
    }

    /** The task of diagnosing each trace; {@code least} is the minimum duration of an incident. */
    public static TraceTask ofTheDoctor(Duration least, @Nullable String app, LabelFile labels, TraceLimits limits) {
        return new TraceTask(TaskQuery.ofTheDoctor(least), least, app, labels, limits);
    }

    /** The task of running PerfettoSQL statements on each trace. */
    public static TraceTask ofStatements(String sql, @Nullable String app, LabelFile labels, TraceLimits limits) {
        return new TraceTask(TaskQuery.ofStatements(sql), null, app, labels, limits);
    }

    /**
     * Analyzes a trace. Thread-safe. Never throws because of the trace: the result has its rows, or the reason why
     * there are none.
     */
    public TraceResult run(TraceFile file) {
        try (TraceAnalyzer analyzer = analyzer()) {
            return analyzer.ask(file);
        }
    }

    /** An analyzer for one thread that reuses its engine from trace to trace. The caller closes it. */
    public TraceAnalyzer analyzer() {
        return new TraceAnalyzer(this);
    }

    /**
     * Checks the statements on an empty trace before thousands of traces are read.
     *
     * @throws QueryException if a statement is wrong, none has a result, or they exceed the time limit
     */
    public void check() throws QueryException {
        AtomicInteger answers = new AtomicInteger();
        try (TraceBuilder builder = new TraceBuilder("nothing");
                QuerySession session = TraceAnalyzer.open(TraceAnalyzer.engine(limits), this, builder.build())) {
            session.setTimeout(limits.time());
            for (TaskQuery question : questions) {
                session.run(question.sql(), _ -> answers.incrementAndGet());
            }
            if (answers.get() == 0) {
                throw new QueryException("no statement has a result; add a SELECT", 0);
            }
        }
    }
}
