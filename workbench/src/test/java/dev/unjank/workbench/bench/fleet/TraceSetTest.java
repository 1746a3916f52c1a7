package dev.unjank.workbench.bench.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.unjank.scene.LauncherExample;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.workbench.bench.fleet.FleetBenchmark.Asked;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceSetTest {

    @TempDir
    private Path folder;

    private TraceSet set(double share) throws IOException {
        return new TraceSet(List.of(Files.write(folder.resolve("source.pftrace"), LauncherExample.trace())), share);
    }

    @Test
    void aTraceOfTheSetIsAlwaysTheSameAndUnlikeTheOthers() throws IOException {
        assertThat(set(0.5).trace(5)).isEqualTo(set(0.5).trace(5)).isNotEqualTo(set(0.5).trace(6));
    }

    @Test
    void theAppsHaveOtherNamesAsLongAsTheirOwn() throws IOException {
        Path file = Files.write(folder.resolve("t.pftrace"), set(1).trace(37));

        Trace trace = TraceReader.read(file);

        assertThat(IntStream.range(0, trace.processes().size()).mapToObj(trace.processes()::name))
                .contains("com.android.launche11")
                .doesNotContain("com.android.launcher3");
    }

    @Test
    void withoutRealTracesTheExampleIsRepeatedUntilItIsAsLarge() throws IOException {
        byte[] bytes = TraceSet.ofExample(folder, 300_000).trace(3);
        Trace trace = TraceReader.read(Files.write(folder.resolve("t.pftrace"), bytes));
        Trace example = TraceReader.read(Files.write(folder.resolve("example"), LauncherExample.trace()));

        assertThat((long) bytes.length).isCloseTo(300_000, withinPercentage(3));
        assertThat(trace.unreadParts()).isEmpty();
        assertThat(trace.slices().size())
                .isGreaterThan(bytes.length
                        / LauncherExample.trace().length
                        * (example.slices().size() - 3));
    }

    @Test
    void aSetIsAFolderForEachThousand() throws IOException {
        Path set = Files.createDirectory(folder.resolve("set"));

        long bytes = set(0.3).write(set, 1_001);

        assertThat(set(0.3).bytes(1_001)).isCloseTo(bytes, withinPercentage(25));
        try (Stream<Path> files = Files.walk(set)) {
            assertThat(files.filter(Files::isRegularFile)
                            .mapToLong(file -> file.toFile().length())
                            .sum())
                    .isEqualTo(bytes);
        }
        assertThat(set.resolve("001/t001000.pftrace")).exists();
        Path few = TraceSet.firstOf(set, 2, folder.resolve("few"));
        assertThat(few.resolve("000/t000001.pftrace")).hasSameBinaryContentAs(set.resolve("000/t000001.pftrace"));
        assertThat(few.resolve("000/t000002.pftrace")).doesNotExist();
    }

    @Test
    void aSetThatHasNoRoomIsNotBegun() {
        Path within = folder.resolve("bench");

        assertThatCode(() -> FleetBenchmark.requireRoom(within, 2_000_000_000, 2_000_000_000))
                .doesNotThrowAnyException();
        assertThatIOException()
                .isThrownBy(() -> FleetBenchmark.requireRoom(within, 2_000_000_000, 1_900_000_000))
                .withMessageStartingWith(folder + ": the traces need 2.0 GB, but only 1.9 GB are free;");
    }

    @Test
    void whatStartingCostsIsNoPartOfAnOverhead() {
        FleetTable table = new FleetTable(2);

        table.overhead(
                "pool",
                1.1,
                new Asked(100, 3, 3, 0),
                new Asked(400, 6, 6, 0),
                new Asked(100, 9, 9, 0),
                new Asked(400, 12, 12, 0));
        table.growth(new Asked(100, 0.1, 3, 0), new Asked(200, 0.1, 4, 0), new Asked(400, 0.1, 8, 0));
        table.memory(new Asked(100, 3, 3, 100), new Asked(400, 6, 6, 110));
        table.unmeasured("Spark", "<= 1.5", "with --spark");
        table.rate(new Asked(100, 3, 3, 0), new Asked(400, 8, 8, 0), 3e6);

        assertThat(table.lines())
                .satisfiesExactly(
                        title -> assertThat(title).startsWith("target"),
                        line -> assertThat(line).contains("<= 1.1", "1.00", "yes"),
                        line -> assertThat(line).contains("<= 1.1", "2.00", "no"),
                        line -> assertThat(line).contains("<= 1.2", "1.10", "yes"),
                        line -> assertThat(line).contains("<= 1.5", "with --spark"),
                        line -> assertThat(line).contains(">= 20", "30.00", "yes"));
    }
}
