package dev.unjank.record.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The order in which sources are called, and which of their events are in the file. */
class RecordingTest {
    private static final int PID = 4711;
    private static final int TID = 4712;

    @TempDir
    private Path folder;

    private final List<String> steps = new ArrayList<>();

    /** Logs its calls, and writes a slice in each step. */
    private class Diary extends EmptySource {
        TraceSink sink;
        long begun;
        long stopped;

        Diary(String name) {
            super(name);
        }

        private void tell(String step) {
            steps.add(step + " " + name());
            long now = sink.interval().nearest(System.nanoTime());
            sink.slice(now, now, PID, TID, "test", step);
        }

        @Override
        public void start(TraceSink to) throws IOException {
            sink = to;
            sink.process(PID, 1, "com.example.Server", true);
            sink.thread(PID, TID, "worker");
            tell("start");
        }

        @Override
        public void begin() throws IOException {
            begun = System.nanoTime();
            tell("begin");
        }

        @Override
        public void end() {
            tell("end");
        }

        @Override
        public void stop() {
            tell("stop");
            stopped = System.nanoTime();
        }
    }

    private Path file() {
        return folder.resolve("recording.pftrace");
    }

    @Test
    void allAreReadyBeforeOneBeginsAndAllEndBeforeOneIsStopped() throws IOException {
        try (Recording _ = Recording.start(file(), Rotation.NONE, PID, List.of(new Diary("one"), new Diary("two")))) {
            steps.add("recording");
        }

        assertThat(steps)
                .containsExactly(
                        "start one",
                        "start two",
                        "begin one",
                        "begin two",
                        "recording",
                        "end two",
                        "end one",
                        "stop two",
                        "stop one");
    }

    @Test
    void ofTheTimeBeforeTheBeginningOnlyNamesAreWritten() throws IOException {
        Diary diary = new Diary("one");
        try (Recording recording = Recording.start(file(), Rotation.NONE, PID, List.of(diary))) {
            assertThat(recording.progress().dropped()).isZero();
        }

        Trace trace = TraceReader.read(file());
        int worker = trace.threads().find(TID, trace.endNs());
        List<String> slices = new ArrayList<>();
        for (int row = trace.slices().first(worker); row < trace.slices().end(worker); row++) {
            slices.add(trace.slices().name(row));
        }
        assertThat(slices).containsExactly("end", "stop");
        assertThat(trace.threads().name(worker)).isEqualTo("worker");
        assertThat(trace.processes().name(trace.threads().upid(worker))).isEqualTo("com.example.Server");
        assertThat(trace.endNs() - trace.startNs()).isLessThan(diary.stopped - diary.begun + 1_000_000_000L);
        assertThat(trace.endNs()).isEqualTo(trace.slices().ts(trace.slices().end(worker) - 1));
    }

    @Test
    void theRecordingBeginsWhenAllAreOnAndIsAsLongAsItSays() throws IOException {
        class Slow extends Diary {
            long on;

            Slow(String name) {
                super(name);
            }

            @Override
            public void begin() throws IOException {
                super.begin();
                LockSupport.parkNanos(20_000_000);
                on = System.nanoTime();
            }
        }
        Slow slow = new Slow("slow");
        Recording recording = Recording.start(file(), Rotation.NONE, PID, List.of(slow, new Diary("quick")));
        recording.close();

        assertThat(slow.sink.interval().from()).isGreaterThanOrEqualTo(slow.on);
        Trace trace = TraceReader.read(file());
        assertThat(trace.endNs() - trace.startNs())
                .isEqualTo(recording.progress().time().toNanos());
    }

    @Test
    void theListenerGetsEachSourceAfterItsProbe() throws IOException {
        List<RecordingSource> sources = List.of(new Diary("one"), new Broken("start"), new Diary("three"));
        Recording.start(file(), Rotation.NONE, PID, sources, found -> steps.add("found " + found.source()))
                .close();

        assertThat(steps)
                .startsWith("start one", "found one", "start broken", "found broken", "start three", "found three");
    }

