package dev.unjank.record.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.trace.tempfile.ProcessIdentity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Mounting and cleaning the tracing file system; mounts are in a namespace of the test's own, so that no other process
 * is affected.
 */
class TraceFsTest {
    /** The kernel refuses to remove instances that are in use; these are folders, which it does not protect. */
    @Test
    void instancesOfEndedRecordersAreRemovedEvenIfAnotherProcessHasTheirPid(@TempDir Path root) throws Exception {
        Path instances = Files.createDirectory(root.resolve("instances"));
        ProcessIdentity own = ProcessIdentity.of(ProcessHandle.current().pid());
        String samePid = "unjank-" + own.pid() + "-" + (Long.parseLong(own.start()) - 1) + "-1";
        List<String> living =
                List.of("unjank-" + own.pid() + "-" + own.start() + "-1", "unjank-" + own.pid() + "-1", "unjank-tools");
        Files.createDirectory(instances.resolve(samePid));
        Files.createDirectory(instances.resolve("unjank-" + Integer.MAX_VALUE + "-12345-1"));
        Files.createDirectory(instances.resolve("unjank-" + Integer.MAX_VALUE + "-1"));
        for (String name : living) {
            Files.createDirectory(instances.resolve(name));
        }

        new TraceFs(root).removeStale();

        try (Stream<Path> left = Files.list(instances)) {
            assertThat(left.map(folder -> folder.getFileName().toString())).containsExactlyInAnyOrderElementsOf(living);
        }
    }

    @Test
    void theLastOfSeveralRecordersUnmountsWhatTheFirstHasMounted() throws Exception {
        Path unshare = Path.of("/usr/bin/unshare");
        assumeTrue(Files.isExecutable(unshare), "needs unshare of util-linux");
        Process process = new ProcessBuilder(List.of(
                        unshare.toString(),
                        "--mount",
                        "sh",
                        "-c",
                        "while umount " + TraceFs.USUAL + "; do :; done 2>/dev/null; exec \"$@\"",
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        TwoRecorders.class.getName()))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assumeTrue(process.waitFor() == 0, () -> "needs root, to mount: " + said);

        assertThat(said.lines())
                .containsExactly("first unjank", "second unjank", "first ended: mounted", "both: not mounted");
    }

    /** Two at once: both see that it is not mounted, the first mounts it, and ends first. */
    static final class TwoRecorders {
        private static final Path MOUNTS = Path.of("/proc/self/mounts");

        private TwoRecorders() {}

        public static void main(String[] args) throws IOException {
            TraceFs first = TraceFs.find();
            System.out.println("first " + (first.isOurs() ? TraceFs.RECORDER : "found it"));
            AtomicInteger looks = new AtomicInteger();
            TraceFs second = TraceFs.find(() -> looks.getAndIncrement() == 0 ? "" : Files.readString(MOUNTS));
            System.out.println("second " + (second.isOurs() ? TraceFs.RECORDER : "found it"));
            first.release();
            System.out.println("first ended: " + state());
            second.release();
            System.out.println("both: " + state());
        }

        private static String state() throws IOException {
            return TraceFs.mounted(Files.readString(MOUNTS)) == null ? "not mounted" : "mounted";
        }
    }
}
