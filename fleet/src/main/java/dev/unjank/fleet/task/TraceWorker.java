package dev.unjank.fleet.task;

import dev.unjank.fleet.input.TraceFile;

/** An analyzer of traces, used by one thread. */
@FunctionalInterface
public interface TraceWorker extends AutoCloseable {
    /** Analyzes a trace. */
    TraceResult ask(TraceFile file);

    /** Releases the resources that are kept between traces; called on the same thread. */
    @Override
    default void close() {}
}
