package dev.unjank.trace.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.scene.SystraceWriter;
import dev.unjank.scene.TraceInvariants;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.write.AtraceMarks;
import dev.unjank.trace.write.Task;
import dev.unjank.trace.write.TraceClock;
import dev.unjank.trace.write.TraceWriter;
import dev.unjank.trace.write.TrackEventWriter;
import dev.unjank.trace.write.TrackWriter;
import dev.unjank.trace.write.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several files, merged onto one clock. */
class TraceMergerTest {
    private static final long SECOND = 1_000_000_000L;

    /** A reading of the boot clock in the middle of the events, and the offsets of the other clocks. */
    private static final long BOOT = 5_000 * SECOND;

    private static final long MONOTONIC_AHEAD = -1_000 * SECOND;
    private static final long REALTIME_AHEAD = 1_700_000_000L * SECOND;

    @TempDir
    private Path dir;

    private Path perfetto(String name, long ts, boolean realtime) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.PLAIN)) {
            if (realtime) {
                writer.clockSnapshot(ts, ts + MONOTONIC_AHEAD, ts + REALTIME_AHEAD);
            }
            writer.cpu(0).print(ts, 10, AtraceMarks.begin(10, name));
            writer.cpu(0).print(ts + 100, 10, AtraceMarks.end(10));
            TrackEventWriter events = writer.trackEvents(TraceClock.BOOTTIME, TrackWriter.ofThread(20, 20));
            events.tracks().thread(ts, 20, 20, "ui");
            events.tracks().counter(ts, TrackWriter.ofThread(20, 20), name + " depth", TrackWriter.Unit.COUNT);
            events.begin(ts, TrackWriter.ofThread(20, 20), "mq", name + " event")
                    .messageQueue(name + " sender", "ui", 7, 0)
                    .write();
            events.end(ts + 50, TrackWriter.ofThread(20, 20)).write();
            events.counter(ts, TrackWriter.ofCounter(TrackWriter.ofThread(20, 20), name + " depth"), 3);
        }
        return Files.write(dir.resolve(name), bytes.toByteArray());
    }

    private Path systrace(String name, long monotonic, boolean synced) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        SystraceWriter writer = new SystraceWriter(bytes);
        if (synced) {
            writer.clockSync(monotonic, 0, 9, monotonic, (monotonic - MONOTONIC_AHEAD + REALTIME_AHEAD) / 1_000_000);
        }
        writer.mark(monotonic, 0, 30, AtraceMarks.begin(30, name));
        writer.mark(monotonic + 1_000, 0, 30, AtraceMarks.end(30));
        return Files.write(dir.resolve(name), bytes.toByteArray());
    }

    private static Trace read(Path... files) throws IOException {
        Trace trace = TraceReader.read(List.of(files));
        TraceInvariants.check(trace);
        return trace;
    }

    private static Map<String, Long> begins(Trace trace) {
        Map<String, Long> begins = new TreeMap<>();
        Slices slices = trace.slices();
        for (int row = 0; row < slices.size(); row++) {
            begins.put(slices.name(row), slices.ts(row));
        }
        return begins;
    }

    @Test
    void tracesOfOneBootKeepTheirTimes() throws IOException {
        Trace trace = read(perfetto("a", BOOT, true), perfetto("b", BOOT + SECOND, true));
        assertThat(begins(trace))
                .containsEntry("a", BOOT)
                .containsEntry("a event", BOOT)
                .containsEntry("b", BOOT + SECOND)
                .containsEntry("b event", BOOT + SECOND);
        assertThat(trace.name()).isEqualTo("a + b");
        assertThat(trace.warnings()).isEmpty();
        assertThat(trace.startNs()).isEqualTo(BOOT);
    }

    @Test
    void tablesBesideTheEventsAreMergedToo() throws IOException {
        Trace trace = read(perfetto("a", BOOT, true), perfetto("b", BOOT + SECOND, true));
        assertThat(trace.counters().tracks()).isEqualTo(2);
        assertThat(List.of(trace.counters().name(0), trace.counters().name(1))).containsExactly("a depth", "b depth");
        assertThat(trace.queueEvents().size()).isEqualTo(2);
        for (int row = 0; row < 2; row++) {
            String slice = trace.slices().name(trace.queueEvents().slice(row));
            assertThat(trace.queueEvents().sender(row)).isEqualTo(slice.charAt(0) + " sender");
        }
    }

    @Test
    void systraceIsTiedByTheMonotonicClock() throws IOException {
        Path text = systrace("text", BOOT + MONOTONIC_AHEAD + 2 * SECOND, true);
        assertThat(begins(read(perfetto("a", BOOT, true), text))).containsEntry("text", BOOT + 2 * SECOND);
        // The boot clock wins, regardless of the order.
        assertThat(begins(read(text, perfetto("a", BOOT, true))))
                .containsEntry("text", BOOT + 2 * SECOND)
                .containsEntry("a", BOOT);
    }

    @Test
    void aThirdTraceMayLinkTwo() throws IOException {
        // No snapshot at all: the boot clock only.
        Path bare = perfetto("bare", BOOT + 3 * SECOND, false);
        Path text = systrace("text", BOOT + MONOTONIC_AHEAD + 2 * SECOND, true);
        assertThatThrownBy(() -> read(bare, text))
                .isInstanceOf(UnusableTraceException.class)
                .hasMessageContaining("shares no clock")
                .message()
                .hasLineCount(1);
        assertThat(begins(read(bare, text, perfetto("a", BOOT, true))))
                .containsEntry("bare", BOOT + 3 * SECOND)
                .containsEntry("text", BOOT + 2 * SECOND)
                .containsEntry("a", BOOT);
    }

    @Test
    void withoutACommonClockNothingIsGuessed() throws IOException {
        Path text = systrace("text", 77 * SECOND, false);
        assertThatThrownBy(() -> read(perfetto("a", BOOT, true), text))
                .isInstanceOf(UnusableTraceException.class)
                .hasMessageContaining("shares no clock");
        assertThat(begins(read(text))).containsEntry("text", 77 * SECOND);
    }

    @Test
    void tracesOfDifferentBootsAreRefused() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        long boot = 60 * SECOND; // it started again an hour later
        long real = BOOT + REALTIME_AHEAD + 3_600 * SECOND;
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.PLAIN)) {
            writer.clockSnapshot(boot, boot, real);
            writer.cpu(0).print(boot, 10, AtraceMarks.begin(10, "later"));
        }
        Path later = Files.write(dir.resolve("later"), bytes.toByteArray());
        assertThatThrownBy(() -> read(perfetto("a", BOOT, true), later))
                .isInstanceOf(UnusableTraceException.class)
                .hasMessageContaining("on another machine")
                .hasMessageContaining("another boot")
                .message()
                .hasLineCount(1);
    }

    @Test
    void tracesThatLieApartAreSaidToDoSo() throws IOException {
        assertThat(read(perfetto("a", BOOT, true), perfetto("b", BOOT + 31 * SECOND, true))
                        .warnings())
                .anyMatch(line -> line.contains("b begins 30 s after") && line.contains("a ends"));
        assertThat(read(perfetto("a", BOOT, true), perfetto("b", BOOT, true)).warnings())
                .noneMatch(line -> line.contains("begins"));
    }

    /** An hour between two short traces: every share of the whole would be a share of the hole. */
    @Test
    void tracesFarApartAreRejected() throws IOException {
        for (boolean swapped : new boolean[] {false, true}) {
            Path a = perfetto("a", BOOT, true);
            Path b = perfetto("b", BOOT + 3_600 * SECOND, true);
            assertThatThrownBy(() -> read(swapped ? b : a, swapped ? a : b))
                    .isInstanceOf(UnusableTraceException.class)
                    .hasMessageContaining("b begins 3599 s after")
                    .hasMessageContaining("they last less than 1 s together")
                    .message()
                    .hasLineCount(1);
        }
        // The same hour beside a trace of more than six minutes is accepted.
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.PLAIN)) {
            writer.clockSnapshot(BOOT, BOOT + MONOTONIC_AHEAD, BOOT + REALTIME_AHEAD);
            writer.cpu(0).print(BOOT, 10, AtraceMarks.begin(10, "long"));
            writer.cpu(0).print(BOOT + 400 * SECOND, 10, AtraceMarks.end(10));
        }
        Path first = Files.write(dir.resolve("first"), bytes.toByteArray());
        assertThat(read(first, perfetto("b", BOOT + 4_000 * SECOND, true)).warnings())
                .anyMatch(line -> line.contains("b begins 3600 s after"));
    }

    private Path part(String name, long from, long to) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Task one = new Task(10, "one", 120);
        Task other = new Task(11, "other", 120);
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.PLAIN)) {
            writer.clockSnapshot(from, from + MONOTONIC_AHEAD, from + REALTIME_AHEAD);
            TrackEventWriter events = writer.trackEvents(TraceClock.BOOTTIME, TrackWriter.ofThread(10, 10));
            events.begin(BOOT, TrackWriter.ofThread(10, 10), "monitor", "a wait that reaches back")
                    .write();
            writer.cpu(0).schedSwitch(from, one, 1, other);
            writer.cpu(0).schedSwitch(to, other, 1, one);
        }
        return Files.write(dir.resolve(name), bytes.toByteArray());
    }

    /** The parts of a ring buffer: long slices are in several, the events of a CPU are in one. */
    @Test
    void duplicatedSchedulerEventsAreAWarning() throws IOException {
        Path first = part("first", BOOT + SECOND, BOOT + 2 * SECOND);
        assertThat(read(first, part("next", BOOT + 2 * SECOND, BOOT + 3 * SECOND))
                        .warnings())
                .noneMatch(line -> line.contains("duplicated"));
        assertThat(read(first, part("within", BOOT + SECOND * 3 / 2, BOOT + 3 * SECOND))
                        .warnings())
                .anyMatch(line -> line.startsWith("scheduler events are in ") && line.contains("duplicated"));
    }

    @Test
    void theNameIsThatOfAllFiles() throws IOException {
        assertThat(read(perfetto("a", BOOT, true), perfetto("b", BOOT, true)).name())
                .isEqualTo("a + b");
        assertThat(read(perfetto("a", BOOT, true)).name()).isEqualTo("a");
    }
}
