package dev.unjank.trace.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.model.Callstacks;
import dev.unjank.trace.model.StackSamples;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.trace.write.PerfSampleWriter.Call;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program whose stacks are all different does not fill the memory, and its samples are right nevertheless. */
class PerfSampleWriterTest {
    private static final int DEPTH = 1 << 10;

    /** Two times as many calls as are kept. */
    private static final int SAMPLES = 2 * PerfSampleWriter.MOST_CALLS / DEPTH;

    @TempDir
    private Path folder;

    @Test
    void aSequenceOfOnlyNewStacksBeginsAnew() throws IOException {
        Path file = folder.resolve("samples.pftrace");
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file));
                TraceWriter writer = new TraceWriter(out, WireFormat.PLAIN)) {
            PerfSampleWriter samples = writer.perfSamples(TraceClock.BOOTTIME);
            for (int i = 0; i < SAMPLES; i++) {
                samples.sample(1_000_000L + i, 0, 10, 10, stack(i));
            }
        }
        Trace trace = TraceReader.read(file);
        StackSamples samples = trace.samples();
        Callstacks calls = trace.callstacks();
        assertThat(samples.size()).isEqualTo(SAMPLES);
        for (int row = 0; row < SAMPLES; row++) {
            int call = samples.callstack(row);
            assertThat(calls.name(call)).isEqualTo("inner" + row);
            assertThat(calls.name(calls.parent(call))).isEqualTo("outer" + (DEPTH - 2));
        }
    }

    private static List<Call> stack(int number) {
        List<Call> stack = new ArrayList<>();
        for (int depth = 0; depth < DEPTH - 1; depth++) {
            stack.add(new Call("outer" + depth, "/a/b"));
        }
        stack.add(new Call("inner" + number, ""));
        return stack;
    }
}
