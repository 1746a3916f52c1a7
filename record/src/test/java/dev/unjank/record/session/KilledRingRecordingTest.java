package dev.unjank.record.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A kill leaves the files as they are at some moment. Here the files are read after each change that a recorder makes
 * to them, on a clock of the test's own. One source reports each event at once, another as late as the kernel's source
 * does.
 */
class KilledRingRecordingTest {
    private static final int PID = 4711;
    private static final int PROMPT = 4712;
    private static final int LATE_ONE = 4713;
    private static final long TICK = 10_000_000;
    private static final long FLUSH_EVERY = 200_000_000;
    private static final long LATE = 333_000_000;

    @TempDir
    private Path folder;

    private final long start = System.nanoTime();
    private long now = start;
    private long flushed = start;
    private int moments;

    private Path file() {
        return folder.resolve("ring.pftrace");
    }

    /** What a user is left with: FILE.part*, FILE, and FILE.joined if the kill came while they were joined. */
    private List<Path> left() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(each -> !each.getFileName().toString().contains(".new"))
                    .toList();
        }
    }

    /** The begins of a thread's slices in the files, since the start of the test. */
    private NavigableSet<Long> begins(Trace trace, int tid, RecordingFile ring) {
        NavigableSet<Long> begins = new TreeSet<>();
        int utid = trace.threads().find(tid, trace.endNs());
        if (utid >= 0) {
            Slices slices = trace.slices();
            for (int row = slices.first(utid); row < slices.end(utid); row++) {
                begins.add(slices.ts(row) - ring.traceTime(start));
            }
        }
        return begins;
    }

    private void write(RecordingFile ring) {
        slice(ring, now, PROMPT);
        if (now - LATE >= start) {
            slice(ring, now - LATE, LATE_ONE);
        }
        if (now - flushed >= FLUSH_EVERY) {
            long time = now;
            ring.flush();
            flushed = time;
        }
    }

    private static void slice(RecordingFile ring, long begin, int tid) {
        ring.slice(begin, begin + TICK / 2, PID, tid, "test", "slice");
    }

    /**
     * All that happened in the ring's time before the last flush is there, as far as all of it was reported by then.
     */
    private void assertKept(RecordingFile ring, long nanos) {
        moments++;
        long until = flushed - start - LATE;
        if (until <= 2 * TICK) {
            return;
        }
        try {
            Trace trace = TraceReader.read(left());
            assertThat(trace.warnings()).isEmpty();
            for (int tid : new int[] {PROMPT, LATE_ONE}) {
                NavigableSet<Long> begins = begins(trace, tid, ring);
                long before = begins.first() - TICK;
                for (long begin : begins) {
                    assertThat(begin - before).as("the slices at %d", begin).isEqualTo(TICK);
                    before = begin;
                }
                assertThat(begins.first()).isLessThanOrEqualTo(Math.max(0, until - nanos) + TICK);
                assertThat(begins.last()).isGreaterThan(until - TICK);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aRingOfTimeHasItsTimeAtEveryMoment(int seconds) throws IOException {
        Duration time = Duration.ofSeconds(seconds);
        RecordingFile[] ring = new RecordingFile[1];
        boolean[] hasBegun = new boolean[1];
        ring[0] = RecordingFile.open(file(), Rotation.ofTime(time), PID, () -> now, () -> {
            if (hasBegun[0]) {
                assertKept(ring[0], time.toNanos());
            }
        });
        try (RecordingFile open = ring[0]) {
            open.process(PID, 1, "com.example.Server", true);
            open.thread(PID, PROMPT, "reported at once");
            open.thread(PID, LATE_ONE, "reported late");
            open.begin(() -> 0);
            hasBegun[0] = true;
            for (int i = 0; i < 900 * seconds; i++) {
                now += TICK;
                write(open);
            }
            open.end();
        }
        assertThat(moments).isGreaterThan(100);
        assertThat(left()).containsExactly(file());
        assertKept(ring[0], time.toNanos());
    }

    @Test
    void aRingOfBytesHasSevenEighthsOfThemAtEveryMoment() throws IOException {
        long bytes = Rotation.LEAST_BYTES;
        boolean[] isFull = new boolean[1];
        long[] least = {Long.MAX_VALUE};
        Runnable changed = () -> {
            try {
                long sum = 0;
                for (Path each : left()) {
                    sum += Files.size(each);
                }
                isFull[0] |= sum >= bytes / 8 * 7;
                least[0] = isFull[0] ? Math.min(least[0], sum) : least[0];
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
        try (RecordingFile ring = RecordingFile.open(file(), Rotation.ofBytes(bytes), PID, () -> now, changed)) {
            ring.begin(() -> 0);
            for (int i = 0; i < 200_000; i++) {
                now += 1_000;
                ring.slice(now, now + 500, PID, PROMPT, "test", "slice " + i % 1_000);
            }
            assertThat(ring.files()).hasSize(8);
        }
        assertThat(least[0]).isBetween(bytes / 8 * 7, bytes);
    }
}
