package dev.unjank.trace.read.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.unjank.fixture.jfr.JfrChunkWriter;
import dev.unjank.fixture.jfr.JfrTestRecordings;
import dev.unjank.scene.TraceInvariants;
import dev.unjank.trace.model.Trace;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** For any bytes, the tables read from a recording are consistent. */
@Tag("long")
class RecordingFuzzTest {

    static Stream<Arguments> seeds() {
        JfrChunkWriter killed = JfrTestRecordings.information(JfrTestRecordings.chunk())
                .checkpoint()
                .metadata();
        JfrTestRecordings.park(killed, JfrTestRecordings.MAIN, 0, 5).killed();
        return Stream.of(JfrTestRecordings.example(), killed.toByteArray()).map(bytes -> Arguments.of((Object) bytes));
    }

    @MethodSource("seeds")
    @FuzzTest(maxDuration = "60s")
    void readTablesAreConsistent(byte[] bytes) {
        Trace trace = SmallRecordings.read(bytes);
        TraceInvariants.check(trace);
        assertThat(trace.warnings()).noneMatch(line -> line.contains("\n"));
    }
}
