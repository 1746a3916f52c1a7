package dev.unjank.trace.read;

import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.common.Parallelism;
import java.io.IOException;
import java.nio.file.Path;

/** Gives tests of other packages a choice of how the reading is divided among threads. */
public final class ParallelReading {
    private ParallelReading() {}

    public static Trace read(Path file, Parallelism parallelism) throws IOException {
        return TraceReader.read(file, parallelism);
    }
}
