package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.record.session.RecordingFile;
import dev.unjank.record.session.Rotation;
import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeferredGcWaitsTest {
    private static final int PID = 100;
    private static final String WAIT = "GC: Wait For Start Alloc";

    @TempDir
    private Path folder;

    private final DeferredGcWaits held = new DeferredGcWaits();

    /** A chunk with a pause, or without one. */
    private static Trace chunk(long pauseNs) {
        TraceBuilder builder = new TraceBuilder("chunk");
        builder.kernel().process(1, PID, 0, builder.intern("app"));
        builder.unmodeledEvent(1);
        if (pauseNs > 0) {
            int track = builder.tracks().newTrack(-1, PID);
            builder.tracks().trackBegin(pauseNs, track, builder.intern("gc"), builder.intern("GC pause: SerialOld"));
            builder.tracks().trackEnd(pauseNs + 10, track);
        }
        return builder.build();
    }

    @Test
    void aWaitEndsWithTheNextCollectionThatALaterChunkHas() throws IOException {
        long now = System.nanoTime();
        JfrClockConverter clock = JfrClockConverter.at(now, 0);
        Path file = folder.resolve("trace");
        try (RecordingFile out = RecordingFile.open(file, Rotation.NONE, PID)) {
            out.begin(() -> 0);
            held.hold(101, now + 1_000, "gc", WAIT);
            held.settle(chunk(0), clock, PID, out);
            held.settle(chunk(500), clock, PID, out);
            held.settle(chunk(9_000), clock, PID, out);
            held.hold(102, now + 20_000, "gc", WAIT);
            held.writeOpen(PID, out);
        }
        Slices slices = TraceReader.read(file).slices();
        List<String> found = new ArrayList<>();
        for (int row = 0; row < slices.size(); row++) {
            if (slices.name(row).equals(WAIT)) {
                found.add(slices.utid(row) >= 0 && slices.isOpen(row) ? "open" : "" + slices.dur(row));
            }
        }
        assertThat(found).containsExactlyInAnyOrder("8000", "open");
    }
}
