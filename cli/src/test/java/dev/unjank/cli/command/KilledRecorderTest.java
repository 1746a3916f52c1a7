package dev.unjank.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.cli.CommandProcessTest;
import dev.unjank.cli.CommandRun;
import dev.unjank.cli.ContendedProgram;
import dev.unjank.record.kernel.KernelSource;
import dev.unjank.record.session.FileOwnership;
import dev.unjank.trace.read.TraceReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Recorders that are killed with SIGKILL at random moments, of their process or of their recording: their files can be
 * read, and after one more recording nothing of theirs is left in the kernel or in the target. Without root the test is
 * reported as skipped at its end, since what is left in the kernel cannot be looked at.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "attaching to a process needs Linux here")
@Timeout(value = 3_000, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledRecorderTest {
    /** How many recorders the long test kills. */
    private static final int KILLS = Integer.getInteger("unjank.kills", 100);

    private static final long SEED = Long.getLong("unjank.seed", System.nanoTime());
    private static final int FIRST_MILLIS = 200;
    private static final int LAST_MILLIS = 6_000;

    @TempDir
    private Path folder;

    private Process target;
    private String pid;
    private List<String> mounts;
    private final List<Long> recorders = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        mounts = recorderMounts();
        target = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+EnableDynamicAgentLoading",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ContendedProgram.class.getName())
                .redirectError(Redirect.DISCARD)
                .start();
        BufferedReader says = target.inputReader(StandardCharsets.UTF_8);
        assertThat(says.readLine()).isEqualTo("ready");
        Thread.ofPlatform().daemon().start(() -> says.lines().forEach(_ -> {}));
        pid = Long.toString(target.pid());
    }

    @AfterEach
    void stop() {
        target.destroyForcibly();
    }

    @Test
    @Tag("slow")
    void whatThreeKilledOnesLeaveIsReadAndRemoved() throws Exception {
        kill(3);
    }

    @Test
    @Tag("long")
    void whatManyKilledOnesLeaveIsReadAndRemoved() throws Exception {
        kill(KILLS);
    }

    private void kill(int count) throws Exception {
        System.out.println("kills: " + count + ", seed " + SEED + " (-Dunjank.seed)");
        Random random = new Random(SEED);
        Path whole = folder.resolve("whole.pftrace");
        Path ring = folder.resolve("ring.pftrace");
        int readable = 0;
        for (int i = 0; i < count; i++) {
            boolean isRing = i % 2 == 0;
            Path file = isRing ? ring : whole;
            boolean hasBegun = i % 4 >= 2;
            long millis = random.nextInt(FIRST_MILLIS, LAST_MILLIS);
            Process recorder = recorder(file, isRing, random.nextInt(3) == 0);
            if (hasBegun) {
                awaitRecording(recorder, file);
            }
            boolean hasEnded = recorder.waitFor(millis, TimeUnit.MILLISECONDS);
            recorder.destroyForcibly().waitFor();
            String said = Files.readString(folder.resolve("said"));
            assertThat(hasEnded).as(said).isFalse();
            readable += read(
                    file,
                    "kill %d, %d ms after its %s: %s".formatted(i, millis, hasBegun ? "recording" : "process", said));
        }
        System.out.println("kills with something to be read: " + readable);
        assertThat(readable).isGreaterThanOrEqualTo(count / 4 + (count % 4 == 3 ? 1 : 0));

        for (Path file : List.of(whole, ring)) {
            CommandRun last = CommandRun.of("record", "--pid", pid, "-o", file.toString(), "--duration", "2s");
            assertThat(last.code()).as(last.err()).isZero();
            assertThat(TraceReader.read(file).warnings()).isEmpty();
        }
        Files.delete(folder.resolve("said"));
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactlyInAnyOrder(whole, ring);
        }
        assertTargetIsAsBefore();
        assertKernelIsAsBefore();
    }

    /** On a busy machine a recorder takes seconds to begin, so that of some the time is counted from there. */
    private static void awaitRecording(Process recorder, Path file) throws Exception {
        Object before = inode(file);
        while (recorder.isAlive() && inode(file).equals(before)) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    /** Another one when the recording has begun; 0 if there is no file. */
    private static Object inode(Path file) throws IOException {
        try {
            return Files.size(file) == 0 ? 0 : Files.getAttribute(file, "unix:ino");
        } catch (NoSuchFileException e) {
            return 0;
        }
    }

    private Process recorder(Path file, boolean isRing, boolean isCritical) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("record", "--pid", pid, "-o", file.toString()));
        if (isRing) {
            arguments.addAll(List.of("--ring", "1s"));
        }
        if (isCritical) {
            arguments.add("--critical");
        }
        Process recorder = new ProcessBuilder(
                        CommandProcessTest.command(List.of("--enable-native-access=ALL-UNNAMED"), arguments))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start();
        recorders.add(recorder.pid());
        return recorder;
    }

    /** Reads each file that a user is left with, and all of them together; 1 if there is one that is not empty. */
    private int read(Path file, String kill) throws IOException {
        List<Path> left = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            String name = file.getFileName().toString();
            for (Path each : files.toList()) {
                String other = each.getFileName().toString();
                if ((other.equals(name) || other.startsWith(name + ".part")) && Files.size(each) > 0) {
                    left.add(each);
                }
            }
        }
        for (Path each : left) {
            assertThat(TraceReader.read(each).warnings()).as(kill).isEmpty();
        }
        if (!left.isEmpty()) {
            assertThat(TraceReader.read(left).warnings()).as(kill).isEmpty();
        }
        return left.isEmpty() ? 0 : 1;
    }

    // ---- what is left behind

    private void assertTargetIsAsBefore() throws Exception {
        assertThat(target.isAlive()).isTrue();
        await("threads of the observer", () -> linesOf(jcmd("Thread.print"), "unjank-"));
        await("recordings of Flight Recorder", () -> linesOf(jcmd("JFR.check"), "unjank-"));
        assertThat(leftInTemporary()).isEmpty();
    }

    private void assertKernelIsAsBefore() throws Exception {
        assumeTrue(
                FileOwnership.isRoot()
                        && new KernelSource((int) target.pid(), false, false)
                                .probe()
                                .isOn(),
                "files and target are as they should be; what is left in the kernel was not looked at: that needs root and tracefs");
        // other recorders on this machine may be using theirs
        await(
                "mounts",
                () -> recorderMounts().stream()
                        .filter(mount -> !mounts.contains(mount))
                        .toList());
        Path tracing = Files.createDirectory(folder.resolve("tracing"));
        assertThat(run("mount", "-t", "tracefs", "tracefs", tracing.toString())).isEmpty();
        try {
            List<String> left = new ArrayList<>(linesOf(Files.readString(tracing.resolve("uprobe_events")), "unjank_"));
            try (Stream<Path> instances = Files.list(tracing.resolve("instances"))) {
                instances.forEach(each -> left.add(each.getFileName().toString()));
            }
            for (long recorder : recorders) {
                assertThat(left)
                        .noneMatch(each -> each.startsWith("unjank-" + recorder + "-"))
                        .noneMatch(each -> each.contains("unjank_" + recorder + "_"));
            }
        } finally {
            assertThat(run("umount", tracing.toString())).isEmpty();
        }
    }

    /** What a recorder has left may end by itself, such as a recording of Flight Recorder when its time is over. */
    private static void await(String what, Callable<List<String>> left) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        List<String> now = left.call();
        while (!now.isEmpty() && System.nanoTime() - end < 0) {
            TimeUnit.MILLISECONDS.sleep(200);
            now = left.call();
        }
        assertThat(now).as(what).isEmpty();
    }

    private static List<String> recorderMounts() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/mounts")).stream()
                .filter(mount -> mount.startsWith("unjank ") && mount.contains(" tracefs "))
                .toList();
    }

    private List<Path> leftInTemporary() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/tmp"))) {
            return files.filter(each -> each.getFileName().toString().startsWith("unjank-" + pid + "-"))
                    .toList();
        }
    }

    private String jcmd(String command) throws Exception {
        return run(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(), pid, command);
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    private static List<String> linesOf(String text, String with) {
        return text.lines().filter(line -> line.contains(with)).toList();
    }
}
