package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.record.session.RecordingFile;
import dev.unjank.record.session.RevocableSink;
import dev.unjank.record.session.Rotation;
import dev.unjank.record.session.TraceSink;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a thread finds after it was given up does not come into the trace, also while the file is still open for others.
 */
class RevocableSinkTest {
    private static final int PID = 4711;

    @TempDir
    Path folder;

    private static void slice(TraceSink to, String name) {
        long now = System.nanoTime();
        to.slice(now, now, PID, PID, "test", name);
    }

    @Test
    void whatComesLaterIsRefused() throws IOException {
        Path file = folder.resolve("trace");
        try (RecordingFile out = RecordingFile.open(file, Rotation.NONE, PID)) {
            out.begin(() -> 0);
            RevocableSink reader = new RevocableSink(out);
            slice(reader, "before");
            reader.revoke();

            assertThatThrownBy(() -> slice(reader, "after")).isInstanceOf(CancellationException.class);
            assertThatThrownBy(() -> reader.thread(PID, PID + 1, "late")).isInstanceOf(CancellationException.class);
            assertThatThrownBy(() -> reader.lost("late", 1)).isInstanceOf(CancellationException.class);
            assertThatThrownBy(() -> reader.ended("late", "late")).isInstanceOf(CancellationException.class);
            assertThatThrownBy(() -> reader.unlessRevoked(() -> slice(out, "late")))
                    .isInstanceOf(CancellationException.class);
            slice(out, "of another");
        }
        assertThat(RecordedTarget.read(file).slices())
                .extracting(RecordedTarget.Slice::name)
                .contains("before", "of another")
                .doesNotContain("after", "late");
    }

    /** Once it is revoked, no batch is under way. */
    @Test
    void theBatchThatIsUnderWayIsAwaited() throws Exception {
        try (RecordingFile out = RecordingFile.open(folder.resolve("trace"), Rotation.NONE, PID)) {
            out.begin(() -> 0);
            RevocableSink reader = new RevocableSink(out);
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch goOn = new CountDownLatch(1);
            AtomicBoolean written = new AtomicBoolean();
            FutureTask<Void> batch = new FutureTask<>(() -> {
                reader.write(to -> {
                    begun.countDown();
                    try {
                        goOn.await();
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                    written.set(true);
                });
                return null;
            });
            Thread.ofPlatform().start(batch);
            begun.await();
            goOn.countDown();
            reader.revoke();

            assertThat(written).isTrue();
            batch.get();
        }
    }
}
