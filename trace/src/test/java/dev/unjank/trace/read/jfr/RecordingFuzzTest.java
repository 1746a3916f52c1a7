package dev.unjank.trace.read.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.unjank.fixture.jfr.ChunkWriter;
import dev.unjank.fixture.jfr.Chunks;
import dev.unjank.trace.Trace;
import dev.unjank.trace.TraceInvariants;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever bytes follow one another, what is read of them as a recording hangs together. */
@Tag("long")
class RecordingFuzzTest {

    static Stream<Arguments> seeds() {
        ChunkWriter killed = Chunks.information(Chunks.chunk()).checkpoint().metadata();
        Chunks.park(killed, Chunks.MAIN, 0, 5).killed();
        return Stream.of(Chunks.example(), killed.toByteArray()).map(bytes -> Arguments.of((Object) bytes));
    }

    @MethodSource("seeds")
    @FuzzTest(maxDuration = "60s")
    void whatIsReadHoldsTogether(byte[] bytes) {
        Trace trace = ReadChunks.read(bytes);
        TraceInvariants.check(trace);
        assertThat(trace.warnings()).noneMatch(line -> line.contains("\n"));
    }
}
