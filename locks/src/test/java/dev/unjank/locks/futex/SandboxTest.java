package dev.unjank.locks.futex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.linux.Futex;
import dev.unjank.locks.PriorityTier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Refused calls are reported, and the locks use what is left. */
class SandboxTest {

    private static final long LONG_SECONDS = 300;

    /** The last and most important waiter comes first. */
    private static final String ORDER = "[REAL_TIME, VIP, ORDINARY]";

    private static final List<String> LOCKS =
            List.of("VipLock: " + ORDER, "VipReadWriteLock: " + ORDER, "VipSemaphore: " + ORDER, "Condition: true");

    @TempDir
    private Path folder;

    private String run(List<String> options, Class<?> program, String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        command.addAll(List.of(arguments));
        Path logging = Files.writeString(folder.resolve("logging.properties"), """
                .level = FINE
                handlers = java.util.logging.ConsoleHandler
                java.util.logging.ConsoleHandler.level = FINE
                """);
        command.add(1, "-Djava.util.logging.config.file=" + logging);
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean hasEnded = process.waitFor(LONG_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly();
        String said = Files.readString(output);
        assertThat(hasEnded).as("ends, having said: " + said).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }

    @Test
    void aFilterThatForbidsCallsIsFoundOut() throws Exception {
        assumeTrue(System.getProperty("os.arch").equals("amd64"), "the numbers of the calls are those of x86-64");
        assumeTrue(Futex.piObstacle() == null, Futex::piObstacle);

        String said = run(List.of("--enable-native-access=ALL-UNNAMED"), SeccompProgram.class);

        assumeTrue(!said.contains("no filter"), "this system does not permit seccomp filters");
        assertThat(said)
                .contains("pi: futexes with priority inheritance: ENOSYS")
                .contains("PiMutex: futexes with priority inheritance: ENOSYS")
                .contains("FutexMutex: fine")
                .contains("best: TWO_CALLS")
                .contains("same: cannot bind a thread to a processor: sched_setaffinity: ENOSYS")
                .contains("tier: ORDERING")
                .contains(LOCKS);
        assertThat(said.lines().filter(line -> line.contains("locks: ORDERING")))
                .as(said)
                .singleElement()
                .asString()
                .contains("cannot lend nice values: sched_setattr: ENOSYS");
    }

    /** Which has no limit of time on the clock of System.nanoTime for these. */
    @Test
    void aKernelBefore514IsWaitedInByItsOtherClock() throws Exception {
        assumeTrue(System.getProperty("os.arch").equals("amd64"), "the numbers of the calls are those of x86-64");
        assumeTrue(Futex.piObstacle() == null, Futex::piObstacle);

        String said = run(List.of("--enable-native-access=ALL-UNNAMED"), SeccompProgram.class, "old");

        assumeTrue(!said.contains("no filter"), "this system does not permit seccomp filters");
        assertThat(said).contains("in 20 ms: false").contains("in 30 s: true");
    }

    @Test
    void aTierThatIsTakenAwayIsGivenUpWithOneWarning() throws Exception {
        assumeTrue(System.getProperty("os.arch").equals("amd64"), "the numbers of the calls are those of x86-64");
        assumeTrue(PriorityTier.current().compareTo(PriorityTier.LENDING) >= 0, PriorityTier::explanation);

        String said = run(List.of("--enable-native-access=ALL-UNNAMED"), SeccompProgram.class, "late");

        assumeTrue(!said.contains("no filter"), "this system does not permit seccomp filters");
        assertThat(said).contains("before: " + PriorityTier.current()).contains("after: ORDERING");
        assertThat(said.lines().filter(line -> line.contains("the kernel refused")))
                .as(said)
                .singleElement()
                .asString()
                .contains("WARNING", "ORDERING", "ENOSYS");
    }

    /** Another system is recognized by its name: no other query precedes that, and no call of Linux follows it. */
    @ParameterizedTest
    @CsvSource({
        "-Dos.name=Mac OS X, 'this is Mac OS X, not Linux'",
        "-Dos.name=Windows 11, 'this is Windows 11, not Linux'",
        "-Dos.arch=riscv64, the system call numbers of riscv64 are unknown",
        "--illegal-native-access=deny, native access is not enabled: give java --enable-native-access=ALL-UNNAMED"
    })
    void whereNothingOfLinuxCanBeHadTheRestWorks(String option, String reason) throws Exception {
        assumeTrue(Futex.obstacle() == null, Futex::obstacle);

        String said = run(
                option.startsWith("-D") ? List.of("--enable-native-access=ALL-UNNAMED", option) : List.of(option),
                UnprivilegedProgram.class);

        for (String name : List.of("FutexMutex", "FutexReadWriteLock", "PiMutex", "TWO_CALLS", "SAME_PROCESSOR")) {
            assertThat(said).contains(name + ": refused, " + reason);
        }
        assertThat(said)
                .contains("PARKING: can be had")
                .contains("best: PARKING, answers 42")
                .contains(LOCKS)
                .contains("tier: ORDERING");
        assertThat(said.lines().filter(line -> line.contains("locks: ")))
                .as(said)
                .singleElement()
                .asString()
                .contains("ORDERING (" + reason + ")");
    }
}
