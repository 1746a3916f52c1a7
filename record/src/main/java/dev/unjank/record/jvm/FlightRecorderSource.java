package dev.unjank.record.jvm;

import dev.unjank.record.linux.MachineClocks;
import dev.unjank.record.session.Availability;
import dev.unjank.record.session.Source;
import dev.unjank.record.session.TraceSink;
import dev.unjank.record.thread.Rounds;
import dev.unjank.trace.Trace;
import dev.unjank.trace.TraceBuilder;
import dev.unjank.trace.read.jfr.EarlierThreads;
import dev.unjank.trace.read.jfr.JfrChunks;
import dev.unjank.trace.read.jfr.JfrImport;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The events of the target's Flight Recorder. The target writes them into files of a few seconds each; a thread here reads each
 * when it is whole, with the reader that opens such files for the doctor too, so what it finds has the same names. A wait is
 * known when it is over, and a file a few seconds later.
 *
 * <p><b>Clock.</b> Flight Recorder has its own. Where {@link LockOwnerSource} is on, it has the target write down both clocks
 * every second; elsewhere the wall clock, which each file has too, must do. By how much times may be off is noted in the trace for
 * each file.
 */
public final class FlightRecorderSource implements Source {
    private static final String NAME = "Flight Recorder";
    private static final int FIRST_FEATURE = 17;

    /** How far the wall clock may be corrected between two files, and what the reading of two clocks in a file may take. */
    private static final long WALL_ERROR_NANOS = 1_000_000;

    private final Target target;
    private final Duration threshold;
    private final Duration piece;
    private final Set<Long> seen = new HashSet<>();
    private final MachineClocks clocks = new MachineClocks();
    private final FrameCopy frames;
    private final HeldWaits held = new HeldWaits();
    private final EarlierThreads earlier = new EarlierThreads();
    private @Nullable RollingRecording recording;
    private @Nullable TraceSink sink;
    private @Nullable Rounds reader;

    /** When the piece that is under way is to end; the reader's. */
    private long next;

    private @Nullable NanoLine last;
    private volatile long settledUntil = Long.MIN_VALUE;
    private final AtomicLong events = new AtomicLong();

    /**
     * The source.
     *
     * @param target the process
     * @param threshold what took less than this is not recorded
     * @param piece how long the target writes into one file: what is recorded is known so much later
     */
    public FlightRecorderSource(Target target, Duration threshold, Duration piece) {
        this.target = target;
        this.threshold = threshold;
        this.piece = piece;
        frames = new FrameCopy(target.pid());
    }

    @Override
    public Availability probe() {
        try {
            TargetVm vm = target.vm();
            if (vm.feature() < FIRST_FEATURE) {
                return Availability.off(
                        NAME, "the target runs Java " + vm.feature(), "run it on Java " + FIRST_FEATURE + " or later");
            }
            vm.command("JFR.check");
            return Availability.on(
                    NAME,
                    "waits of %.1f ms and more of platform threads, pauses, on Java %s"
                            .formatted(threshold.toNanos() / 1e6, vm.version()));
        } catch (IOException e) {
            return Target.off(NAME, e);
        }
    }

    @Override
    public void start(TraceSink to) throws IOException {
        sink = to;
        settledUntil = System.nanoTime();
        target.threads(to);
        Workspace workspace = target.workspace();
        try {
            recording = begun(workspace);
            target.settle();
        } catch (IOException e) {
            target.release();
            throw e;
        }
        next = System.nanoTime() + piece.toNanos();
        reader = Rounds.start("flight-recorder", this::round);
    }

    /** A recording in its second piece. All that counts in the first one, which is over at once, is who there is. */
    private RollingRecording begun(Workspace workspace) throws IOException {
        RollingRecording begun = new RollingRecording(target.vm(), workspace, threshold, piece);
        begun.start();
        try {
            copy(begun.roll());
            return begun;
        } catch (IOException e) {
            begun.stop();
            throw e;
        }
    }

    /** Ends a piece when it is time; a target that has gone has no more, and stop() sees what it has left. */
    private long round() throws IOException {
        if (System.nanoTime() - next >= 0) {
            next += piece.toNanos();
            try {
                long now = System.nanoTime();
                copy(recording().roll());
                settledUntil = now;
            } catch (IOException e) {
                settledUntil = Long.MAX_VALUE;
                throw e;
            }
        }
        return Math.max(1, next - System.nanoTime());
    }

    @Override
    public void stop() throws IOException {
        Rounds ending = Start.required(reader);
        ending.stop();
        try {
            if (target.vm().isAlive()) {
                copy(recording().stop());
            }
            for (Path file : recording().leftBehind()) {
                copy(file);
            }
            held.tellOpen(target.pid(), Start.required(sink));
        } finally {
            target.release();
        }
        Throwable failed = ending.failure();
        if (failed != null && target.vm().isAlive()) {
            throw new IOException("Flight Recorder failed in between: " + failed.getMessage(), failed);
        }
    }

    private void copy(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                Arena arena = Arena.ofShared()) {
            MemorySegment bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            for (JfrChunks.Chunk chunk : JfrChunks.split(bytes)) {
                if (seen.add(chunk.startTicks())) {
                    copy(chunk.bytes());
                }
            }
        }
        Files.delete(file);
    }

    private void copy(MemorySegment bytes) {
        target.threads().add(JfrChunks.threads(bytes));
        try (TraceBuilder builder = new TraceBuilder("chunk")) {
            if (!JfrImport.read(bytes, builder, earlier)) {
                return;
            }
            Trace chunk = builder.build();
            NanoLine clock = NanoLine.of(chunk, otherwise());
            last = clock;
            TraceSink to = Start.required(sink);
            ChunkCopy chunkCopy = new ChunkCopy(
                    chunk, clock, target.pid(), target.threads(), target.sightings(), held, to.interval());
            events.addAndGet(chunkCopy.to(to));
            events.addAndGet(frames.copy(chunk, clock, to));
            note(to, chunk, clock);
        }
    }

    private NanoLine otherwise() {
        NanoLine before = last;
        if (before != null && before.error() < WALL_ERROR_NANOS) {
            return before.carriedOn(WALL_ERROR_NANOS);
        }
        MachineClocks.Reading now = clocks.read();
        return NanoLine.at(now.monotonic() - now.real(), now.realError() + WALL_ERROR_NANOS);
    }

    private void note(TraceSink to, Trace chunk, NanoLine clock) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("clock error ns", clock.error());
        facts.put("slices", chunk.slices().size());
        int number = 0;
        for (String warning : chunk.warnings()) {
            facts.put("warning " + ++number, warning);
        }
        long at = to.interval().nearest(clock.nanos(chunk.endNs()));
        to.write(segment -> segment.note(at, "Flight Recorder file", facts));
    }

    private RollingRecording recording() {
        return Start.required(recording);
    }

    @Override
    public long events() {
        return events.get();
    }

    @Override
    public long settledUntil() {
        return settledUntil;
    }

    /** What Flight Recorder itself loses it counts in bytes: that is a warning in the mark of a file. */
    @Override
    public long lost() {
        return 0;
    }
}
