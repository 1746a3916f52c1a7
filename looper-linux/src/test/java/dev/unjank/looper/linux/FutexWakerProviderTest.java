package dev.unjank.looper.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The platforms with and without the futex waker; a JVM without permission prints no warning. */
class FutexWakerProviderTest {
    @ParameterizedTest
    @CsvSource({
        "Linux, amd64, 202",
        "Linux, x86_64, 202",
        "Linux, aarch64, 98",
        "Linux, riscv64, -1",
        "Linux, x86, -1",
        "Mac OS X, aarch64, -1",
        "Windows 11, amd64, -1",
    })
    void theSystemCallHasANumberWhereItIsKnown(String os, String architecture, long number) {
        assertThat(FutexWakerProvider.systemCall(os, architecture)).isEqualTo(number);
    }

    @Test
    void thereIsNoObstacleHere() {
        assertThat(new FutexWakerProvider().obstacle()).isEmpty();
    }

    private static String runJvm(String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), WakerNameProgram.class.getName()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (InputStream output = process.getInputStream()) {
            String text = new String(output.readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor();
            return text.strip();
        }
    }

    @Test
    void withoutPermissionALoopParksAndTheJvmPrintsNoWarning() throws Exception {
        assertThat(runJvm()).isEqualTo("waker=parking");
    }

    @Test
    void withPermissionItIsTheFutex() throws Exception {
        assertThat(runJvm("--enable-native-access=ALL-UNNAMED")).isEqualTo("waker=futex");
    }

    @Test
    void withoutPermissionTheForcedFutexIsOneClearError() throws Exception {
        assertThat(runJvm("-Dunjank.waker=futex"))
                .isEqualTo("-Dunjank.waker=futex: native access is not enabled; start java with"
                        + " --enable-native-access=ALL-UNNAMED");
    }
}
