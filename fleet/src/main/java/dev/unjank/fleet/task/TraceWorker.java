package dev.unjank.fleet.task;

import dev.unjank.fleet.input.TraceFile;

/** Analyzes one trace after another, on one thread. */
@FunctionalInterface
public interface TraceWorker extends AutoCloseable {
    /** Analyzes a trace. */
    TraceResult ask(TraceFile file);

    /** Releases what it has kept between traces; called on the same thread. */
    @Override
    default void close() {}
}
