package dev.unjank.record.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.record.launch.RunningProcesses.RunningProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the list of processes has beside the name is read from files that no process can block. */
class RunningProcessesTest {
    private static final int PID = 900_001;

    @TempDir
    private Path proc;

    private Path process() throws IOException {
        Path folder = Files.createDirectory(proc.resolve(Integer.toString(PID)));
        status(folder, (int) Files.getAttribute(folder, "unix:uid"));
        Files.writeString(folder.resolve("cmdline"), "java\0com.example.Shop\0");
        return folder;
    }

    private static void status(Path folder, int uid) throws IOException {
        Files.writeString(
                folder.resolve("status"),
                "Name:\tjava\nTgid:\t%1$d\nPPid:\t1\nUid:\t%2$d\t%2$d\t%2$d\t%2$d\nGid:\t0\t0\t0\t0\n"
                        .formatted(PID, uid));
    }

    private RunningProcess only() {
        assertThat(new RunningProcesses(proc).named("Shop")).hasSize(1);
        return new RunningProcesses(proc).named("Shop").getFirst();
    }

    @Test
    void theUptimeIsTheTimeSinceTheStart() throws IOException {
        Path folder = process();
        Files.writeString(proc.resolve("uptime"), "1000.25 1900.00\n");
        Files.writeString(
                folder.resolve("stat"), PID + " (a ) b) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 90000 0 0 0 0\n");

        assertThat(only().uptime()).isEqualTo(Duration.ofMillis(100_250));
        assertThat(only().user()).isEqualTo(Files.getOwner(folder).getName());
    }

    /** The folder of a process that is not dumpable belongs to root. */
    @Test
    void theUserIsNotTheOwnerOfTheFolder() throws IOException {
        status(process(), 12345);
        assertThat(only().user()).isEqualTo("12345");
    }

    @Test
    void withoutAStartTheUptimeIsZero() throws IOException {
        process();
        assertThat(only().uptime()).isZero();
    }
}
