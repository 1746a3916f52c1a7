package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.doctor.model.Verdict;
import dev.unjank.record.kernel.KernelSource;
import dev.unjank.record.session.Recording;
import dev.unjank.record.session.RecordingSource;
import dev.unjank.record.session.Rotation;
import dev.unjank.record.session.SourceAvailability;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A target on Java 17: what can be recorded of it is, and of the rest it is said what it needs. */
class Java17TargetTest {
    private static final Path SOURCE =
            Path.of("src", "test", "java", "dev", "unjank", "record", "jvm", "Java17TargetProgram.java");

    @TempDir
    Path directory;

    private static Path java17() throws IOException {
        List<Path> candidates = new ArrayList<>();
        for (String variable : List.of("JAVA_HOME_17_X64", "JAVA17_HOME")) {
            String home = System.getenv(variable);
            if (home != null) {
                candidates.add(Path.of(home));
            }
        }
        Path usual = Path.of("/usr/lib/jvm");
        if (Files.isDirectory(usual)) {
            try (Stream<Path> installed = Files.list(usual)) {
                installed.sorted().forEach(candidates::add);
            }
        }
        for (Path home : candidates) {
            Path release = home.resolve("release");
            if (Files.isReadable(release)
                    && Files.isExecutable(home.resolve("bin/java"))
                    && Files.readString(release).contains("JAVA_VERSION=\"17.")) {
                return home;
            }
        }
        assumeTrue(false, "no Java 17 in " + usual + " or JAVA_HOME_17_X64");
        throw new AssertionError();
    }

    /** The target, for a Java that cannot run the classes of these tests. */
    private String compiled() throws IOException {
        Path javac = Path.of(System.getProperty("java.home"), "bin", "javac");
        assumeTrue(Files.isExecutable(javac), () -> "there is no " + javac);
        Process compiler = new ProcessBuilder(
                        javac.toString(),
                        "--release",
                        "17",
                        "-proc:none",
                        "-d",
                        directory.toString(),
                        SOURCE.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(compiler.onExit().join().exitValue()).as(said).isZero();
        return directory.toString();
    }

    @Test
    void waitsAreThereWithTheLastOwner() throws IOException {
        Path home = java17();
        Path file = directory.resolve("old.pftrace");
        try (JvmTargetProcess target =
                JvmTargetProcess.of(home, compiled(), Java17TargetProgram.class, List.of(), List.of())) {
            target.expect("ready");
            List<RecordingSource> sources =
                    new ArrayList<>(new TargetJvm(target.pid()).sources(Duration.ofMillis(1), Duration.ofSeconds(1)));
            sources.add(new KernelSource(target.pid(), false, false));
            try (Recording recording = Recording.start(file, Rotation.NONE, target.pid(), sources)) {
                List<SourceAvailability> lines = recording.availability();
                assertThat(lines.get(0).toString())
                        .isEqualTo(
                                "off  lock owners: the target runs Java 17, so only the previous owner of a monitor is"
                                        + " known; run it on Java 25 or later");
                assertThat(lines.get(1).toString())
                        .startsWith("on   Flight Recorder: ")
                        .contains("; Java 17.");
                target.play("");
            }
        }
        RecordedTarget recorded = RecordedTarget.read(file);

        assertThat(recorded.slices(
                        "old waiter", "monitor contention with owner old owner (" + recorded.tid("old owner")))
                .as("slices of the waiter: %s", recorded.slices("old waiter", ""))
                .hasSize(1);
        assertThat(recorded.incidents("old waiter"))
                .as("%s", recorded.diagnosis().incidents())
                .isNotEmpty()
                .first()
                .satisfies(incident -> {
                    assertThat(incident.verdict()).isEqualTo(Verdict.SLEEPING_OWNER);
                    assertThat(incident.owner().thread().name()).isEqualTo("old owner");
                });
    }
}