    @Test
    void aSourceThatCannotBeginAfterAllEndsTheRecording() {
        Diary failing = new Diary("failing") {
            @Override
            public void begin() throws IOException {
                throw new IOException("not to be had");
            }
        };

        assertThatThrownBy(() -> Recording.start(file(), Rotation.NONE, PID, List.of(new Diary("one"), failing)))
                .isInstanceOf(IOException.class)
                .hasMessage("not to be had");
        assertThat(steps).endsWith("end failing", "end one", "stop failing", "stop one");
    }

    /** Throws in one of its steps what no source is meant to throw, having written it down. */
    private final class Broken extends Diary {
        private final String step;

        Broken(String step) {
            super("broken");
            this.step = step;
        }

        private void maybe(String now) {
            if (now.equals(step)) {
                steps.add(now + " broken");
                throw new IllegalStateException("a mistake");
            }
        }

        @Override
        public SourceAvailability probe() {
            maybe("probe");
            return super.probe();
        }

        @Override
        public void start(TraceSink to) throws IOException {
            maybe("start");
            super.start(to);
        }

        @Override
        public void begin() throws IOException {
            maybe("begin");
            super.begin();
        }

        @Override
        public void end() {
            maybe("end");
            super.end();
        }

        @Override
        public void stop() {
            maybe("stop");
            super.stop();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"probe", "start", "begin", "end", "stop"})
    void aMistakeInASourceLeavesNoOtherOnAndNoFileOpen(String step) throws IOException {
        List<RecordingSource> sources = List.of(new Diary("one"), new Broken(step), new Diary("three"));
        Throwable thrown = catchThrowable(() -> {
            try (Recording recording = Recording.start(file(), Rotation.NONE, PID, sources)) {
                assertThat(recording.availability()).hasSize(3);
                steps.add("recording");
            }
        });

        assertThat(steps).contains("start one", "stop one").contains(step + " broken");
        assertThat(steps.contains("stop three")).isEqualTo(steps.contains("start three"));
        assertThat(steps.contains("stop broken")).isEqualTo(!step.equals("probe") && !step.equals("start"));
        assertThat(steps.contains("recording"))
                .isEqualTo(!List.of("probe", "begin").contains(step));
        if (step.equals("start")) {
            assertThat(thrown).as("it is off, and the others are on").isNull();
        } else {
            assertThat(thrown).isInstanceOf(IOException.class).hasMessage("java.lang.IllegalStateException: a mistake");
        }
        if (step.equals("begin")) {
            assertThat(file()).as("there is nothing to be in it").doesNotExist();
        } else if (!step.equals("probe")) {
            assertThat(TraceReader.read(file()).warnings())
                    .as("the file is whole")
                    .isEmpty();
        }
        RecordingFile.open(file(), Rotation.NONE, PID).close(); // it is closed now
    }

    @Test
    void whatNeedsTheTargetIsStoppedLast() throws IOException {
        class Asking extends Diary {
            Asking(String name) {
                super(name);
            }

            @Override
            public boolean asksTarget() {
                return true;
            }
        }
        List<RecordingSource> sources =
                List.of(new Diary("one"), new Asking("two"), new Asking("three"), new Diary("four"));

        Recording.start(file(), Rotation.NONE, PID, sources).close();

        assertThat(steps)
                .endsWith(
                        "end four",
                        "end three",
                        "end two",
                        "end one",
                        "stop four",
                        "stop one",
                        "stop three",
                        "stop two");
    }

    @Test
    void aSourceThatEndsEarlyIsSaidToInEveryPartThatFollows() throws IOException {
        Diary dying = new Diary("dying");
        Recording recording =
                Recording.start(file(), new Rotation(Long.MAX_VALUE, 1), PID, List.of(new Diary("one"), dying));
        try (recording) {
            assertThat(recording.availability()).allMatch(SourceAvailability::isOn);

            dying.sink.ended("dying", "it was revoked");
            dying.sink.slice(0, 1, PID, TID, "test", "in the next part");

            assertThat(recording.availability())
                    .containsExactly(
                            SourceAvailability.on("one", "nothing"),
                            SourceAvailability.ended("dying", "it was revoked"));
            assertThat(recording.availability().getLast().toString()).isEqualTo("off  dying ended: it was revoked");
        }
        Trace trace = TraceReader.read(file());
        List<String> said = new ArrayList<>();
        for (int row = 0; row < trace.slices().size(); row++) {
            if (trace.slices().name(row).equals("source: dying")) {
                int arg = trace.args().first(row);
                said.add(trace.args().text(arg) + ", " + trace.args().text(arg + 1));
            }
        }
        assertThat(said.stream().dropWhile("on, nothing"::equals))
                .hasSizeGreaterThan(1)
                .containsOnly("ended, it was revoked");
    }

