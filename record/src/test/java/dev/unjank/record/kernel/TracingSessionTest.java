package dev.unjank.record.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.record.linux.JvmLibrary;
import dev.unjank.record.linux.Libc;
import dev.unjank.record.linux.UsdtProbes;
import dev.unjank.record.session.RecordingFile;
import dev.unjank.record.session.Rotation;
import dev.unjank.record.session.SourceAvailability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * In which order a stretch of tracing is taken down: what is switched on in an instance cannot be removed before that
 * is.
 */
class TracingSessionTest {
    private static final String NAME = "kernel scheduling";

    @TempDir
    private Path folder;

    private final List<String> steps = new ArrayList<>();

    @BeforeEach
    void library() {
        assumeTrue(Libc.isAvailable(), "reads the buffers through the C library");
    }

    private FakeTraceFs fake() throws IOException {
        return new FakeTraceFs(Files.createDirectories(folder.resolve("tracing"))) {
            @Override
            void release() {
                steps.add("released");
            }
        };
    }

    private static List<Path> instances(TraceFs fs) throws IOException {
        try (Stream<Path> all = Files.list(fs.root.resolve("instances"))) {
            return all.filter(each -> each.getFileName()
                            .toString()
                            .startsWith("unjank-" + ProcessHandle.current().pid() + "-"))
                    .toList();
        }
    }

    private RecordingFile file() throws IOException {
        return RecordingFile.open(folder.resolve("trace"), Rotation.NONE, 1);
    }

    @Test
    void whatWasBegunWithinAnInstanceThatCannotBeSetUpGoesAfterIt() throws IOException {
        FakeTraceFs fs = fake();
        try (RecordingFile file = file()) {
            assertThatThrownBy(() -> TracingSession.open(
                            NAME,
                            fs,
                            1 << 20,
                            file,
                            () -> {
                                steps.add(instances(fs).isEmpty() ? "after the instance" : "before the instance");
                                throw new IOException("busy");
                            },
                            _ -> {
                                steps.add("set up");
                                throw new IOException("no such place");
                            }))
                    .isInstanceOf(IOException.class)
                    .hasMessage("no such place; busy");
        }
        assertThat(steps).containsExactly("set up", "after the instance", "released");
    }

    @Test
    void itIsTakenDownWhateverCannotBeRead() throws IOException {
        FakeTraceFs fs = fake();
        try (RecordingFile file = file()) {
            TracingSession session = TracingSession.open(
                    NAME,
                    fs,
                    1 << 20,
                    file,
                    () -> steps.add(instances(fs).isEmpty() ? "after the instance" : "before the instance"),
                    instance -> {
                        KernelEventDecoder decoder =
                                new KernelEventDecoder(fs, KernelEventDecoder.SCHEDULING, new TracedThreads(1, false));
                        CpuBufferReader pages = new CpuBufferReader(instance, fs.pageLayout(), decoder, file);
                        return new TracingSession.Handler() {
                            @Override
                            public CpuBufferReader pages() {
                                return pages;
                            }

                            @Override
                            public void read(long until) {
                                steps.add("read");
                                throw new IllegalStateException("a mistake");
                            }

                            @Override
                            public void ended() {
                                steps.add("ended");
                            }
                        };
                    });
            session.stop();
        }
        assertThat(steps).containsExactly("read", "ended", "after the instance", "released");
    }

    /** The kernel itself: a place that an instance has switched on cannot be taken out. */
    @Test
    void noPlaceStaysInTheLibraryIfTheSecondOneIsRefused() throws IOException {
        int pid = Math.toIntExact(ProcessHandle.current().pid());
        SourceAvailability critical = new JniCriticalSource(pid).probe();
        assumeTrue(critical.isOn(), () -> "needs root and uprobes: " + critical);
        JvmLibrary opened = JvmLibrary.of(pid, () -> false);
        Path library = opened.file();
        UsdtProbes.Probe place = opened.probes().stream()
                .filter(probe -> probe.name().equals("GetStringCritical__return"))
                .findFirst()
                .orElseThrow();
        TraceFs fs = TraceFs.find();
        Uprobes uprobes = new Uprobes(fs);
        List<String> events = new ArrayList<>();
        try (RecordingFile file = file()) {
            assertThatThrownBy(() -> TracingSession.open(NAME, fs, 1 << 20, file, uprobes::close, instance -> {
                        String event = uprobes.add("first", library, place.fileOffset());
                        events.add(event);
                        instance.enable(event);
                        uprobes.add("second", folder.resolve("no-library.so"), 1);
                        throw new AssertionError("there is no such library");
                    }))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("cannot write \"p:unjank_")
                    .hasMessageNotContaining("; "); // and that is all
        } finally {
            opened.close();
        }
        assertThat(events).hasSize(1);
        TraceFs again = TraceFs.find();
        try {
            assertThat(Files.readString(again.root.resolve("uprobe_events"))).doesNotContain(events.getFirst());
            assertThat(instances(again)).isEmpty();
        } finally {
            again.release();
        }
    }
}
