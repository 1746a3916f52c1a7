package dev.unjank.trace.convert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.scene.LauncherExample;
import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.Args;
import dev.unjank.trace.model.Counters;
import dev.unjank.trace.model.DataLoss;
import dev.unjank.trace.model.JankType;
import dev.unjank.trace.model.PresentType;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.TraceNote;
import dev.unjank.trace.proto.ThreadLife;
import dev.unjank.trace.read.RealRecordingFiles;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Converted traces are read back unchanged: random models, scenes, and recordings of real programs. */
class PerfettoConverterTest {
    private static final long WALL_CLOCK = 1_700_000_000_000_000_000L;
    private static final long BOOT_CLOCK = 5_000_000_000L;

    @TempDir
    private Path folder;

    private Trace converted(Trace trace) throws IOException {
        Path file = folder.resolve("converted.pftrace");
        try (OutputStream out = Files.newOutputStream(file)) {
            PerfettoConverter.write(trace, out);
        }
        return TraceReader.read(file);
    }

    /** Prints only the differences: there may be many lines. */
    private static void assertSame(Trace model, Trace converted) {
        List<String> expected = TraceDump.of(model);
        List<String> actual = TraceDump.of(converted);
        if (actual.equals(expected)) {
            return;
        }
        List<String> missing = new ArrayList<>(expected);
        actual.forEach(missing::remove);
        List<String> tooMuch = new ArrayList<>(actual);
        expected.forEach(tooMuch::remove);
        assertThat(missing).as("missing; too much: %s", tooMuch).isEmpty();
        assertThat(tooMuch).as("too much").isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void slicesAndCountersAreReadBack(long seed) throws IOException {
        Trace model = new RandomModel(new Random(seed)).build();

        Trace converted = converted(model);

        assertThat(converted.warnings()).isEmpty();
        assertSame(model, converted);
        assertThat(converted.startNs()).isEqualTo(model.startNs());
    }

    @Test
    void countersOfCpusStayApart() throws IOException {
        TraceBuilder builder = new TraceBuilder("rates");
        int name = builder.intern(Counters.CPU_FREQUENCY);
        builder.rareKernel().cpuCounter(1_000, 0, name, 300_000);
        builder.rareKernel().cpuCounter(2_000, 4, name, 1_800_000);

        Trace model = builder.build();
        Trace converted = converted(model);

        assertSame(model, converted);
        Counters counters = converted.counters();
        assertThat(List.of(counters.cpu(0), counters.cpu(1))).containsExactlyInAnyOrder(0, 4);
    }

    @Test
    void warningsAndDurationArePreserved() throws IOException {
        TraceBuilder builder = new TraceBuilder("warned");
        builder.kernel().process(1_000, 1, 0, -1);
        builder.kernel().nameThread(1_000, 10, 1, builder.intern("worker"));
        int track = builder.tracks().newTrack(10, 1);
        builder.tracks().trackBegin(2_000, track, builder.intern(""), builder.intern("work"));
        builder.tracks().trackEnd(3_000, track);
        builder.unmodeledEvent(9_000);
        builder.warn(TraceNote.of("noScheduler"));
        Trace model = builder.build();

        Trace converted = converted(model);

        assertSame(model, converted);
        assertThat(converted.endNs() - converted.startNs()).isEqualTo(model.endNs() - model.startNs());
        assertThat(converted.processes().name(0)).isNull();
        assertThat(TraceNote.sentences(ConversionNotes.warnings(converted)))
                .containsExactly(TraceNote.of("noScheduler").sentence());
        assertThat(ConversionNotes.warnings(model)).isEmpty();
    }

    @Test
    void inheritedPrioritiesArePreserved() throws IOException {
        TraceBuilder builder = new TraceBuilder("loans");
        builder.kernel().process(1_000, 1, 0, builder.intern("process"));
        builder.kernel().nameThread(1_000, 10, 1, builder.intern("holder"));
        builder.rareKernel().inheritedPriority(2_000, 10, 120, 98);
        builder.rareKernel().inheritedPriority(3_000, 10, 98, 120);
        builder.rareKernel().inheritedPriority(4_000, 10, 120, 98);
        builder.rareKernel().inheritedPriority(4_500, 10, 98, 90);
        builder.rareKernel().inheritedPriority(5_000, 10, 90, 120);
        builder.rareKernel().inheritedPriority(6_000, 10, 120, 97);
        builder.rareKernel().cpuCounter(9_000, 0, builder.intern(Counters.CPU_FREQUENCY), 300_000);
        Trace model = builder.build();
        assertThat(model.inheritedPriorities().size()).isEqualTo(4);

        assertSame(model, converted(model));
    }

    /** Thread 20 sleeps three times; its second wakeup is missing, which is a loss if all wakeups were recorded. */
    @ParameterizedTest
    @CsvSource({"0, 1", "1, 0", "20, 1"})
    void whetherWakeupsOfOtherProcessesAreMissingIsReadBack(int recorded, int doubtful) throws IOException {
        TraceBuilder builder = new TraceBuilder("wakeups");
        int name = builder.intern("a");
        builder.kernel().javaProcess(1, 1, name);
        builder.kernel().process(1, 20, 0, name);
        if (recorded > 0) {
            builder.kernel().wakeupsOnlyOf(recorded);
        }
        builder.kernel().schedSwitch(1_000, 1, 0, name, 120, SchedState.RUNNABLE, 10, name, 120);
        builder.kernel().schedSwitch(1_000, 0, 0, name, 120, SchedState.RUNNABLE, 20, name, 120);
        for (int at : List.of(2_000, 3_000, 4_000)) {
            builder.kernel().schedSwitch(at, 0, 20, name, 120, SchedState.SLEEPING, 0, name, 120);
            if (at != 3_000) {
                builder.kernel().waking(at + 500, 1, 10, 20, 120);
            }
            builder.kernel().schedSwitch(at + 600, 0, 0, name, 120, SchedState.RUNNABLE, 20, name, 120);
        }
        Trace model = builder.build();

        Trace converted = converted(model);

        assertThat(doubtful(model, 20)).hasSize(doubtful);
        assertThat(doubtful(converted, 20)).isEqualTo(doubtful(model, 20));
        assertThat(converted.recorder().recordedPids())
                .isEqualTo(model.recorder().recordedPids())
                .isEqualTo(recorded > 0 ? Set.of(recorded) : Set.of());
        assertSame(model, converted);
    }

    /** The times at which doubtful states of a thread begin. */
    private static List<Long> doubtful(Trace trace, int tid) {
        ThreadStates states = trace.threadStates();
        int utid = trace.threads().find(tid, trace.startNs());
        return IntStream.range(states.first(utid), states.end(utid))
                .filter(states::isDoubtful)
                .mapToObj(states::ts)
                .toList();
    }

    @Test
    void whereEventsOfACpuWereLostIsReadBack() throws IOException {
        TraceBuilder builder = new TraceBuilder("losses");
        builder.unmodeledEvent(1_000);
        int name = builder.intern(Counters.CPU_FREQUENCY);
        builder.rareKernel().cpuCounter(4_000, 2, name, 300_000);
        builder.rareKernel().cpuCounter(6_000, 2, name, 400_000);
        builder.addDataLoss(0, Long.MIN_VALUE, 2_000);
        builder.addDataLoss(2, 3_000, 5_000);
        builder.addDataLoss(2, 6_000, 7_000);
        builder.unmodeledEvent(9_000);
        Trace model = builder.build();
        assertThat(model.dataLosses()).hasSize(3);

        assertSame(model, converted(model));
        assertThat(PerfettoConverter.write(model, OutputStream.nullOutputStream()))
                .isEmpty();
    }

    @Test
    void whereEventsOfAnyCpuWereLostIsNotWrittenAndThatIsSaid() throws IOException {
        TraceBuilder builder = new TraceBuilder("losses");
        builder.unmodeledEvent(1_000);
        builder.addDataLoss(DataLoss.ANY_CPU, 3_000, 5_000);
        builder.unmodeledEvent(9_000);

        assertThat(PerfettoConverter.write(builder.build(), OutputStream.nullOutputStream()))
                .containsExactly("data losses of unknown CPUs, once");
    }

    @Test
    void framesAreReadBack() throws IOException {
        TraceBuilder builder = new TraceBuilder("frames");
        builder.kernel().process(1_000, 1, 0, builder.intern("app"));
        int layer = builder.intern("layer");
        builder.program().expectedFrame(1_000, 1, 1, 70, 7, layer);
        builder.program().frameEnd(2_000, 1);
        builder.program()
                .actualFrame(1_100, 2, 1, 70, 7, layer, JankType.BUFFER_STUFFING.bit(), PresentType.LATE, true, true);
        builder.program().frameEnd(2_500, 2);
        builder.program().expectedFrame(1_500, 3, 2, 70, 0, -1);
        builder.program().frameEnd(2_600, 3);
        builder.program().actualFrame(1_600, 4, 2, 70, 0, -1, JankType.NONE.bit(), PresentType.ON_TIME, true, false);
        builder.program().frameEnd(2_550, 4);
        builder.program().expectedFrame(3_000, 5, 1, 71, 8, layer);
        builder.program().frameEnd(4_000, 5);
        builder.program().actualFrame(5_000, 6, 1, 72, 9, layer, 0, PresentType.UNKNOWN, false, false);
        Trace model = builder.build();
        assertThat(model.frames().size()).isEqualTo(3);
        assertThat(model.frames().missed()).hasSize(1);

        assertSame(model, converted(model));
    }

    @Test
    void samplesOfRunningThreadsArePreservedAndOthersCounted() throws IOException {
        TraceBuilder builder = new TraceBuilder("samples");
        builder.kernel().process(1_000, 1, 0, builder.intern("app"));
        builder.kernel().nameThread(1_000, 10, 1, builder.intern("worker"));
        int main = builder.samples().call(-1, builder.intern("main"), builder.intern("/usr/lib/app.so"), -1);
        int work = builder.samples().call(main, builder.intern("work"), -1, 42);
        builder.samples().sample(2_000, 10, 1, 1, work, true);
        builder.samples().sample(3_000, 10, 1, -1, main, true);
        builder.samples().sample(4_000, 10, 1, 0, work, true);
        builder.samples().sample(5_000, 10, 1, 0, -1, true);
        builder.samples().sample(6_000, 10, 1, 0, work, false);
        Trace model = builder.build();

        assertSame(model, converted(model));
        assertThat(PerfettoConverter.write(model, OutputStream.nullOutputStream()))
                .singleElement()
                .asString()
                .startsWith("1 sample of waiting threads, so that estimates of the sampling period");
    }

    /** A random model: nested slices of threads, asynchronous slices, marks, messages with flows, counters. */
    private static final class RandomModel {
        private final TraceBuilder builder = new TraceBuilder("random");
        private final Random random;
        private long now;

        RandomModel(Random random) {
            this.random = random;
            now = random.nextBoolean() ? WALL_CLOCK : BOOT_CLOCK;
        }

        private int text(String text) {
            return builder.intern(text);
        }

        Trace build() {
            builder.kernel().javaProcess(now, 100, text("com.example.Main"));
            builder.kernel().process(now, 200, 100, text("child"));
            int[] tracks = new int[6];
            int[] depths = new int[tracks.length];
            for (int i = 0; i < tracks.length; i++) {
                int pid = i % 2 == 0 ? 100 : 200;
                builder.kernel().nameThread(now, 300 + i, pid, text("thread " + i));
                tracks[i] = builder.tracks().newTrack(300 + i, pid);
            }
            int counter = builder.tracks().newCounterTrack(-1, 100, text("heap"), text("bytes"));
            int ofThread = builder.tracks().newCounterTrack(301, 200, text("load"), text("percent"));
            List<Long> open = new ArrayList<>();
            for (int step = 0; step < 2_000; step++) {
                now += random.nextInt(3) == 0 ? 0 : random.nextInt(1_000);
                int i = random.nextInt(tracks.length);
                switch (random.nextInt(8)) {
                    case 0, 1, 2 -> {
                        depths[i]++;
                        begin(tracks[i], step);
                    }
                    case 3, 4 -> {
                        if (depths[i] > 0) {
                            depths[i]--;
                            builder.tracks().trackEnd(now, tracks[i]);
                        }
                    }
                    case 5 -> builder.tracks().trackInstant(now, tracks[i], text("mark"), text("mark " + step));
                    case 6 -> {
                        builder.tracks().trackCounter(now, counter, random.nextInt());
                        builder.tracks().trackCounter(now, ofThread, random.nextInt(100));
                        now++;
                    }
                    default -> async(open, step);
                }
            }
            now++;
            builder.unmodeledEvent(now);
            return builder.build();
        }

        private void begin(int track, int step) {
            builder.tracks().trackBegin(now, track, random.nextBoolean() ? text("cat") : -1, text("slice " + step));
            if (random.nextInt(4) == 0) {
                int row = builder.tracks().arg(text("debug.number"), Args.Type.INT, step);
                builder.tracks().arg(text("debug.a.b[3]"), Args.Type.TEXT, text("text " + step));
                builder.tracks().trackArgs(now, track, row, 2);
            }
            if (random.nextInt(4) == 0) {
                builder.tracks().trackMessage(now, track, text("sender"), text("receiver"), step, 5);
            }
        }

        private void async(List<Long> open, int step) {
            if (random.nextBoolean() || open.isEmpty()) {
                builder.program().asyncBegin(now, 100, text("work"), step, text("work " + step % 3));
                open.add((long) step);
            } else {
                builder.program().asyncEnd(now, 100, text("work"), open.remove(random.nextInt(open.size())));
            }
        }
    }

    @Test
    void aSceneIsReadBack() throws IOException {
        Path file = Files.write(folder.resolve("scene.pftrace"), LauncherExample.trace());
        Trace scene = TraceReader.read(file);

        Trace converted = converted(scene);

        assertSame(scene, converted);
    }

    @Test
    void flowsLeadFromSliceToSlice() throws IOException {
        TraceBuilder builder = new TraceBuilder("flows");
        int name = builder.intern("slice");
        int from = builder.tracks().newTrack(10, 1);
        int to = builder.tracks().newTrack(11, 1);
        builder.kernel().process(1_000, 1, 0, builder.intern("process"));
        builder.tracks().trackBegin(1_000, from, -1, name);
        builder.tracks().trackFlow(1_000, from, 7, false);
        builder.tracks().trackEnd(1_100, from);
        builder.tracks().trackBegin(1_200, to, -1, name);
        builder.tracks().trackFlow(1_200, to, 7, true);
        builder.tracks().trackEnd(1_300, to);
        Trace model = builder.build();
        assertThat(model.flows().size()).isEqualTo(1);

        assertSame(model, converted(model));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jmc_jdk17_monitoredvm.jfr",
                "jmc_full_gc_g1.jfr",
                "grafana_example.jfr.gz",
                "grafana_goland-multichunk.jfr.gz",
                "grafana_event-with-type-zero.jfr.gz" // with a reused tid; the JDK's own parser rejects it
            })
    void recordingsOfRealProgramsAreReadBack(String name) throws IOException {
        Trace recording = RealRecordingFiles.load(name);

        Trace converted = converted(recording);

        assertSame(recording, converted);
    }

