package dev.unjank.looper.platform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.looper.Looper;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * A looper needs no module but java.base: without the Flight Recorder and management it works and reports what is
 * missing.
 */
class JavaBaseOnlyTest {
    private static String placeOf(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
    }

    @Test
    void everythingWorksInAVirtualMachineWithJavaBaseAlone()
            throws IOException, InterruptedException, URISyntaxException {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--limit-modules",
                        "java.base",
                        "-cp",
                        placeOf(Looper.class)
                                + System.getProperty("path.separator")
                                + placeOf(JavaBaseOnlyProgram.class),
                        JavaBaseOnlyProgram.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor()).as(output).isZero();
        assertThat(output)
                .contains("modules: [module java.base]")
                .contains("looper main is stalled by a delivery, for 200 ms: Handler (dev.unjank.looper.Handler) {")
                .contains("    at dev.unjank.looper.platform.JavaBaseOnlyProgram.")
                .contains("The module java.management is missing: owners of locks are unknown.")
                .contains("looper main is no longer stalled by a delivery, after 200 ms: ")
                .contains("runs 1 (p50 200 ms, p99 200 ms, max 200 ms)");
    }
}
