package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.record.hotspot.CriticalDowncallSource;
import dev.unjank.record.jvm.RecordedTarget.Slice;
import dev.unjank.record.kernel.JniCriticalSource;
import dev.unjank.record.session.RecordingSource;
import dev.unjank.record.session.SourceAvailability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A program that runs for so long that its JDK has been replaced meanwhile, as an upgrade of the system's packages
 * does.
 */
class ReplacedJdkTest {
    @TempDir
    Path directory;

    /** A JDK of links, but for what finds the others by where it is itself. */
    private Path jdk() throws IOException {
        Path real = Path.of(System.getProperty("java.home"));
        Path jdk = Files.createDirectory(directory.resolve("jdk"));
        Files.createDirectory(jdk.resolve("bin"));
        Files.createSymbolicLink(jdk.resolve("conf"), real.resolve("conf"));
        link(real.resolve("lib"), Files.createDirectory(jdk.resolve("lib")), List.of("server"));
        link(real.resolve("lib/server"), Files.createDirectory(jdk.resolve("lib/server")), List.of("libjvm.so"));
        for (String copied : List.of("bin/java", "lib/server/libjvm.so")) {
            Files.copy(real.resolve(copied), jdk.resolve(copied));
        }
        return jdk;
    }

    /** Before the directory is, lest its deletion follow a link. */
    @AfterEach
    void unlink() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path link : files.filter(Files::isSymbolicLink).toList()) {
                Files.delete(link);
            }
        }
    }

    private static void link(Path from, Path to, List<String> but) throws IOException {
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                if (!but.contains(name)) {
                    Files.createSymbolicLink(to.resolve(name), file);
                }
            }
        }
    }

    @Test
    void itIsRecordedAsAnyOther() throws IOException {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "attaching to a process needs Linux here");
        Path jdk = jdk();
        try (JvmTargetProcess target = JvmTargetProcess.of(
                jdk,
                System.getProperty("java.class.path"),
                JvmTargetProgram.class,
                List.of("-XX:+EnableDynamicAgentLoading", "-XX:+UseSerialGC"),
                List.of())) {
            target.expect("ready");
            Path library = jdk.resolve("lib/server/libjvm.so");
            Files.delete(library);
            Files.writeString(library, "of a newer JDK, in which everything is elsewhere");
            List<RecordingSource> sources =
                    new ArrayList<>(new TargetJvm(target.pid()).sources(Duration.ofMillis(1), Duration.ofSeconds(10)));
            SourceAvailability here =
                    new JniCriticalSource((int) ProcessHandle.current().pid()).probe();
            if (here.isOn()) { // root only
                sources.add(new JniCriticalSource(target.pid()));
                sources.add(new CriticalDowncallSource(target.pid()));
            }

            RecordedTarget recorded =
                    RecordedTarget.of(target, directory.resolve("old.pftrace"), sources, "blocked", "critical");

            assertThat(recorded.slices("ui (one)", "monitor contention with owner worker"))
                    .hasSize(1);
            if (here.isOn()) {
                assertThat(recorded.slices()).extracting(Slice::name).contains("JNI critical section");
            }
        }
    }
}
