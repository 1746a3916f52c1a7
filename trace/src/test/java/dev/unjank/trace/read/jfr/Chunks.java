package dev.unjank.trace.read.jfr;

import dev.unjank.trace.Trace;
import dev.unjank.trace.TraceBuilder;
import dev.unjank.trace.read.jfr.ChunkWriter.F;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Small recordings for tests, and what is read of them. Ticks are microseconds, and the first is at {@link #START_NS}. */
final class Chunks {
    static final long START_NS = 1_700_000_000_000_000_000L;
    static final long START_TICKS = 5_000_000;
    static final int PID = 4321;

    static final String MONITOR_ENTER = "jdk.JavaMonitorEnter";
    static final String PARK = "jdk.ThreadPark";
    static final String SAMPLE = "jdk.ExecutionSample";
    static final String INFORMATION = "jdk.JVMInformation";

    static final long MAIN = 1;
    static final long WORKER = 2;
    static final long SAVER = 3;

    private static final String AT_THREAD = "@" + ChunkWriter.THREAD;
    private static final String AT_STACK = "@" + ChunkWriter.STACK;
    private static final String AT_CLASS = "@" + ChunkWriter.CLASS;

    private Chunks() {}

    /** A chunk that knows the common kinds of events, and three threads: main (101), worker (102) and saver (103). */
    static ChunkWriter chunk() {
        return chunk(START_NS, START_TICKS);
    }

    static ChunkWriter chunk(long startNs, long startTicks) {
        ChunkWriter chunk = new ChunkWriter(startNs, startTicks, 1_000_000);
        chunk.eventType(
                MONITOR_ENTER,
                new F("startTime", ChunkWriter.LONG),
                new F("duration", ChunkWriter.LONG),
                new F("eventThread", AT_THREAD),
                new F("stackTrace", AT_STACK),
                new F("monitorClass", AT_CLASS),
                new F("previousOwner", AT_THREAD),
                new F("address", ChunkWriter.LONG));
        chunk.eventType(
                PARK,
                new F("startTime", ChunkWriter.LONG),
                new F("duration", ChunkWriter.LONG),
                new F("eventThread", AT_THREAD),
                new F("stackTrace", AT_STACK),
                new F("parkedClass", AT_CLASS));
        chunk.eventType(
                SAMPLE,
                new F("startTime", ChunkWriter.LONG),
                new F("sampledThread", AT_THREAD),
                new F("stackTrace", AT_STACK),
                new F("state", ChunkWriter.STRING));
        chunk.eventType(
                INFORMATION,
                new F("startTime", ChunkWriter.LONG),
                new F("javaArguments", ChunkWriter.STRING),
                new F("pid", ChunkWriter.LONG));
        chunk.thread(MAIN, 101, 1, "main").thread(WORKER, 102, 12, "worker").thread(SAVER, 103, 13, "saver");
        chunk.klass(7, "app/Store")
                .method(8, 7, "save", "(Ljava/lang/String;[I)V")
                .stack(9, 8, 42);
        return chunk;
    }

    /** Teaches a chunk a kind of events with a beginning and a length in front of its other fields. */
    static void kind(ChunkWriter chunk, String event, F... others) {
        List<F> fields =
                new ArrayList<>(List.of(new F("startTime", ChunkWriter.LONG), new F("duration", ChunkWriter.LONG)));
        fields.addAll(List.of(others));
        chunk.eventType(event, fields.toArray(F[]::new));
    }

    /** The same with a thread behind them. */
    static void kindOfThread(ChunkWriter chunk, String event, F... others) {
        List<F> fields = new ArrayList<>(List.of(new F("eventThread", AT_THREAD)));
        fields.addAll(List.of(others));
        kind(chunk, event, fields.toArray(F[]::new));
    }

    /** A wait of {@code thread} for the monitor at an address, in microseconds since the chunk's beginning. */
    static ChunkWriter enter(ChunkWriter chunk, long thread, long fromUs, long lengthUs, long owner, long address) {
        return enterOn(chunk, thread, fromUs, lengthUs, owner, address, 7);
    }

    /** The same for the monitor of an object of a class. */
    static ChunkWriter enterOn(
            ChunkWriter chunk, long thread, long fromUs, long lengthUs, long owner, long address, long klass) {
        return chunk.event(
                MONITOR_ENTER,
                out -> out.number(START_TICKS + fromUs)
                        .number(lengthUs)
                        .number(thread)
                        .number(9)
                        .number(klass)
                        .number(owner)
                        .number(address));
    }

    static ChunkWriter information(ChunkWriter chunk) {
        return chunk.event(
                INFORMATION,
                out -> out.number(START_TICKS).text("app.Main --fast").number(PID));
    }

    static ChunkWriter park(ChunkWriter chunk, long thread, long fromUs, long lengthUs) {
        return parkOn(chunk, thread, fromUs, lengthUs, 7, 9);
    }

    /** Parks on an object of a class, with a stack. */
    static ChunkWriter parkOn(ChunkWriter chunk, long thread, long fromUs, long lengthUs, long klass, long stack) {
        return chunk.event(
                PARK,
                out -> out.number(START_TICKS + fromUs)
                        .number(lengthUs)
                        .number(thread)
                        .number(stack)
                        .number(klass));
    }

    static ChunkWriter sample(ChunkWriter chunk, long thread, long atUs) {
        return chunk.event(
                SAMPLE,
                out -> out.number(START_TICKS + atUs).number(thread).number(9).text("STATE_RUNNABLE"));
    }

    /** A recording of two chunks in which main waits for worker, worker for saver, and saver is sampled. */
    static byte[] example() {
        ChunkWriter first = chunk();
        information(first).checkpoint();
        enter(first, WORKER, 2_000, 30_000, SAVER, 0x20);
        sample(first, SAVER, 10_000);
        sample(first, SAVER, 20_000);
        park(first, SAVER, 22_000, 5_000).metadata();
        ChunkWriter second = chunk(START_NS + 500_000, START_TICKS + 500_000);
        enter(second, MAIN, 1_000, 40_000, WORKER, 0x10);
        second.checkpoint().metadata();
        return joined(first.toByteArray(), second.toByteArray());
    }

    static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    static Trace read(byte[] bytes) {
        return read(new EarlierThreads(), bytes);
    }

    static Trace read(EarlierThreads earlier, byte[] bytes) {
        TraceBuilder builder = new TraceBuilder("test.jfr");
        JfrImport.read(MemorySegment.ofArray(bytes), builder, earlier);
        return builder.build();
    }

    static Trace read(ChunkWriter chunk) {
        return read(chunk.toByteArray());
    }

    /** The slices of all threads and of the process, as text: thread or -, from and length in microseconds, name. */
    static List<String> slices(Trace trace) {
        List<String> texts = new ArrayList<>();
        IntStream.range(0, trace.slices().size()).forEach(row -> {
            int utid = trace.slices().utid(row);
            texts.add((utid < 0 ? "-" : trace.threads().name(utid))
                    + " " + (trace.slices().ts(row) - START_NS) / 1_000
                    + "+" + trace.slices().dur(row) / 1_000
                    + " " + trace.slices().name(row));
        });
        return texts;
    }
}
