package dev.unjank.record.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.record.launch.RunningProcesses.RunningProcess;
import dev.unjank.record.linux.Proc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the list of processes has beside the name is read from files that no process can block. */
class RunningProcessesTest {
    private static final int PID = 900_001;
    private static final int ANOTHER = 12345;
    private static final int JVMS = 1_200;

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
        status(process(), ANOTHER);
        assertThat(only().user()).isEqualTo(Integer.toString(ANOTHER));
    }

    @Test
    void withoutAStartTheUptimeIsZero() throws IOException {
        process();
        assertThat(only().uptime()).isZero();
    }

    private void process(int pid, String comm, String commandLine) throws IOException {
        Path folder = Files.createDirectory(proc.resolve(Integer.toString(pid)));
        Files.writeString(
                folder.resolve("status"),
                "Name:\t%1$s\nTgid:\t%2$d\nPPid:\t1\nUid:\t%3$d\t%3$d\t%3$d\t%3$d\nGid:\t0\t0\t0\t0\n"
                        .formatted(comm, pid, ANOTHER));
        Files.writeString(folder.resolve("comm"), comm + "\n");
        Files.writeString(folder.resolve("cmdline"), commandLine);
    }

    /**
     * The processes of a user, the JVMs last. On a slow machine reading a command line takes 25 ms, so the time for a
     * user suffices for about a hundred.
     */
    private RunningProcesses slowlyRead() throws IOException {
        process(1_000, "renamed", "java\0com.example.Renamed\0");
        for (int pid = 1_001; pid < JVMS; pid++) {
            process(pid, "worker", "worker\0");
        }
        for (int pid = JVMS; pid < JVMS + 20; pid++) {
            process(pid, "java", "java\0com.example.Shop\0");
        }
        AtomicLong now = new AtomicLong();
        return new RunningProcesses(new Proc(proc, () -> now.addAndGet(TimeUnit.MILLISECONDS.toNanos(25))));
    }

    @Test
    void jvmsOfAUserWithManyProcessesAreListed() throws IOException {
        RunningProcesses processes = slowlyRead();
        assertThat(processes.jvms())
                .extracting(RunningProcess::pid)
                .as("by pid")
                .hasSize(21)
                .isSorted()
                .startsWith(1_000, JVMS);
        assertThat(processes.unreadUsers()).containsExactly(Integer.toString(ANOTHER));
    }

    @Test
    void jvmsOfAUserWithManyProcessesAreFoundByTheirName() throws IOException {
        assertThat(slowlyRead().named("Shop"))
                .extracting(RunningProcess::pid)
                .hasSize(20)
                .isSorted();
    }
}
