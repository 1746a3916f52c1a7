package dev.unjank.record.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.record.linux.FileCalls;
import dev.unjank.record.linux.Libc;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputPipeTest {
    @TempDir
    private Path folder;

    /** Another user puts an own file in the pipe's place. It must not be overwritten. */
    @Test
    void theFileThatWasCheckedIsTheOneThatIsWritten() throws Exception {
        Path file = folder.resolve("pipe");
        assumeTrue(Libc.isAvailable(), "no system calls here");
        assumeTrue(new ProcessBuilder("mkfifo", file.toString()).start().waitFor() == 0, "there is no mkfifo here");
        int held = FileCalls.open(file.toString(), FileCalls.PATH);
        // for reading and writing: does not wait for a writer
        try (FileChannel reader = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            Files.delete(file);
            Files.writeString(file, "of another");
            try (OutputStream out = OutputPipe.toReader(held, file)) {
                assertThat(out).isNotNull();
                out.write('a');
            }
            ByteBuffer read = ByteBuffer.allocate(1);
            assertThat(reader.read(read)).isEqualTo(1);
            assertThat(read.get(0)).isEqualTo((byte) 'a');
        } finally {
            FileCalls.close(held);
        }
        assertThat(file).hasContent("of another");
    }

    @Test
    void onlyAPipeIsOpened() throws Exception {
        assumeTrue(Libc.isAvailable(), "no system calls here");
        Path file = Files.writeString(folder.resolve("file"), "kept");
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        assertThat(OutputPipe.open(file)).isNull();
        assertThat(OutputPipe.open(link)).isNull();
        assertThat(OutputPipe.open(folder)).isNull();
        assertThat(file).hasContent("kept");
    }
}
