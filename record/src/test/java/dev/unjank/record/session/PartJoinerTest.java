package dev.unjank.record.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The parts of a ring become one file, and at every moment there is something to be read that has nothing twice and no
 * gap.
 */
class PartJoinerTest {
    private static final int PID = 4711;
    private static final int TID = 4712;
    private static final long START = System.nanoTime();
    private static final long STEP = 1_000;

    @TempDir
    private Path folder;

    private Path file;
    private OutputFolder open;
    private PartFile newest;
    private final Deque<PartFile> parts = new ArrayDeque<>();

    /** The parts as a recorder has them before it joins them. */
    @BeforeEach
    void ring() throws IOException {
        file = folder.resolve("ring.pftrace");
        Path written = Files.createDirectory(folder.resolve("written")).resolve("ring.pftrace");
        try (RecordingFile ring = RecordingFile.open(written, new Rotation(80_000, Long.MAX_VALUE), PID)) {
            ring.begin(() -> 0);
            for (int i = 0; i < 5_000; i++) {
                ring.slice(START + i * STEP, START + i * STEP + STEP / 2, PID, TID, "test", "slice");
            }
            open = OutputFolder.open(folder, () -> {});
            for (Path each : ring.files()) {
                String name = each.getFileName().toString();
                Files.copy(each, folder.resolve(name));
                parts.add(PartFile.open(open, name, open.attributes(name).fileKey()));
            }
        }
        newest = parts.removeLast();
        assertThat(newest.name()).isEqualTo(file.getFileName().toString());
        assertThat(parts).hasSize(7);
    }

    @AfterEach
    void close() throws IOException {
        for (PartFile part : parts) {
            part.close();
        }
        newest.close();
        open.close();
    }

    /** How many slices some files have together, which follow each other without a gap. */
    private static int slices(List<Path> files) throws IOException {
        Trace trace = TraceReader.read(files);
        assertThat(trace.warnings()).as(files.toString()).isEmpty();
        Slices slices = trace.slices();
        int utid = trace.threads().find(TID, trace.endNs());
        int first = slices.first(utid);
        for (int row = first; row < slices.end(utid); row++) {
            assertThat(slices.ts(row) - slices.ts(first))
                    .as("slice %d of %s", row - first, files)
                    .isEqualTo((row - first) * STEP);
        }
        return slices.end(utid) - first;
    }

    /** The content after a kill: FILE.part* and FILE. */
    private List<Path> left() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(each ->
                            each.equals(file) || each.getFileName().toString().contains(".part"))
                    .toList();
        }
    }

    private static long sizes(List<Path> files) throws IOException {
        long sum = 0;
        for (Path each : files) {
            sum += Files.size(each);
        }
        return sum;
    }

    @Test
    void whateverAKillLeavesHasNothingTwiceAndNoGap() throws IOException {
        int all = slices(left());
        List<Integer> counts = new ArrayList<>();
        AtomicLong bytes = new AtomicLong();
        long rest = sizes(left()) - parts.getFirst().channel().size();
        new PartJoiner(open, newest, parts, more -> {
                    bytes.addAndGet(more);
                    try {
                        counts.add(slices(left()));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .run();

        assertThat(counts).hasSizeGreaterThan(14).endsWith(all).allMatch(count -> count > 0 && count <= all);
        assertThat(bytes).hasValue(rest);
        assertThat(parts).isEmpty();
        assertThat(left()).containsExactly(file);
        assertThat(folder.resolve("ring.pftrace" + PartJoiner.SUFFIX)).doesNotExist();
    }

    @Test
    void whatCannotBeJoinedIsLeftInParts() throws IOException {
        int all = slices(left());
        parts.stream().skip(2).findFirst().orElseThrow().close();

        assertThatThrownBy(() -> new PartJoiner(open, newest, parts, _ -> {}).run())
                .isInstanceOf(IOException.class);

        List<Path> files = new ArrayList<>();
        for (PartFile part : parts) {
            files.add(folder.resolve(part.name()));
        }
        files.add(file);
        assertThat(files).hasSize(7).containsExactlyInAnyOrderElementsOf(left());
        assertThat(slices(files)).isEqualTo(all);
    }
}
