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
 * What is done with each trace of a fleet: a pure function from a file to rows. It depends on nothing but the file and its own
 * fields, keeps nothing, and can be sent to another machine; so whoever runs it, and how often, the rows are the same.
 *
 * @param questions what each trace is asked
 * @param least the shortest wait of interest, if the doctor's tables are to hold what it shows unasked; null if they are to hold every wait
 * @param app the app whose version is a label; null for none
 * @param labels what is known of traces besides
 * @param limits what a trace may cost
 */
public record TraceTask(
        List<TaskQuery> questions,
        @Nullable Duration least,
        @Nullable String app,
        LabelFile labels,
        TraceLimits limits) implements Serializable {
    private static final long serialVersionUID = 1;

    /** Keeps its own copy of the list. */
    public TraceTask {
        questions = List.copyOf(questions);
    }

    /**
     * A task that asks what {@code unjank doctor} tells.
     *
     * @param least the shortest wait that counts as an incident
     * @param app the app whose version is a label; null for none
     * @param labels what is known of traces besides
     * @param limits what a trace may cost
     * @return the task
     */
    public static TraceTask ofTheDoctor(Duration least, @Nullable String app, LabelFile labels, TraceLimits limits) {
        return new TraceTask(TaskQuery.ofTheDoctor(least), least, app, labels, limits);
    }

    /**
     * A task that asks what statements say.
     *
     * @param sql PerfettoSQL
     * @param app the app whose version is a label; null for none
     * @param labels what is known of traces besides
     * @param limits what a trace may cost
     * @return the task
     */
    public static TraceTask ofStatements(String sql, @Nullable String app, LabelFile labels, TraceLimits limits) {
        return new TraceTask(TaskQuery.ofStatements(sql), null, app, labels, limits);
    }

    /**
     * Asks a trace. Any thread; several may at once.
     *
     * @param file the trace
     * @return its rows, or why there are none: whatever is wrong with a trace, nothing is thrown
     */
    public TraceResult run(TraceFile file) {
        try (TraceAnalyzer asker = asker()) {
            return asker.ask(file);
        }
    }

    /**
     * Whoever asks one trace after another. The rows are the same as if each was asked by itself.
     *
     * @return an asker, to be closed, for one thread
     */
    public TraceAnalyzer asker() {
        return new TraceAnalyzer(this);
    }

    /**
     * Makes sure that the statements make sense, before thousands of traces are asked: of a trace with nothing in it, which has as
     * much time as any other.
     *
     * @throws QueryException if a statement is wrong, whatever the trace, if none answers anything, or if they take longer
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
                throw new QueryException("no statement that answers anything, such as a SELECT", 0);
            }
        }
    }
}
