package dev.unjank.fleet;

import dev.unjank.query.Engine;
import dev.unjank.query.EngineOptions;
import dev.unjank.query.QueryException;
import dev.unjank.query.QuerySession;
import dev.unjank.trace.Trace;
import dev.unjank.trace.TraceBuilder;
import dev.unjank.trace.UnusableTraceException;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is done with each trace of a fleet: a pure function from a file to rows. It depends on nothing but the file and its own
 * fields, keeps nothing, and can be sent to another machine; so whoever runs it, and how often, the rows are the same.
 *
 * @param questions what each trace is asked
 * @param app the app whose version is a label; null for none
 * @param labels what is known of traces besides
 * @param limits what a trace may cost
 */
public record TraceTask(List<Question> questions, @Nullable String app, LabelBook labels, Limits limits)
        implements Serializable {
    private static final long serialVersionUID = 1;

    /** Keeps its own copy of the list. */
    public TraceTask {
        questions = List.copyOf(questions);
    }

    /**
     * Asks a trace. Any thread; several may at once.
     *
     * @param file the trace
     * @return its rows, or why there are none: whatever is wrong with a trace, nothing is thrown
     */
    public Outcome run(TraceFile file) {
        if (file.bytes() > limits.bytes()) {
            return failed(file, "larger than %,d bytes".formatted(limits.bytes()));
        }
        try {
            return ask(file, TraceReader.read(file.path()));
        } catch (UnusableTraceException e) {
            return failed(file, String.valueOf(e.getMessage()));
        } catch (QueryException | IOException e) {
            return failed(file, e.getMessage() == null ? e.toString() : e.getMessage());
        } catch (Answers.UnfitException e) {
            return failed(file, String.valueOf(e.getMessage()));
        } catch (OutOfMemoryError e) {
            return failed(file, "needs more memory than there is");
        } catch (RuntimeException
                | StackOverflowError
                | InternalError e) { // whatever it is, the others must not suffer
            return failed(file, "failed inside: " + e);
        }
    }

    /**
     * Makes sure that the statements make sense, before thousands of traces are asked.
     *
     * @throws QueryException if a statement is wrong, whatever the trace
     */
    public void check() throws QueryException {
        try (TraceBuilder builder = new TraceBuilder("nothing");
                QuerySession session = open(builder.build())) {
            for (Question question : questions) {
                session.run(question.sql(), _ -> {});
            }
        }
    }

    private Outcome ask(TraceFile file, Trace trace) throws QueryException {
        Labels told = labels.of(file.name());
        Labels its = told.or(Labels.of(trace.machine(), told.app() == null ? app : told.app()));
        Answers answers = new Answers(file.name(), its, limits.rows());
        try (QuerySession session = open(trace)) {
            session.setTimeout(limits.time());
            for (Question question : questions) {
                session.run(question.sql(), rows -> answers.add(question.table(), rows));
            }
        }
        List<Table> tables = new ArrayList<>();
        tables.add(answers.ofTheTrace(file.bytes()));
        tables.addAll(answers.tables());
        return new Outcome(file.name(), file.bytes(), tables, null);
    }

    private QuerySession open(Trace trace) throws QueryException {
        Engine engine = QuerySession.engine(new EngineOptions(limits.engineBytes(), 1, null, null));
        return QuerySession.open(engine, trace);
    }

    /** Messages begin with the file's name, which has a column of its own. */
    private static Outcome failed(TraceFile file, String reason) {
        String prefix = file.path() + ": ";
        String rest = reason.startsWith(prefix) ? reason.substring(prefix.length()) : reason;
        return Outcome.failed(file.name(), file.bytes(), rest);
    }
}
