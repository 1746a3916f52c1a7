package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.record.session.Interval;
import dev.unjank.record.session.Rotation;
import dev.unjank.record.session.TraceFile;
import dev.unjank.trace.Counters;
import dev.unjank.trace.Trace;
import dev.unjank.trace.TraceBuilder;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.trace.read.jfr.JfrChunks;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChunkCopyTest {
    private static final int PID = 100;

    @TempDir
    private Path folder;

    private static Trace chunk() {
        TraceBuilder builder = new TraceBuilder("chunk");
        builder.process(1, PID, 0, builder.intern("app"));
        int lost = builder.newCounterTrack(-1, PID, builder.intern(JfrChunks.LOST), builder.intern("bytes"));
        builder.trackCounter(1_000, lost, 64);
        builder.trackCounter(2_000, lost, 128);
        builder.trackCounter(9_000, lost, 256);
        int heap = builder.newCounterTrack(-1, PID, builder.intern("heap used"), builder.intern("bytes"));
        builder.trackCounter(3_000, heap, 1);
        return builder.build();
    }

    @Test
    void whatFlightRecorderLostIsCountedAndStandsWhereItHappened() throws IOException {
        long now = System.nanoTime();
        Path file = folder.resolve("trace");
        ChunkCopy copy;
        try (TraceFile out = TraceFile.open(file, Rotation.NONE, PID)) {
            out.begin(() -> 0);
            copy = new ChunkCopy(
                    chunk(),
                    NanoLine.at(now, 0),
                    PID,
                    new JavaThreads(PID, out),
                    new Sightings(),
                    new HeldWaits(),
                    new Interval(now + 1_500, now + 5_000));
            copy.to(out);
        }

        assertThat(copy.lost()).as("one of three is in the recording").isEqualTo(1);
        Counters counters = TraceReader.read(file).counters();
        int track = 0;
        while (!counters.name(track).equals(JfrChunks.LOST)) {
            track++;
        }
        assertThat(counters.end(track) - counters.first(track)).isEqualTo(1);
        assertThat(counters.value(counters.first(track))).isEqualTo(128);
    }
}