    private static Trace lives(boolean isReused) {
        TraceBuilder builder = new TraceBuilder("lives");
        builder.kernel().javaProcess(WALL_CLOCK, 1, builder.intern("app"));
        builder.unmodeledEvent(WALL_CLOCK);
        builder.kernel().nameThread(WALL_CLOCK, 10, 1, builder.intern("main"));
        builder.kernel().threadStart(WALL_CLOCK + 100, 11, 1, builder.intern("both"));
        builder.kernel().threadEnd(WALL_CLOCK + 700, 11, 1);
        builder.kernel().threadStart(WALL_CLOCK + 200, 12, 1, builder.intern("starts"));
        builder.kernel().nameThread(WALL_CLOCK, 13, 1, builder.intern("ends"));
        builder.kernel().threadEnd(WALL_CLOCK + 800, 13, 1);
        if (isReused) {
            builder.kernel().taskEnd(WALL_CLOCK + 701, 11);
            builder.kernel().threadStart(WALL_CLOCK + 750, 11, 1, builder.intern("next"));
            for (int at = 150; at < 1_000; at += 650) {
                int track = builder.tracks().newTrack(11, 1);
                builder.tracks().trackBegin(WALL_CLOCK + at, track, -1, builder.intern("work " + at));
                builder.tracks().trackEnd(WALL_CLOCK + at + 50, track);
                builder.samples().sample(WALL_CLOCK + at + 10, 11, 1, 1, -1, true);
            }
        }
        builder.unmodeledEvent(WALL_CLOCK + 1_000);
        return builder.build();
    }

