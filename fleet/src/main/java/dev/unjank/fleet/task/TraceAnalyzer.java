package dev.unjank.fleet.task;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.fleet.input.TraceFile;
import dev.unjank.fleet.label.TraceLabels;
import dev.unjank.query.Engine;
import dev.unjank.query.EngineOptions;
import dev.unjank.query.QuerySession;
import dev.unjank.query.result.QueryException;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs a task on one trace after another. Between traces it keeps only the empty engine, because starting an engine
 * takes as long as a small trace. Not thread-safe.
 */
public final class TraceAnalyzer implements TraceWorker {
    private final TraceTask task;

    /** Null before the first trace, while in use, and after a failure. */
    private @Nullable Engine engine;

    TraceAnalyzer(TraceTask task) {
        this.task = task;
    }

    /**
     * Analyzes a trace. Never throws because of the trace: the result has its rows, or the reason why there are none.
     */
    @Override
    public TraceResult ask(TraceFile file) {
        TraceResult outcome = outcome(file);
        return outcome.failure() == null ? outcome : TraceResult.orSkipped(file, outcome);
    }

    private TraceResult outcome(TraceFile file) {
        if (file.bytes() > task.limits().bytes()) {
            return failed(file, task.limits().tooLarge(), false);
        }
        try {
            return ask(file, TraceReader.read(file.path(), Runnable::run));
        } catch (QueryException | IOException | ResultRows.UnfitException e) {
            return failed(file, e.getMessage() == null ? e.toString() : e.getMessage(), lacksMemory(e));
        } catch (OutOfMemoryError e) {
            return failed(file, "out of memory", true);
        } catch (RuntimeException | Error e) { // other traces must not be affected
            return failed(file, "internal error: " + e, false);
        }
    }

    private static boolean lacksMemory(Exception e) {
        return e.getCause() instanceof OutOfMemoryError
                || (e instanceof QueryException query && query.kind() == QueryException.Kind.MEMORY);
    }

    private TraceResult ask(TraceFile file, Trace trace) throws QueryException {
        TraceLabels fromFile = task.labels().of(file.name());
        String app = fromFile.app() == null ? task.app() : fromFile.app();
        TraceLabels labels = fromFile.or(TraceLabels.of(trace.machine(), app));
        ResultRows results = new ResultRows(file.name(), labels, task.limits().rows());
        Engine used = engine == null ? engine(task.limits()) : engine;
        engine = null; // not reusable while in use
        QuerySession session = open(used, task, trace);
        boolean ended = false;
        try {
            session.setTimeout(task.limits().time());
            for (TaskQuery question : task.questions()) {
                session.run(question.sql(), rows -> results.add(question.table(), rows));
            }
            ended = true;
        } finally {
            if (ended) {
                engine = session.release();
            } else {
                session.close();
            }
        }
        List<ResultTable> tables = new ArrayList<>();
        tables.add(results.ofTheTrace(file.bytes(), unread(file, trace)));
        tables.addAll(results.tables());
        return new TraceResult(file.name(), file.bytes(), tables, null, false);
    }

    static Engine engine(TraceLimits limits) throws QueryException {
        return QuerySession.engine(new EngineOptions(limits.engineBytes(), 1, null, null));
    }

    static QuerySession open(Engine engine, TraceTask task, Trace trace) {
        Duration least = task.least();
        return least == null
                ? QuerySession.open(engine, trace)
                : QuerySession.open(
                        engine,
                        trace,
                        () -> Doctor.diagnose(trace, DoctorOptions.defaults().withMinDuration(least), Runnable::run));
    }

    private static List<String> unread(TraceFile file, Trace trace) {
        return trace.unreadParts().stream().map(part -> byName(file, part)).toList();
    }

    /** Removes the file's name from the message, since it has its own column. */
    private static TraceResult failed(TraceFile file, String reason, boolean lacksMemory) {
        String prefix = file.name() + ": ";
        String message = byName(file, reason);
        String rest = message.startsWith(prefix) ? message.substring(prefix.length()) : message;
        return TraceResult.failed(file.name(), file.bytes(), rest, lacksMemory);
    }

    /** Replaces the path of an extracted temporary file by the name within the archive. */
    private static String byName(TraceFile file, String message) {
        return message.replace(file.path().toString(), file.name());
    }

    @Override
    public void close() {
        if (engine != null) {
            engine.close();
            engine = null;
        }
    }
}
