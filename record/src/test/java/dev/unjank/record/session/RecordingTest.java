package dev.unjank.record.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.trace.Trace;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When sources are asked to do what, and what of what they tell is in the file. */
class RecordingTest {
    private static final int PID = 4711;
    private static final int TID = 4712;

    @TempDir
    private Path folder;

    private final List<String> steps = new ArrayList<>();

    /** Writes down what it is asked, and tells of a slice in each step. */
    private class Diary implements Source {
        final String name;
        TraceSink sink;
        long begun;
        long stopped;

        Diary(String name) {
            this.name = name;
        }

        private void tell(String step) {
            steps.add(step + " " + name);
            long now = sink.interval().nearest(System.nanoTime());
            sink.slice(now, now, PID, TID, "test", step);
        }

        @Override
        public Availability probe() {
            return Availability.on(name, "everything");
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

        @Override
        public long events() {
            return 0;
        }

        @Override
        public long settledUntil() {
            return System.nanoTime();
        }

        @Override
        public long lost() {
            return 0;
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
    void whatIsToldBeforeTheBeginningIsNotInTheFileButForNames() throws IOException {
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
        assertThat(slices).containsExactly("begin", "end", "stop");
        assertThat(trace.threads().name(worker)).isEqualTo("worker");
        assertThat(trace.processes().name(trace.threads().upid(worker))).isEqualTo("com.example.Server");
        assertThat(trace.endNs() - trace.startNs()).isLessThan(diary.stopped - diary.begun + 1_000_000_000L);
        assertThat(trace.endNs()).isEqualTo(trace.slices().ts(trace.slices().end(worker) - 1));
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
}