    @Test
    void aFileThatIsNoLongerBroughtUpToDateEndsTheRecording() throws Exception {
        Diary broken = new Diary("broken") {
            @Override
            public long events() {
                if (Thread.currentThread().getName().equals("recording")) {
                    throw new IllegalStateException("a mistake");
                }
                return 0;
            }
        };
        Recording recording = Recording.start(file(), new Rotation(Long.MAX_VALUE, 1), PID, List.of(broken));
        long end = System.nanoTime() + 60_000_000_000L;
        while (recording.failure() == null && System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
        assertThat(recording.failure()).hasMessage("java.lang.IllegalStateException: a mistake");
        assertThatThrownBy(recording::close).isInstanceOf(IOException.class);
        assertThat(steps).endsWith("stop broken");
    }

    // ---- the file that was there before

    private static RecordingSource off() {
        return new EmptySource("nothing") {
            @Override
            public SourceAvailability probe() {
                return SourceAvailability.off(name(), "not here", null);
            }

            @Override
            public void start(TraceSink sink) {
                throw new AssertionError("it is off");
            }

            @Override
            public void stop() {
                throw new AssertionError("it has not been started");
            }
        };
    }

    @Test
    void whereNothingIsOnTheFileStaysAsItWas() throws IOException {
        Recording.start(file(), Rotation.NONE, PID, List.of(off())).close();
        assertThat(file()).doesNotExist();

        Files.writeString(file(), "yesterday's");
        Files.writeString(folder.resolve("recording.pftrace.part1"), "also");
        try (Recording recording = Recording.start(file(), Rotation.NONE, PID, List.of(off()))) {
            assertThat(recording.availability()).hasSize(1);
            assertThat(recording.progress().bytes()).isZero();
        }
        assertThat(file()).hasContent("yesterday's");
        assertThat(folder.resolve("recording.pftrace.part1")).exists();
    }

    @Test
    void whereNoneStartsTheFileStaysAsItWas() throws IOException {
        Files.writeString(file(), "yesterday's");
        Recording.start(file(), Rotation.NONE, PID, List.of(new Broken("start")))
                .close();
        assertThat(file()).hasContent("yesterday's");
    }

    @Test
    void partsThatAKilledRecorderHasLeftGoWithTheFileThatTheyBelongTo() throws IOException {
        for (String name : List.of(
                "recording.pftrace",
                "recording.pftrace.part1",
                "recording.pftrace.part12",
                "recording.pftrace.joined")) {
            Files.writeString(folder.resolve(name), "old");
        }
        List<String> others = List.of("recording.pftrace.partial", "recording.pftrace.part1.gz", "other.pftrace.part1");
        for (String name : others) {
            Files.writeString(folder.resolve(name), "other content");
        }
        Recording.start(file(), Rotation.NONE, PID, List.of(new Diary("one"))).close();

        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left.map(each -> each.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "recording.pftrace",
                            "recording.pftrace.partial",
                            "recording.pftrace.part1.gz",
                            "other.pftrace.part1");
        }
    }

    @Test
    void twoRecordersDoNotWriteIntoOneFile() throws IOException {
        try (Recording _ = Recording.start(file(), Rotation.NONE, PID, List.of(new Diary("one")))) {
            assertThatThrownBy(() -> Recording.start(file(), Rotation.NONE, PID, List.of(new Diary("two"))))
                    .isInstanceOf(IOException.class)
                    .hasMessageMatching(Pattern.quote(file() + ": another process")
                            + "( \\(pid " + ProcessHandle.current().pid()
                            + "\\))?, such as another recorder, has locked it; choose another file");
            assertThat(steps).doesNotContain("start two");
        }
        assertThat(TraceReader.read(file()).warnings()).isEmpty();
    }
}
