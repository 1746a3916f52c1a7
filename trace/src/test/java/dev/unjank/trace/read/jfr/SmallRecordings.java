package dev.unjank.trace.read.jfr;

import dev.unjank.fixture.jfr.JfrChunkWriter;
import dev.unjank.fixture.jfr.JfrTestRecordings;
import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.Trace;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Reads small recordings and prints their slices. */
final class SmallRecordings {
    private SmallRecordings() {}

    static Trace read(byte[] bytes) {
        return read(new EarlierChunkThreads(), bytes);
    }

    static Trace read(EarlierChunkThreads earlier, byte[] bytes) {
        TraceBuilder builder = new TraceBuilder("test.jfr");
        JfrReader.read(MemorySegment.ofArray(bytes), builder, earlier);
        return builder.build();
    }

    static Trace read(JfrChunkWriter chunk) {
        return read(chunk.toByteArray());
    }

    /** The slices of all threads and of the process, as text: thread or -, start and duration in microseconds, name. */
    static List<String> slices(Trace trace) {
        List<String> texts = new ArrayList<>();
        IntStream.range(0, trace.slices().size()).forEach(row -> {
            int utid = trace.slices().utid(row);
            texts.add((utid < 0 ? "-" : trace.threads().name(utid))
                    + " " + (trace.slices().ts(row) - JfrTestRecordings.START_NS) / 1_000
                    + "+" + trace.slices().dur(row) / 1_000
                    + " " + trace.slices().name(row));
        });
        return texts;
    }
}
