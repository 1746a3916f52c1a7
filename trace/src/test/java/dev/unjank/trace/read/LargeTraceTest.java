package dev.unjank.trace.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.scene.LauncherExample;
import dev.unjank.scene.TraceInvariants;
import dev.unjank.scene.TraceRepeater;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Trace;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A trace large enough for several threads: the result is the same as with one. */
class LargeTraceTest {
    @TempDir
    Path folder;

    /** Counts the threads that a thread starts, directly and indirectly. */
    private static final InheritableThreadLocal<AtomicInteger> BEGUN = new InheritableThreadLocal<>() {
        @Override
        protected AtomicInteger childValue(AtomicInteger count) {
            count.incrementAndGet();
            return count;
        }
    };

    @Test
    void severalThreadsReadTheSameAsOne() throws IOException {
        Path packed = folder.resolve("large.gz");
        Path plain = large();
        try (InputStream in = Files.newInputStream(plain);
                OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            in.transferTo(out);
        }
        Trace many = TraceReader.read(plain);
        TraceInvariants.check(many);
        assertThat(many.warnings()).isEmpty();
        assertSame(many, TraceReader.read(packed)); // unpacked and read sequentially, bundle after bundle
    }

    @Test
    void aSingleThreadedReadStartsNoThread() throws IOException {
        Path file = large();
        AtomicInteger begun = new AtomicInteger();
        BEGUN.set(begun);
        try {
            Trace alone = TraceReader.read(file, Runnable::run);
            assertThat(begun.get())
                    .as("threads started by a single-threaded read")
                    .isZero();
            Trace many = TraceReader.read(file, task -> new Thread(task).start());
            assertThat(begun.get())
                    .as("threads started by the executor of a read")
                    .isPositive();
            assertSame(many, alone);
        } finally {
            BEGUN.remove();
        }
    }

    private Path large() throws IOException {
        Path file = folder.resolve("large");
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            TraceRepeater.repeat(LauncherExample.trace(), 24 << 20, out);
        }
        return file;
    }

    private static void assertSame(Trace many, Trace one) {
        assertThat(many.strings().size()).isEqualTo(one.strings().size());
        assertThat(many.threads().size()).isEqualTo(one.threads().size());
        ThreadStates states = many.threadStates();
        assertThat(states.size()).isEqualTo(one.threadStates().size()).isGreaterThan(100_000);
        for (int row = 0; row < states.size(); row++) {
            if (states.ts(row) != one.threadStates().ts(row)
                    || states.state(row) != one.threadStates().state(row)
                    || states.waker(row) != one.threadStates().waker(row)
                    || states.priority(row) != one.threadStates().priority(row)) {
                assertThat(row).as("a row of thread states that differs").isEqualTo(-1);
            }
        }
        Slices slices = many.slices();
        assertThat(slices.size()).isEqualTo(one.slices().size()).isGreaterThan(50_000);
        for (int row = 0; row < slices.size(); row++) {
            if (slices.ts(row) != one.slices().ts(row)
                    || slices.dur(row) != one.slices().dur(row)
                    || slices.depth(row) != one.slices().depth(row)
                    || !slices.name(row).equals(one.slices().name(row))) {
                assertThat(row).as("a row of slices that differs").isEqualTo(-1);
            }
        }
    }
}
