package dev.unjank.record.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.record.linux.FileCalls;
import dev.unjank.record.linux.Libc;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class OutputPipeTest {
    @TempDir
    private Path folder;

    /** Another user puts an own file in the pipe's place. It must not be overwritten. */
    @Test
    void theFileThatWasCheckedIsTheOneThatIsWritten() throws Exception {
        Path file = pipe();
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

    /** More than the pipe holds: writing waits for the reader. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aLongContentIsWrittenCompletely() throws Exception {
        Path file = pipe();
        byte[] content = new byte[1 << 18];
        new Random(1).nextBytes(content);
        Path copy = folder.resolve("copy");
        Process reader = new ProcessBuilder("cat", file.toString())
                .redirectOutput(copy.toFile())
                .start();
        try (OutputStream out = awaitedReader(file)) {
            out.write(content, 0, 1);
            out.write(content, 1, content.length - 1);
        }
        assertThat(reader.waitFor()).isZero();
        assertThat(copy).hasBinaryContent(content);
    }

    private static OutputStream awaitedReader(Path file) throws IOException {
        while (true) {
            try {
                return Objects.requireNonNull(OutputPipe.open(file));
            } catch (FileSystemException e) {
                Thread.onSpinWait(); // no reader yet
            }
        }
    }

    /** The reader leaves a moment after the opening has begun, in each round a little later. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void openingDoesNotWaitForAReaderWhoLeaves() throws Exception {
        Path file = pipe();
        for (int round = 0; round < 1_000; round++) {
            int reader = FileCalls.open(file.toString(), FileCalls.READ | FileCalls.NONBLOCK);
            int spins = round * 10;
            CountDownLatch begun = new CountDownLatch(1);
            Thread leaving = Thread.ofPlatform().daemon().start(() -> {
                begun.countDown();
                for (int i = 0; i < spins; i++) {
                    Thread.onSpinWait();
                }
                FileCalls.close(reader);
            });
            begun.await();
            try (OutputStream out = OutputPipe.open(file)) {
                assertThat(out).isNotNull();
            } catch (FileSystemException e) {
                assertThat(e).hasMessageContaining("no program reads");
            }
            leaving.join();
        }
    }

    @Test
    void writingFailsWithoutAReader() throws Exception {
        Path file = pipe();
        OutputStream out;
        try (FileChannel _ = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            out = Objects.requireNonNull(OutputPipe.open(file));
        }
        assertThatThrownBy(() -> out.write('a')).isInstanceOf(IOException.class).hasMessageContaining("Broken pipe");
        out.close();
        out.close();
        assertThatThrownBy(() -> out.write('a')).as("closed").isInstanceOf(ClosedChannelException.class);
    }

    private Path pipe() throws Exception {
        Path file = folder.resolve("pipe");
        assumeTrue(Libc.isAvailable(), "no system calls here");
        assumeTrue(new ProcessBuilder("mkfifo", file.toString()).start().waitFor() == 0, "there is no mkfifo here");
        return file;
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
