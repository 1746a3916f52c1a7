package dev.unjank.record.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.trace.read.jfr.JfrChunks;
import dev.unjank.trace.write.TrackWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written is read back, also from parts, and from a file that was not closed. */
class RecordingFileTest {
    private static final long START = System.nanoTime();
    private static final int PID = 4711;
    private static final int TID = 4712;

    @TempDir
    private Path folder;

    private Path file() {
        return folder.resolve("recording.pftrace");
    }

    private RecordingFile create(Rotation rotation) throws IOException {
        RecordingFile created = RecordingFile.open(file(), rotation, PID);
        created.begin(() -> 0);
        created.process(PID, 1, "com.example.Server", true);
        created.kernelThread(PID, TID, "worker-of-the-s");
        created.thread(PID, TID, "worker of the server");
        return created;
    }

    @Test
    void aRingCanBeReadWhileItIsWritten() throws IOException {
        long start = System.nanoTime();
        try (RecordingFile file = create(new Rotation(80_000, Long.MAX_VALUE))) {
            for (int i = 0; i < 5_000; i++) {
                long at = start + i * 10_000L;
                file.slice(at, at + 5_000, PID, TID, "lock", "waits");
            }

            List<Path> files = file.files();
            Trace trace = TraceReader.read(files);

            assertThat(files).hasSize(8).last().isEqualTo(file());
            int utid = trace.threads().find(TID, trace.endNs());
            int last = trace.slices().end(utid) - 1;
            assertThat(trace.slices().ts(last)).isEqualTo(file.traceTime(start + 4_999 * 10_000L));
            assertThat(trace.slices().dur(last)).isEqualTo(5_000);
            assertThat(last - trace.slices().first(utid)).isBetween(500, 4_998);
        }
    }

    @Test
    void aSnapshotSaysSinceWhenItsFilesHaveEverything() throws IOException {
        try (RecordingFile file = create(new Rotation(80_000, Long.MAX_VALUE))) {
            long begun = file.traceTime(file.interval().from());
            assertThat(file.snapshot(0).keptFrom()).isEqualTo(begun);

            for (int i = 0; i < 5_000; i++) {
                file.slice(START + i * 1_000L, START + i * 1_000L + 500, PID, TID, "lock", "waits");
            }

            Recording.Snapshot snapshot = file.snapshot(0);
            Slices oldest = TraceReader.read(snapshot.files().getFirst()).slices();
            assertThat(oldest.name(oldest.firstAsync())).isEqualTo("clocks");
            assertThat(snapshot.keptFrom())
                    .isEqualTo(oldest.ts(oldest.firstAsync()))
                    .isGreaterThan(begun)
                    .isLessThanOrEqualTo(snapshot.takenAt());
        }
    }

    @Test
    void aRingHasEventsHoweverManyNamesThereAre() throws IOException {
        try (RecordingFile file = create(new Rotation(80_000, Long.MAX_VALUE))) {
            for (int tid = 5_000; tid < 7_000; tid++) { // more than a part of the ring takes
                file.thread(PID, tid, "a thread with the number " + tid);
            }
            for (int i = 0; i < 5_000; i++) {
                file.slice(START + i * 1_000L, START + i * 1_000L + 500, PID, TID, "lock", "waits");
            }
        }

        Trace trace = TraceReader.read(file());
        assertThat(slicesOfThread(trace)).isBetween(500, 4_998);
        assertThat(trace.threads().name(trace.threads().find(5_000, trace.endNs())))
                .isEqualTo("a thread with the number 5000");
    }

    /** There may be millions of virtual threads, and their ends are not reported. */
    @Test
    void ofVirtualThreadsThoseAreNamedThatWereLast() throws IOException {
        int first = JfrChunks.FIRST_VIRTUAL;
        try (RecordingFile file = create(new Rotation(80_000, Long.MAX_VALUE))) {
            for (int id = 0; id < 10_000; id++) {
                file.thread(PID, first + id, "virtual " + id);
                file.thread(PID, first, "again and again");
            }
            for (int i = 0; i < 5_000; i++) {
                file.slice(START + i * 1_000L, START + i * 1_000L + 500, PID, TID, "lock", "waits");
            }
        }

        Trace trace = TraceReader.read(file());
        List<String> names = new ArrayList<>();
        for (int utid = 0; utid < trace.threads().size(); utid++) {
            if (trace.threads().tid(utid) >= first) {
                names.add(trace.threads().name(utid));
            }
        }
        assertThat(names).hasSizeLessThan(2_000).contains("again and again", "virtual 9999");
    }

