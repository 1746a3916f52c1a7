package dev.unjank.scene;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LauncherExampleTest {
    @Test
    void makesExactlyTheCommittedFile(@TempDir Path dir) throws IOException {
        Path committed = Path.of(System.getProperty("unjank.root"), "examples", "launcher-inversion.pftrace");
        Path made = dir.resolve("made.pftrace");
        LauncherExample.main(new String[] {made.toString()});
        assertThat(made).hasSameBinaryContentAs(committed);
        assertThat(Files.size(made)).as("a few kB").isLessThan(8 * 1024);
    }
}
