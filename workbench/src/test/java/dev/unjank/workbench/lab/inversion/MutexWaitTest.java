package dev.unjank.workbench.lab.inversion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MutexWaitTest {

    @TempDir
    private Path folder;

    @Test
    void whatIsWrittenIsRead() throws IOException {
        List<MutexWait> waits =
                List.of(new MutexWait(46_403_309_126_551L, 46_403_409_126_551L, 12, 34), new MutexWait(1, 2, 3, 4));
        Path file = folder.resolve("waits");

        assertThatThrownBy(() -> MutexWait.write(waits, file))
                .as("their reader has gone")
                .isInstanceOf(NoSuchFileException.class);
        Files.createFile(file);
        MutexWait.write(waits, file);

        assertThat(MutexWait.read(file)).isEqualTo(waits);
    }
}