    @Test
    void whatIsWrittenIsReadBack() throws IOException {
        long start = System.nanoTime();
        try (RecordingFile file = create(Rotation.NONE)) {
            file.slice(start + 1_000, start + 9_000, PID, TID, "lock", "waits");
            file.write(to -> to.counter(start + 5_000, PID, -1, "heap", TrackWriter.Unit.SIZE_BYTES, 42));
            file.source(SourceAvailability.off("nothing", "not here", null));
        }

        Trace trace = TraceReader.read(file());

        assertThat(trace.warnings()).isEmpty();
        int utid = trace.threads().find(TID, trace.endNs());
        assertThat(trace.threads().name(utid)).isEqualTo("worker of the server");
        int upid = trace.threads().upid(utid);
        assertThat(trace.processes().name(upid)).isEqualTo("com.example.Server");
        assertThat(trace.processes().isJvm(upid)).isTrue();
        int waits = trace.slices().first(utid);
        assertThat(trace.slices().name(waits)).isEqualTo("waits");
        assertThat(trace.slices().category(waits)).isEqualTo("lock");
        assertThat(trace.slices().dur(waits)).isEqualTo(8_000);
        assertThat(trace.counters().size()).isEqualTo(1);
        assertThat(notes(trace)).contains("clocks", "source: nothing");
        int off = trace.slices().firstAsync() + notes(trace).indexOf("source: nothing");
        int arg = trace.args().first(off);
        assertThat(trace.args().key(arg)).isEqualTo("debug.state");
        assertThat(trace.args().text(arg)).isEqualTo("off");
        assertThat(trace.args().text(arg + 1)).isEqualTo("not here");
    }

    /** What the recording says of itself. */
    private static List<String> notes(Trace trace) {
        List<String> notes = new ArrayList<>();
        for (int row = trace.slices().firstAsync(); row < trace.slices().size(); row++) {
            notes.add(trace.slices().name(row));
        }
        return notes;
    }

    @Test
    void aFileThatWasNotClosedCanBeRead() throws IOException {
        Path copy = folder.resolve("copy.pftrace");
        try (RecordingFile file = create(Rotation.NONE)) {
            file.slice(System.nanoTime(), System.nanoTime(), PID, TID, "lock", "waits");
            file.flush();
            Files.copy(file(), copy);
        }

        Trace trace = TraceReader.read(copy);

        assertThat(trace.warnings()).isEmpty();
        assertThat(trace.slices().end(trace.threads().find(TID, trace.endNs()))).isEqualTo(1);
    }

    @Test
    void aRingKeepsTheLastPartAndTheNames() throws IOException {
        Rotation ring = Rotation.ofBytes(1 << 20);
        int slices = 100_000;
        try (RecordingFile file = create(ring)) {
            file.source(SourceAvailability.off("nothing", "not here", null));
            for (int i = 0; i < slices; i++) {
                file.slice(START + i * 1_000L, START + i * 1_000L + 500, PID, TID, "test", "slice " + i % 10);
            }
        }

        Trace trace = TraceReader.read(file());

        assertThat(Files.size(file())).isBetween(ring.bytes() / 2, ring.bytes() + (1 << 18));
        assertThat(parts()).isEmpty();
        assertThat(trace.warnings()).isEmpty();
        int utid = trace.threads().find(TID, trace.endNs());
        assertThat(trace.threads().name(utid)).isEqualTo("worker of the server");
        assertThat(trace.processes().isJvm(trace.threads().upid(utid))).isTrue();
        Slices rows = trace.slices();
        int first = rows.first(utid);
        int end = rows.end(utid);
        assertThat(end - first).isBetween(1_000, slices - 1_000);
        assertThat(notes(trace)).contains("clocks", "source: nothing");
        for (int row = first; row < end; row++) {
            assertThat(rows.dur(row)).isEqualTo(500);
            assertThat(rows.ts(row) - rows.ts(first)).isEqualTo((row - first) * 1_000L);
        }
    }