    private static List<String> lives(Trace trace) {
        Threads threads = trace.threads();
        return IntStream.range(1, threads.size())
                .mapToObj(utid -> threads.tid(utid) + " " + threads.name(utid) + " " + threads.startNs(utid) + " "
                        + threads.endNs(utid))
                .sorted()
                .toList();
    }

    @Test
    void startsAndEndsOfThreadsArePreservedOnTheWallClock() throws IOException {
        Trace model = lives(false);
        assertThat(lives(converted(model))).isEqualTo(lives(model)).anyMatch(line -> line.startsWith("11 both 1"));
    }

    /** The two threads of one tid remain two, each with its slices and samples. */
    @Test
    void aReusedTidIsTwoThreads() throws IOException {
        Trace model = lives(true);
        assertThat(lives(model)).filteredOn(line -> line.startsWith("11 ")).hasSize(2);
        Trace converted = converted(model);
        assertThat(lives(converted)).isEqualTo(lives(model));
        assertSame(model, converted);
        assertThat(IntStream.range(0, converted.slices().size())
                        .filter(row -> converted.slices().utid(row) >= 0)
                        .mapToObj(row ->
                                converted.threads().name(converted.slices().utid(row)) + " "
                                        + converted.slices().name(row)))
                .containsExactlyInAnyOrder("both work 150", "next work 800");
        assertThat(PerfettoConverter.write(model, OutputStream.nullOutputStream()))
                .isEmpty();
    }

    @Test
    void theDescriptionOfATrackIsReadOnlyIfItIsALife() {
        assertThat(List.of(new ThreadLife(true, 5), new ThreadLife(true, -1), new ThreadLife(false, 0)))
                .allSatisfy(life -> assertThat(ThreadLife.parse(life.text())).isEqualTo(life));
        assertThat(List.of(
                        "", "The thread", "The thread starts here. Soon", "It ends after ns: ", "It ends after ns: -1"))
                .allSatisfy(text -> assertThat(ThreadLife.parse(text)).isNull());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tracecompass_youtube_atrace.txt",
                "trappy_surfaceflinger.html",
                "catapult_compressed_atrace.ctrace"
            })
    void systracesAreReadBack(String name) throws IOException {
        Trace systrace = RealRecordingFiles.load(name);

        Trace converted = converted(systrace);

        assertSame(systrace, converted);
    }
}
