package dev.unjank.record.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcTest {
    @TempDir
    private Path root;

    @Test
    void processesAndThreadsAreRead() throws IOException {
        process(10, 1, "java", "/usr/bin/java\0-Xmx1g\0-cp\0a.jar\0com.example.Main\0--port\08080\0");
        process(11, 10, "kworker/0:1", "");
        task(10, 10, "java");
        task(10, 12, "worker");
        Proc proc = new Proc(root);

        assertThat(proc.processes()).containsExactly(10, 11);
        assertThat(proc.process(10)).isEqualTo(new Proc.Info(10, 1, "com.example.Main", true));
        assertThat(proc.process(11)).isEqualTo(new Proc.Info(11, 10, "kworker/0:1", false));
        assertThat(proc.process(99)).isNull();
        assertThat(proc.tasks(10)).containsExactly(new Proc.Task(10, 10, "java"), new Proc.Task(10, 12, "worker"));
        assertThat(proc.tasks(99)).isEmpty();
    }

    /** PR_SET_MM_MAP makes any part of a process's memory its command line. */
    @Test
    void aCommandLineOfGigabytesIsReadInPart() throws IOException {
        process(10, 1, "java", "/usr/bin/java\0-cp\0a.jar\0com.example.Main\0");
        try (RandomAccessFile commandLine =
                new RandomAccessFile(root.resolve("10").resolve("cmdline").toFile(), "rw")) {
            commandLine.setLength(8L << 30);
        }
        assertThat(new Proc(root).process(10)).isEqualTo(new Proc.Info(10, 1, "com.example.Main", true));
    }

    @Test
    void howAThreadIsScheduledIsRead() throws IOException {
        Path folder = Files.createDirectories(root.resolve("12"));
        Files.writeString(
                folder.resolve("stat"),
                "12 (a) b (c) S 1 12 12 0 -1 4194560 1 2 3 4 5 6 7 8 -51 -5 33 0 100 200 300 18446744073709551615 1 2 3 4 5"
                        + " 0 0 0 0 0 0 0 17 1 50 2 0 0 0\n");
        Proc proc = new Proc(root);

        assertThat(proc.scheduling(12)).isEqualTo(new Proc.Scheduling("SCHED_RR", -5, 50));
        assertThat(proc.scheduling(13)).isNull();
    }

    @Test
    void whatAThreadHadOfTheCpusIsRead() throws IOException {
        task(10, 10, "java");
        task(10, 12, "worker");
        task(10, 13, "of a kernel that does not count");
        Path tasks = root.resolve("10").resolve("task");
        Files.writeString(tasks.resolve("10").resolve("schedstat"), "700 20 3\n");
        Files.writeString(tasks.resolve("12").resolve("schedstat"), "0 0 0\n");
        Proc proc = new Proc(root);

        assertThat(proc.cpuTimes(10)).isEqualTo(Map.of(10, new Proc.CpuTimes(700, 20), 12, new Proc.CpuTimes(0, 0)));
        assertThat(proc.cpuTimes(99)).isEmpty();
    }

    @Test
    void whatAThreadDoesIsReadBehindItsName() throws IOException {
        Files.writeString(Files.createDirectories(root.resolve("12")).resolve("stat"), "12 (R) S (x) D 1 2 3\n");
        Proc proc = new Proc(root);

        assertThat(proc.state(12)).isEqualTo('D');
        assertThat(proc.state(13)).isEqualTo('?');
    }

    private void process(int pid, int parent, String name, String commandLine) throws IOException {
        Path folder = Files.createDirectories(root.resolve(Integer.toString(pid)));
        Files.writeString(
                folder.resolve("status"),
                "Name:\t" + name + "\nTgid:\t" + pid + "\nPPid:\t" + parent + "\nUid:\t0\t0\t0\t0\nGid:\t0\t0\t0\t0\n");
        Files.writeString(folder.resolve("cmdline"), commandLine);
    }

    private void task(int pid, int tid, String comm) throws IOException {
        Path folder = Files.createDirectories(
                root.resolve(Integer.toString(pid)).resolve("task").resolve(Integer.toString(tid)));
        Files.writeString(folder.resolve("comm"), comm + "\n");
    }

    @ParameterizedTest
    @CsvSource({
        "java -Xmx1g -jar /opt/server/app.jar --x, app.jar",
        "java --module-path mods -m my.app/my.app.Main, my.app/my.app.Main",
        "java --add-opens java.base/java.lang=ALL-UNNAMED -Dx=y Main, Main",
        "java @options Main, Main",
    })
    void whatAJavaCommandRuns(String command, String program) {
        assertThat(JavaCommandLine.program(List.of(command.split(" ")))).isEqualTo(program);
    }

    @Test
    void aCommandThatRunsNothingHasNoProgram() {
        assertThat(JavaCommandLine.program(List.of("java", "-version"))).isNull();
        assertThat(JavaCommandLine.isJava("/usr/lib/jvm/jdk/bin/java")).isTrue();
        assertThat(JavaCommandLine.isJava("javac")).isFalse();
    }

    @Test
    void theClocksAgree() {
        MachineClocks clocks = new MachineClocks();
        MachineClocks.Reading first = clocks.read();
        MachineClocks.Reading second = clocks.read();

        assertThat(first.bootError()).isBetween(0L, 1_000_000L);
        assertThat(second.bootError()).isLessThanOrEqualTo(first.bootError());
        assertThat(Math.abs((second.boot() - second.monotonic()) - (first.boot() - first.monotonic())))
                .isLessThanOrEqualTo(first.bootError() + 1);
        assertThat(second.boot()).isGreaterThanOrEqualTo(second.monotonic());
        assertThat(Math.abs(second.real() / 1_000_000 - System.currentTimeMillis()))
                .isLessThan(5_000);
    }

    @Test
    void numbersAreTheKernelsInItsFirstNamespaceOnly() throws IOException {
        Path namespaces = Files.createDirectories(root.resolve("self").resolve("ns"));
        Files.createSymbolicLink(namespaces.resolve("pid"), Path.of("pid:[4026531836]"));
        assertThat(new Proc(root).hasKernelsNumbers()).isTrue();

        Files.delete(namespaces.resolve("pid"));
        Files.createSymbolicLink(namespaces.resolve("pid"), Path.of("pid:[4026532281]"));
        assertThat(new Proc(root).hasKernelsNumbers()).isFalse();
    }

    @Test
    void theSystemCallOfASleepingThreadIsRead() throws IOException {
        Path task = Files.createDirectories(root.resolve("7/task/8"));
        Files.writeString(task.resolve("schedstat"), "123456 789 3\n");
        Files.writeString(task.resolve("syscall"), "0 0x5 0x7f01 0x400 0x0 0x0 0x0 0x7ffd1234 0x7f02abcd\n");
        assertThat(new Proc(root).inKernel(7, 8)).isEqualTo(new Proc.InKernel(0, 0x7ffd1234L));
        assertThat(new Proc(root).ranNs(7, 8)).isEqualTo(123_456);

        Files.writeString(task.resolve("syscall"), "running\n");
        assertThat(new Proc(root).inKernel(7, 8)).isNull();
        Files.writeString(task.resolve("syscall"), "-1 0x7ffd1234 0x7f02abcd\n");
        assertThat(new Proc(root).inKernel(7, 8)).isNull();
        assertThat(new Proc(root).inKernel(7, 9)).isNull();
        assertThat(new Proc(root).ranNs(7, 9)).isEqualTo(-1);
    }
}
