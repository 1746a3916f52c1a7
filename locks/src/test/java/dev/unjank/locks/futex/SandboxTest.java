package dev.unjank.locks.futex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.linux.Futex;
import dev.unjank.locks.Tier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where something is forbidden, it is said, and what can be had instead is used. */
@Timeout(60)
class SandboxTest {

    private static final long LONG_SECONDS = 40;

    @TempDir
    private Path folder;

    private String run(List<String> options, Class<?> program, String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        command.addAll(List.of(arguments));
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

        String said = run(List.of("--enable-native-access=ALL-UNNAMED"), Sandboxed.class);

        assumeTrue(!said.contains("no filter"), "this system lets nobody install a filter");
        assertThat(said)
                .contains("pi: futexes with priority inheritance: ENOSYS")
                .contains("PiMutex: futexes with priority inheritance: ENOSYS")
                .contains("FutexMutex: fine")
                .contains("best: TWO_CALLS")
                .contains("same: a thread may not be bound to a processor: sched_setaffinity: ENOSYS")
                .contains("tier: ORDERING");
    }

    @Test
    void aTierThatIsTakenAwayIsGivenUpWithOneWarning() throws Exception {
        assumeTrue(System.getProperty("os.arch").equals("amd64"), "the numbers of the calls are those of x86-64");
        assumeTrue(Tier.current().compareTo(Tier.LENDING) >= 0, Tier::explanation);

        String said = run(List.of("--enable-native-access=ALL-UNNAMED"), Sandboxed.class, "late");

        assumeTrue(!said.contains("no filter"), "this system lets nobody install a filter");
        assertThat(said).contains("before: " + Tier.current()).contains("after: ORDERING");
        assertThat(said.lines().filter(line -> line.contains("the kernel refused")))
                .as(said)
                .singleElement()
                .asString()
                .contains("WARNING", "ORDERING", "ENOSYS");
    }

    @Test
    void withoutNativeAccessNothingIsTried() throws Exception {
        assumeTrue(Futex.obstacle() == null, Futex::obstacle);

        // enabled for a module that is not there is enabled for nobody else
        String said = run(List.of("--illegal-native-access=deny"), WithoutAccess.class);

        assertThat(said)
                .contains("native access is not enabled: give java --enable-native-access=ALL-UNNAMED")
                .contains("PARKING")
                .contains("ORDERING");
    }
}
