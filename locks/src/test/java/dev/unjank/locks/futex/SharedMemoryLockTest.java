package dev.unjank.locks.futex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.linux.Futex;
import dev.unjank.locks.TestThreads;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** This Java VM and another process, a C program or another Java VM, lock the same words. */
class SharedMemoryLockTest {
    private static final long LONG_SECONDS = 300;

    @TempDir
    private Path folder;

    /** The other process. */
    enum Peer {
        C,
        JAVA
    }

    @BeforeEach
    void possible() {
        assumeTrue(Futex.obstacle() == null, Futex::obstacle);
        assumeTrue(Futex.piObstacle() == null, Futex::piObstacle);
    }

    private Path zeros() throws IOException {
        return Files.write(folder.resolve("words"), new byte[SharedFileLocks.SIZE]);
    }

    private Process start(Peer peer, Path file, String mode, int times) throws Exception {
        List<String> command = switch (peer) {
            case C -> List.of(compiled().toString());
            case JAVA ->
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SharedFileLocks.class.getName());
        };
        ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command));
        builder.command().addAll(List.of(file.toString(), mode, String.valueOf(times)));
        return builder.redirectErrorStream(true)
                .redirectOutput(output().toFile())
                .start();
    }

    /** The C program, if this machine has a compiler. */
    private Path compiled() throws Exception {
        Path source = folder.resolve("peer.c");
        try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream("peer.c"))) {
            Files.write(source, in.readAllBytes());
        }
        Path program = folder.resolve("peer");
        Process compiler;
        try {
            compiler = new ProcessBuilder(
                            "cc", "-std=gnu11", "-O2", "-Wall", "-Werror", "-o", program.toString(), source.toString())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            assumeTrue(false, "this machine has no C compiler: " + e.getMessage());
            throw e;
        }
        String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(compiler.waitFor()).as(said).isZero();
        return program;
    }

    private Path output() {
        return folder.resolve("output");
    }

    private void assertFine(Process process) throws Exception {
        boolean hasEnded = process.waitFor(LONG_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly();
        String said = Files.readString(output());
        assertThat(hasEnded).as("ends, having said: " + said).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "C, mutex, 50000",
        "JAVA, mutex, 20000",
        "C, pi, 5000",
        "JAVA, pi, 5000",
        "C, rw, 20000",
        "JAVA, rw, 20000",
        "C, turns, 1500",
        "JAVA, turns, 1500"
    })
    void mutualExclusionBetweenProcesses(Peer peer, String mode, int times) throws Exception {
        Path file = zeros();
        try (Arena arena = Arena.ofShared()) {
            SharedFileLocks words = new SharedFileLocks(file, arena);
            Process process = start(peer, file, mode, times);
            boolean takesTurns = mode.equals("turns");
            int here = takesTurns ? 1 : 3;
            try (TestThreads threads = new TestThreads()) {
                for (int i = 0; i < here; i++) {
                    threads.start(() -> words.act(mode, times, 0));
                }
            }
            assertFine(process);
            int sections = (here + 1) * times;
            assertThat(words.count()).isEqualTo(mode.equals("rw") ? sections / 4 : sections);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aProcessThatDiesLeavesTheMutexToTheNextThread(Peer peer) throws Exception {
        Path file = zeros();
        assertFine(start(peer, file, "die", 1));
        try (Arena arena = Arena.ofShared()) {
            PiMutex mutex = new SharedFileLocks(file, arena).pi();

            assertThatThrownBy(mutex::lock).isInstanceOf(OwnerDiedException.class);
            mutex.unlock();
            assertThat(mutex.isLocked()).isFalse();
        }
    }

    /** The mutex without an owner's number stays taken; the one with it reports the death. */
    @Test
    void aProcessThatIsKilledLeavesTheFutexMutexTakenAndThePiMutexToTheNext() throws Exception {
        Path file = zeros();
        try (Arena arena = Arena.ofShared()) {
            SharedFileLocks words = new SharedFileLocks(file, arena);
            FutexMutex mutex = words.mutex();
            PiMutex pi = words.pi();
            Process process = start(Peer.JAVA, file, "hold", 1);
            TestThreads.until(() -> pi.isLocked() || !process.isAlive());
            assertThat(mutex.isLocked()).isTrue();
            try (TestThreads threads = new TestThreads()) {
                TestThreads.Task<Void> waiter = threads.start(
                        () -> assertThatThrownBy(mutex::lockInterruptibly).isInstanceOf(InterruptedException.class));
                assertThat(mutex.tryLock(20, TimeUnit.MILLISECONDS))
                        .as("while the owner lives")
                        .isFalse();

                process.destroyForcibly(); // SIGKILL
                assertThat(process.waitFor()).isEqualTo(128 + 9);

                assertThat(mutex.tryLock()).isFalse();
                assertThat(mutex.tryLock(20, TimeUnit.MILLISECONDS)).isFalse();
                assertThat(mutex.isLocked()).isTrue();
                assertThat(waiter.thread().isAlive()).as("waits still").isTrue();
                assertThatThrownBy(mutex::unlock).isInstanceOf(IllegalMonitorStateException.class);
                waiter.thread().interrupt();
            }
            assertThatThrownBy(() -> pi.tryLock(300, TimeUnit.SECONDS)).isInstanceOf(OwnerDiedException.class);
            pi.unlock();
            assertThat(pi.tryLock()).isTrue();
            pi.unlock();
        }
    }

    @Test
    void aThreadThatEndsLeavesTheFutexMutexTakenAndThePiMutexToTheNext() throws Exception {
        try (Arena arena = Arena.ofShared()) {
            SharedFileLocks words = new SharedFileLocks(zeros(), arena);
            FutexMutex mutex = words.mutex();
            PiMutex pi = words.pi();
            Thread owner = Thread.ofPlatform().start(() -> {
                mutex.lock();
                pi.lock();
            });
            owner.join();

            assertThat(mutex.tryLock(20, TimeUnit.MILLISECONDS)).isFalse();
            assertThat(mutex.isLocked()).isTrue();
            assertThatThrownBy(mutex::unlock).isInstanceOf(IllegalMonitorStateException.class);
            assertThatThrownBy(() -> pi.tryLock(300, TimeUnit.SECONDS)).isInstanceOf(OwnerDiedException.class);
            pi.unlock();
        }
    }
}
