package dev.unjank.record.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Why a process stands still, by what the kernel says of it and of its control groups. */
class StoppedProcessTest {
    private static final int PID = 4711;

    @TempDir
    private Path folder;

    private void process(char state, String groups) throws IOException {
        Path process = Files.createDirectories(folder.resolve("proc").resolve(Integer.toString(PID)));
        Files.writeString(process.resolve("stat"), PID + " (a) b) " + state + " 1 1\n");
        Files.writeString(process.resolve("cgroup"), groups);
    }

    private void group(String file, String text) throws IOException {
        Path path = folder.resolve("cgroup").resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private @Nullable StoppedProcess stopped() {
        return StoppedProcess.of(PID, folder.resolve("proc"), folder.resolve("cgroup"));
    }

    @ParameterizedTest
    @ValueSource(chars = {'T', 't'})
    void oneThatIsStopped(char state) throws IOException {
        process(state, "");

        assertThat(stopped())
                .isEqualTo(new StoppedProcess("is stopped, by a signal or a debugger", "resume it: kill -CONT " + PID));
    }

    @ParameterizedTest
    @CsvSource({
        "0::/docker/ab, docker/ab/cgroup.events",
        "0::/docker/ab, unified/docker/ab/cgroup.events",
    })
    void oneInAGroupOfTheSecondVersionThatIsFrozen(String groups, String events) throws IOException {
        process('S', "9:name=systemd:/\n" + groups + "\n");
        group(events, "populated 1\nfrozen 0\n");
        assertThat(stopped()).isNull();

        group(events, "populated 1\nfrozen 1\n");
        assertThat(stopped())
                .isEqualTo(new StoppedProcess(
                        "is frozen with its control group /docker/ab",
                        "unfreeze the control group; for a container use docker unpause"));
    }

    @Test
    void oneInAGroupOfTheFirstVersionThatIsFrozen() throws IOException {
        process('D', "7:devices:/other\n6:freezer:/docker/ab:c\n0::/\n");
        group("freezer/docker/ab:c/freezer.state", "THAWED\n");
        assertThat(stopped()).isNull();

        group("freezer/docker/ab:c/freezer.state", "FROZEN\n");
        assertThat(stopped())
                .isNotNull()
                .extracting(StoppedProcess::reason)
                .asString()
                .endsWith(" /docker/ab:c");
    }

    @Test
    void oneThatMayRunOrIsNotKnown() throws IOException {
        assertThat(stopped()).as("it is gone").isNull();

        process('S', "6:freezer:/a\n0::/../out/of/sight\n");
        assertThat(stopped()).isNull();
    }

    /** A group outside of this process's cgroup namespace has a path that leads out of the file system. */
    @ParameterizedTest
    @ValueSource(strings = {"0::/../shared/x", "6:freezer:/../../shared/x"})
    void aGroupOutsideOfTheNamespaceIsNotRead(String groups) throws IOException {
        process('S', groups + "\n");
        Path outside = Files.createDirectories(folder.resolve("shared/x"));
        Files.createDirectories(folder.resolve("cgroup/freezer"));
        Files.createDirectories(folder.resolve("cgroup/unified"));
        Files.writeString(outside.resolve("cgroup.events"), "frozen 1\n");
        Files.writeString(outside.resolve("freezer.state"), "FROZEN\n");
        assertThat(stopped()).isNull();
    }
}