    @Test
    void aRingOfTimeKeepsItsTimeHoweverLongItTakesToEnd() throws IOException {
        long kept = 70_000_000;
        long recorded;
        try (RecordingFile file = create(new Rotation(Long.MAX_VALUE, kept))) {
            file.begin(() -> 16);
            assertThat(file.droppedEvents()).isZero();
            writeFor(3 * kept, file);
            file.end();
            long nanos = file.nanos();
            assertThat(nanos).isGreaterThanOrEqualTo(kept);

            writeFor(3 * kept, file);

            assertThat(file.nanos()).isEqualTo(nanos);
            recorded = nanos;
        }
        Trace trace = TraceReader.read(file());
        int ring = trace.slices().firstAsync() + notes(trace).indexOf("ring");
        assertThat(trace.args().number(ring, "debug.events dropped", 0)).isEqualTo(16);
        assertThat(trace.args().number(ring, "debug.kept ns", 0)).isEqualTo(recorded);
    }

    private static void writeFor(long nanos, RecordingFile file) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < nanos) {
            LockSupport.parkNanos(1_000_000);
            file.slice(start, start + 1, PID, TID, "test", "slice");
        }
    }

    @Test
    void whatAKilledRingLeavesCanBeReadTogether() throws IOException {
        List<Path> left = new ArrayList<>();
        Path copies = Files.createDirectory(folder.resolve("copies"));
        int slices = 100_000;
        try (RecordingFile file = create(Rotation.ofBytes(1 << 20))) {
            for (int i = 0; i < slices; i++) {
                file.slice(START + i * 1_000L, START + i * 1_000L + 500, PID, TID, "test", "slice");
            }
            file.flush();
            for (Path part : parts()) {
                left.add(Files.copy(part, copies.resolve(part.getFileName().toString())));
            }
            left.add(Files.copy(file(), copies.resolve("last")));
        }

        Trace together = TraceReader.read(left);
        Trace joined = TraceReader.read(file());

        assertThat(left).hasSizeGreaterThan(5);
        assertThat(slicesOfThread(together)).isPositive().isEqualTo(slicesOfThread(joined));
        for (Path part : left) {
            assertThat(TraceReader.read(part).warnings()).as(part.toString()).isEmpty();
        }
    }

    private static int slicesOfThread(Trace trace) {
        int utid = trace.threads().find(TID, trace.endNs());
        return trace.slices().end(utid) - trace.slices().first(utid);
    }

    @Test
    void partsThatCannotBeJoinedAreLeftAsTheyAre() throws IOException {
        RecordingFile file = create(Rotation.ofBytes(1 << 20));
        for (int i = 0; i < 100_000; i++) {
            file.slice(START + i * 1_000L, START + i * 1_000L + 500, PID, TID, "test", "slice");
        }
        assertThat(file.files()).hasSize(8);
        Path newest = Files.move(file(), folder.resolve("newest"));
        Files.createDirectory(file()); // in the way of what is joined

        assertThatThrownBy(file::close)
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "the parts could not be joined: " + file() + ": another program has replaced or removed it");

        assertThat(file.failure()).isNotNull();
        Files.delete(file());
        Files.move(newest, file());
        assertThat(file.files()).hasSize(2).endsWith(file()).allMatch(Files::isRegularFile);
        assertThat(parts()).hasSize(1);
        assertThat(TraceReader.read(file.files()).warnings()).isEmpty();
    }

    @Test
    void aThreadThatHasGoneIsNotNamedInLaterParts() throws IOException {
        try (RecordingFile file = create(Rotation.ofBytes(1 << 20))) {
            file.thread(PID, 5000, "short-lived");
            file.gone(5000);
            file.gone(5001);
            file.thread(PID, 5001, "named after its end");
            file.gone(5002);
            file.kernelThread(PID, 5002, "another");
            file.thread(PID, 5002, "another of the same number");
            for (int i = 0; i < 100_000; i++) {
                file.slice(START + i * 1_000L, START + i * 1_000L + 500, PID, TID, "test", "slice");
            }
        }

        Trace trace = TraceReader.read(file());

        assertThat(trace.threads().find(5000, trace.endNs())).isNegative();
        assertThat(trace.threads().find(5001, trace.endNs())).isNegative();
        assertThat(trace.threads().name(trace.threads().find(5002, trace.endNs())))
                .isEqualTo("another of the same number");
    }

    @Test
    void lossIsInTheTrace() throws IOException {
        try (RecordingFile file = create(Rotation.NONE)) {
            file.lost("flight recorder", 3);
            file.lost("flight recorder", 4);
        }

        Trace trace = TraceReader.read(file());

        assertThat(trace.warnings()).anyMatch(warning -> warning.contains("lost"));
        assertThat(trace.counters().size()).isEqualTo(2);
        int row = trace.counters().first(0);
        assertThat(trace.counters().value(row)).isEqualTo(3);
        assertThat(trace.counters().value(row + 1)).isEqualTo(7);
    }

    @Test
    void severalSourcesWriteAtOnce() throws Exception {
        int each = 2_000;
        try (RecordingFile file = create(Rotation.ofBytes(8 << 20))) {
            List<Thread> sources = new ArrayList<>();
            for (int s = 0; s < 4; s++) {
                int tid = 100 + s;
                sources.add(Thread.ofPlatform().start(() -> {
                    file.thread(PID, tid, "thread " + tid);
                    for (int i = 0; i < each; i++) {
                        file.slice(START + i * 10L, START + i * 10L + 5, PID, tid, "test", "slice " + i % 100);
                    }
                }));
            }
            for (Thread source : sources) {
                source.join();
            }
        }

        Trace trace = TraceReader.read(file());

        assertThat(trace.warnings()).isEmpty();
        for (int tid = 100; tid < 104; tid++) {
            int utid = trace.threads().find(tid, trace.endNs());
            assertThat(trace.slices().end(utid) - trace.slices().first(utid)).isEqualTo(each);
        }
    }

    @Test
    void aFullDiskLeavesWhatWasThere() throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", disk.toString()) == 0,
                "a small disk cannot be made here");
        try {
            Path full = Files.writeString(disk.resolve("full.pftrace"), "yesterday's");

            assertThatThrownBy(() -> {
                        try (RecordingFile file = RecordingFile.open(full, Rotation.NONE, PID)) {
                            file.begin(() -> 0);
                        }
                    })
                    .isInstanceOf(IOException.class)
                    .hasMessage(full + ": No space left on device");

            assertThat(full).hasContent("yesterday's");
            try (Stream<Path> left = Files.list(disk)) {
                assertThat(left).containsExactly(full);
            }
        } finally {
            assertThat(run("umount", disk.toString())).isZero();
        }
    }

    @Test
    void whatFailsLaterEndsTheFileAndKeepsWhatWasWritten() throws IOException {
        RecordingFile file = RecordingFile.open(file(), Rotation.ofBytes(1 << 20), PID);
        file.begin(() -> 0);
        Path kept = Files.move(file(), folder.resolve("kept"));

        for (int i = 0; i < 100_000 && file.failure() == null; i++) {
            file.slice(START + i * 1_000L, START + i * 1_000L + 500, PID, TID, "test", "slice");
        }

        assertThat(file.failure()).hasMessage(file() + ": another program has replaced or removed it");
        file.slice(0, 1, PID, TID, "test", "dropped"); // and no source fails
        assertThatThrownBy(file::close).isInstanceOf(IOException.class);
        assertThat(TraceReader.read(kept).slices().size()).isPositive();
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactly(kept);
        }
    }

    /** It takes three files, or what is in four parts; in one of the next the names are no more written. */
    @ParameterizedTest
    @ValueSource(strings = {"nr_inodes=4", "size=48k"})
    void aDiskThatTakesNoFurtherPartHasTheLastOneWhereItIsSaidToBe(String limit) throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", limit, "tmpfs", disk.toString()) == 0,
                "a small disk cannot be made here");
        try {
            Path ring = disk.resolve("ring.pftrace");
            RecordingFile file = RecordingFile.open(ring, new Rotation(80_000, Long.MAX_VALUE), PID);
            file.begin(() -> 0);
            file.thread(PID, TID, "worker");
            for (int i = 0; i < 5_000 && file.failure() == null; i++) {
                file.slice(i * 1_000L, i * 1_000L + 500, PID, TID, "lock", "waits");
            }

            assertThat(file.failure()).hasMessageEndingWith("No space left on device");
            assertThat(file.files()).hasSizeGreaterThan(2);
            int slices = slicesOfThread(TraceReader.read(file.files()));
            assertThat(slices).isGreaterThan(500);
            assertThat(file.bytes()).isEqualTo(sizes(file.files()));
            assertThatThrownBy(file::close).hasMessageContaining("No space left on device");
            assertThat(file.files()).endsWith(ring);
            assertThat(slicesOfThread(TraceReader.read(file.files()))).isEqualTo(slices);
        } finally {
            assertThat(run("umount", disk.toString())).isZero();
        }
    }

    private static long sizes(List<Path> files) throws IOException {
        long sum = 0;
        for (Path each : files) {
            sum += Files.size(each);
        }
        return sum;
    }

    private static int run(String... command) throws Exception {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    private List<Path> parts() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(path -> path.getFileName().toString().contains(".part"))
                    .sorted()
                    .toList();
        }
    }
}
