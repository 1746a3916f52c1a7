package dev.unjank.record.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.record.linux.MachineClocks;
import dev.unjank.trace.model.Frames;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.trace.write.FrameTimelineWriter;
import dev.unjank.trace.write.FrameTimelineWriter.SurfaceFrame;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parts of a recording that are put one behind the other. */
class TraceSegmentTest {
    private static final int PID = 4711;

    @TempDir
    private Path folder;

    /** Flight Recorder events come seconds later, so the frames of two parts may lie across each other. */
    @Test
    void framesOfTwoPartsKeepTheirEnds() throws IOException {
        Path file = Files.createFile(folder.resolve("joined"));
        long now = System.nanoTime();
        for (long part = 0; part < 2; part++) {
            try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.APPEND)) {
                TraceSegment segment =
                        new TraceSegment(out, new MachineClocks(), now, () -> now, new TraceMetadata(), PID);
                SurfaceFrame frame = new SurfaceFrame(part + 1, 0, PID, "layer");
                segment.frames()
                        .actualSurfaceFrame(
                                frame, now + 1_000 + part, now + 7_000 + 2_000 * part, FrameTimelineWriter.JANK_NONE);
                segment.close();
            }
        }

        Frames frames = TraceReader.read(file).frames();

        assertThat(frames.size()).isEqualTo(2);
        assertThat(frames.dur(0)).isEqualTo(6_000);
        assertThat(frames.dur(1)).isEqualTo(7_999);
    }
}
