package dev.unjank.trace.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.unjank.scene.ArtContention;
import dev.unjank.scene.LauncherExample;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneProcess;
import dev.unjank.scene.SceneThread;
import dev.unjank.scene.TraceInvariants;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.write.AtraceMarks;
import dev.unjank.trace.write.WireFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * For any bytes the reader returns a trace with consistent tables, or throws an exception with one line. Without the
 * long profile only the seeds are tried.
 */
@Tag("long")
class TraceReaderFuzzTest {
    @TempDir
    private static Path dir;

    private static Path file;

    @BeforeAll
    static void nameFile() {
        file = dir.resolve("fuzzed.pftrace");
    }

    static Stream<Arguments> seeds() throws IOException {
        Stream<byte[]> scenes = Stream.of(LauncherExample.scene(), oneOfEach())
                .flatMap(scene -> Stream.of(WireFormat.PLAIN, WireFormat.COMPACT, WireFormat.COMPRESSED)
                        .map(scene::toBytes));
        return Stream.concat(scenes, Stream.of(DamagedTraceTest.trackEvents()))
                .map(bytes -> Arguments.of((Object) bytes));
    }

    /** A scene with one event of each kind, as small as possible, as a seed for the fuzzer. */
    private static Scene oneOfEach() {
        Scene scene = new Scene();
        SceneProcess app = scene.process(10, "app");
        SceneThread main = app.mainThread("main", 110);
        SceneThread child = app.thread(11, "child", 120);
        SceneThread stranger = scene.process(20, "stranger").mainThread("stranger", 120);
        main.begin("slice").runs(0, 10).spawns(child).prints(AtraceMarks.asyncBegin(10, "async", 1));
        main.runs(0, 20)
                .spawns(stranger)
                .prints(AtraceMarks.asyncEnd(10, "async", 1))
                .runs(0, 100)
                .end();
        main.prints(AtraceMarks.counter(10, "counter", -7)).prints(AtraceMarks.instant(10, "instant"));
        main.prints(AtraceMarks.instantOnTrack(10, "track", "instant"))
                .renames("renamed")
                .priority(130);
        main.blocksOn(ArtContention.heldBy(child))
                .sleepsUninterruptibly(200, true, "function")
                .wokenBy(child);
        main.runnable(210).acquires().runs(0, 300);
        child.runnable(30).runs(1, 400).exits();
        stranger.runnable(40).runs(2, 50).runnable(60).runs(2, 70);
        app.frame("layer", 10, 20, 30, 64);
        scene.dataLoss(0, 290);
        return scene;
    }

    @MethodSource("seeds")
    @FuzzTest(maxDuration = "60s")
    void anyBytesAreReadOrRefused(byte[] bytes) throws IOException {
        if (bytes == null) {
            return;
        }
        Files.write(file, bytes);
        try {
            Trace trace = TraceReader.read(file);
            TraceInvariants.check(trace);
        } catch (UnusableTraceException e) {
            assertThat(e.getMessage()).isNotBlank().doesNotContain("\n");
        }
    }
}
