package dev.unjank.lab.inversion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContentionTest {

    @TempDir
    private Path folder;

    @Test
    void whatIsWrittenIsRead() throws IOException {
        List<Contention> waits =
                List.of(new Contention(46_403_309_126_551L, 46_403_409_126_551L, 12, 34), new Contention(1, 2, 3, 4));
        Path file = folder.resolve("waits");

        assertThatThrownBy(() -> Contention.write(waits, file))
                .as("whoever wants them has gone")
                .isInstanceOf(NoSuchFileException.class);
        Files.createFile(file);
        Contention.write(waits, file);

        assertThat(Contention.read(file)).isEqualTo(waits);
    }
}
