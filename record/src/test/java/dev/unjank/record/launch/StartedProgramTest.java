package dev.unjank.record.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarInputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A program does nothing before it is released, and ends from every state. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "programs are held by means of Linux")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StartedProgramTest {
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration LONG = Duration.ofMinutes(2);

    @TempDir
    private Path folder;

    private final Path java = Path.of(System.getProperty("java.home"), "bin", "java");

    private static StartedProgram start(List<String> command) throws IOException {
        return Objects.requireNonNull(StartedProgram.start(command));
    }

    private static StartedProgram start(String... command) throws IOException {
        return start(List.of(command));
    }

    /** A program that makes a file and sleeps. */
    private StartedProgram shell() throws IOException {
        return start(
                "sh",
                "-c",
                "echo \"$1\" >\"$0\"; exec sleep 600",
                folder.resolve("made").toString(),
                "it's \"$HOME\"");
    }

    /** The same in Java; the class file is as old as the JVM. */
    private StartedProgram program(Path with) throws IOException {
        Path source = Files.writeString(folder.resolve("Made.java"), """
                public class Made {
                    public static void main(String[] args) throws Exception {
                        java.nio.file.Files.write(java.nio.file.Paths.get(args[0]), args[1].getBytes());
                        Thread.sleep(600_000);
                    }
                }
                """);
        return start(with.toString(), source.toString(), folder.resolve("made").toString(), "it's \"$HOME\"");
    }

    private void awaitMade() throws Exception {
        Path made = folder.resolve("made");
        while (Files.notExists(made) || Files.size(made) == 0) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        assertThat(Files.readString(made).strip())
                .as("arguments are passed as they are")
                .isEqualTo("it's \"$HOME\"");
    }

    private static List<Path> jars() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(file -> file.getFileName()
                            .toString()
                            .startsWith("unjank-hold-" + ProcessHandle.current().pid() + "-"))
                    .toList();
        }
    }

    @Test
    void aProgramIsHeldBeforeItsFirstInstruction() throws Exception {
        try (StartedProgram program = shell()) {
            assertThat(program.isJava()).isFalse();
            assertThat(program.awaitHeld(() -> false)).isTrue();
            assertThat(program.state()).isEqualTo(StartedProgram.State.HELD);
            assertThat(folder.resolve("made")).doesNotExist();

            program.release();
            awaitMade();
            assertThat(program.state()).isEqualTo(StartedProgram.State.RUNNING);
            assertThat(Files.readString(Path.of("/proc/" + program.pid() + "/comm")))
                    .as("the same process")
                    .isEqualTo("sleep\n");
            program.close(SHORT, LONG);
            assertThat(program.exitCode()).isEqualTo(128 + 15);
        }
    }

    @Test
    void aJvmIsHeldBeforeItsMain() throws Exception {
        isHeldBeforeItsMain(java);
    }

    /** A JVM that cannot load the agent would not start at all. */
    @Test
    void anOlderJvmIsHeldToo() throws Exception {
        Path older = Path.of(System.getProperty("unjank.java17", "/usr/lib/jvm/java-17-openjdk-amd64"), "bin", "java");
        assumeTrue(Files.isExecutable(older), "needs a JDK 17");
        isHeldBeforeItsMain(older);
    }

    private void isHeldBeforeItsMain(Path with) throws Exception {
        try (StartedProgram program = program(with)) {
            assertThat(program.isJava()).isTrue();
            assertThat(program.state()).isEqualTo(StartedProgram.State.STARTING);
            assertThat(program.awaitHeld(() -> false)).isTrue();
            assertThat(folder.resolve("made")).doesNotExist();

            program.release();
            awaitMade();
            program.close(SHORT, LONG);
            assertThat(program.exitCode()).isEqualTo(128 + 15);
            assertThat(jars()).isEmpty();
        }
    }

    @Test
    void itEndsBeforeItIsHeld() throws Exception {
        StartedProgram program = program(java);
        assertThat(program.awaitHeld(() -> true)).as("interrupted").isFalse();
        endsSoon(program);
    }

    @Test
    void itEndsWhileItIsHeld() throws Exception {
        StartedProgram jvm = program(java);
        assertThat(jvm.awaitHeld(() -> false)).isTrue();
        endsSoon(jvm);

        StartedProgram other = shell();
        assertThat(other.awaitHeld(() -> false)).isTrue();
        endsSoon(other);
    }

    @Test
    void itEndsWhenItHasJustBeenReleased() throws Exception {
        for (StartedProgram program : List.of(program(java), shell())) {
            assertThat(program.awaitHeld(() -> false)).isTrue();
            program.release();
            endsSoon(program);
        }
    }

    private static void endsSoon(StartedProgram program) throws Exception {
        program.close(SHORT, LONG);

        assertThat(program.handle().isAlive()).isFalse();
        assertThat(program.state()).isEqualTo(StartedProgram.State.ENDED);
        assertThat(program.exitCode()).as("not killed").isNotEqualTo(128 + 9);
        assertThat(jars()).isEmpty();
        program.close();
        program.release(); // does nothing
    }

    @Test
    void aProgramThatIgnoresSigtermIsKilled() throws Exception {
        StartedProgram program = start(
                "sh",
                "-c",
                "trap '' TERM; echo >\"$0\" x; while :; do sleep 0.1; done",
                folder.resolve("made").toString());
        program.release();
        while (Files.notExists(folder.resolve("made"))) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        program.close(SHORT, Duration.ofMillis(300));

        assertThat(program.exitCode()).isEqualTo(128 + 9);
    }

    @Test
    void aJvmThatDoesNotStartIsNotWaitedFor() throws Exception {
        try (StartedProgram program = start(java.toString(), "-XX:+NoSuchOption")) {
            assertThat(program.awaitHeld(() -> false)).isFalse();
            assertThat(program.exitCode()).isEqualTo(1);
        }
    }

    @Test
    void theExitCodeIsTheProgramsOwn() throws Exception {
        try (StartedProgram program = start("sh", "-c", "exit 7")) {
            program.release();
            program.handle().onExit().get();
            assertThat(program.exitCode()).isEqualTo(7);
        }
    }

    @Test
    void aProgramThatIsNotThereIsNotStarted() throws IOException {
        assertThat(StartedProgram.start(List.of("no-such-program-here"))).isNull();
        assertThat(StartedProgram.start(List.of(folder.toString()))).isNull();
    }

    /** The class of a newer version would end the JVM before main. */
    @Test
    void theHeldJvmMayBeAsOldAsJava8() throws IOException {
        try (JarInputStream jar = new JarInputStream(new ByteArrayInputStream(GateAgentJar.bytes()))) {
            assertThat(jar.getNextJarEntry().getName()).endsWith("MainMethodGate.class");
            byte[] file = jar.readAllBytes();
            assertThat(file[7]).isEqualTo((byte) 52);
            assertThat(new String(file, StandardCharsets.ISO_8859_1))
                    .as("nothing that Java 8 does not have")
                    .doesNotContain("StringConcatFactory", "LambdaMetafactory", "ObjectMethods", "SwitchBootstraps");
        }
    }
}
