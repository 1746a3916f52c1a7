package dev.unjank.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.cli.CommandRun;
import dev.unjank.record.session.Recording;
import dev.unjank.record.session.RecordingSource;
import dev.unjank.record.session.Rotation;
import dev.unjank.record.session.SourceAvailability;
import dev.unjank.record.session.TraceSink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recording of one process contains others too: the doctor shows the recorded one by default. */
class RecordedProcessTest {
    private static final int RECORDED = 100;
    private static final int OTHER = 200;

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void record() throws IOException {
        file = recording(RECORDED);
    }

    private Path recording(int target) throws IOException {
        Path made = folder.resolve("of" + target + ".pftrace");
        Recording.start(made, Rotation.NONE, target, List.of(new TwoProcesses()))
                .close();
        return made;
    }

    /** Both processes are virtual machines with a wait each. */
    private static final class TwoProcesses implements RecordingSource {
        private @Nullable TraceSink sink;

        @Override
        public SourceAvailability probe() {
            return SourceAvailability.on("two processes", "waits");
        }

        @Override
        public void start(TraceSink to) {
            sink = to;
            to.process(RECORDED, 1, "com.example.Shop", true);
            to.process(OTHER, 1, "com.example.Other", true);
            to.thread(RECORDED, RECORDED + 1, "shop-worker");
            to.thread(OTHER, OTHER + 1, "other-worker");
        }

        @Override
        public void stop() {
            TraceSink to = Objects.requireNonNull(sink);
            long begin = to.interval().from();
            for (int pid : new int[] {RECORDED, OTHER}) {
                to.slice(
                        begin,
                        begin + 5_000_000,
                        pid,
                        pid + 1,
                        "monitor",
                        "Lock contention on a monitor lock (owner tid: 1)");
            }
        }

        @Override
        public long events() {
            return 2;
        }
    }

    private static String report(Path... files) {
        String[] arguments = new String[files.length + 1];
        arguments[0] = "doctor";
        for (int i = 0; i < files.length; i++) {
            arguments[i + 1] = files[i].toString();
        }
        return CommandRun.of(arguments).out();
    }

    @Test
    void theRecordedProcessIsTheDefault() {
        assertThat(report(file)).contains("shop-worker").doesNotContain("other-worker");
    }

    @Test
    void othersAreShownOnDemand() {
        assertThat(CommandRun.of("doctor", file.toString(), "--process", "all").out())
                .contains("shop-worker", "other-worker");
        assertThat(CommandRun.of("doctor", file.toString(), "--process", "com.example.Other")
                        .out())
                .contains("other-worker")
                .doesNotContain("shop-worker");
    }

    /** Recordings of two processes that are read as one trace have no process of their own. */
    @Test
    void recordingsOfTwoProcessesShowBoth() throws IOException {
        assertThat(report(file, recording(OTHER))).contains("shop-worker", "other-worker");
    }

    /** Only the recorder's notes name the recorded process, not a slice of the same name that a program has written. */
    @Test
    void aTraceOfAnotherToolHasNone() throws IOException {
        Path systrace = Files.writeString(folder.resolve("atrace.txt"), """
                # tracer: nop
                   app-100 ( 100) [000] .... 1.000000: tracing_mark_write: B|100|source: mine
                   app-100 ( 100) [000] .... 1.001000: tracing_mark_write: B|100|monitor contention with owner x (1) at a(b:1) waiters=0 blocking from c(d:2)
                   app-100 ( 100) [000] .... 1.011000: tracing_mark_write: E|100
                   app-100 ( 100) [000] .... 1.012000: tracing_mark_write: E|100
                   oth-200 ( 200) [000] .... 1.021000: tracing_mark_write: B|200|monitor contention with owner x (1) at a(b:1) waiters=0 blocking from c(d:2)
                   oth-200 ( 200) [000] .... 1.032000: tracing_mark_write: E|200
                """);

        assertThat(report(systrace)).contains("oth").contains("app");
    }
}
