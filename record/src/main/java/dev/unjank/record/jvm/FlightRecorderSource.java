package dev.unjank.record.jvm;

import dev.unjank.record.helper.HelperProcess;
import dev.unjank.record.lifecycle.Cleanup;
import dev.unjank.record.lifecycle.PeriodicThread;
import dev.unjank.record.lifecycle.Started;
import dev.unjank.record.linux.MachineClocks;
import dev.unjank.record.session.RecordingInterval;
import dev.unjank.record.session.RecordingSource;
import dev.unjank.record.session.SourceAvailability;
import dev.unjank.record.session.TraceSink;
import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.jfr.EarlierChunkThreads;
import dev.unjank.trace.read.jfr.JfrChunks;
import dev.unjank.trace.read.jfr.JfrReader;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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
public final class FlightRecorderSource implements RecordingSource {
    private static final String NAME = "Flight Recorder";
    private static final int FIRST_FEATURE = 17;

    /** Stands for the time of which nothing is known, which is known when all has been read. */
    private static final String LAST_SECONDS = "its last seconds";

    /** What the reading of the wall clock in a file may take, and how far that may be corrected meanwhile. */
    private static final long WALL_ERROR_NANOS = 1_000_000;

    /** The first piece is so many times as short: it shows how long reading takes, and what reads it is compiled then. */
    private static final int FIRST = 5;

    /** Unless the pieces are shorter anyway. */
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    /** Reading a piece is to take no longer: at the end one is read that has just begun to be, and then what came after it. */
    private static final Duration READING = Duration.ofMillis(300);

    private final TargetJvm target;
    private final Duration threshold;
    private final Duration piece;
    private final Set<Long> seen = new HashSet<>();
    private final MachineClocks clocks = new MachineClocks();
    private final JfrFrameCopier frames;
    private final DeferredGcWaits held = new DeferredGcWaits();
    private final EarlierChunkThreads earlier = new EarlierChunkThreads();
    private @Nullable RollingJfrRecording recording;
    private final Decoder decoder;
    private @Nullable TraceSink sink;

    /** The same for what is read, until that is given up. */
    private @Nullable RevocableSink readerSink;

    private @Nullable PeriodicThread reader;

    /** When the piece that is under way is to end; the reader's. */
    private long next;

    /** When it began; the reader's. */
    private long lastPiece;

    private @Nullable JfrClockConverter last;
    private JfrChunks.@Nullable Chunk lastChunk;

    /** How large the file is that was read last. */
    private volatile long readingBytes;

    /** What happened before has been taken over. */
    private volatile long knownUntil = Long.MIN_VALUE;

    private volatile boolean hasFailed;
    private volatile boolean isEnding;
    private final AtomicLong events = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();

    /**
     * The source.
     *
     * @param target the process
     * @param threshold what took less than this is not recorded
     * @param piece how long the target writes into one file: what is recorded is known so much later
     */
    public FlightRecorderSource(TargetJvm target, Duration threshold, Duration piece) {
        this(target, threshold, piece, JfrReader::read);
    }

    /** The same, with another reader of recordings, for tests. */
    FlightRecorderSource(TargetJvm target, Duration threshold, Duration piece, Decoder decoder) {
        this.decoder = decoder;
        this.target = target;
        this.threshold = threshold;
        this.piece = piece;
        frames = new JfrFrameCopier(target.pid());
    }

    /** Reads recordings. */
    interface Decoder {
        /** Reads one: see {@link JfrReader#read(MemorySegment, TraceBuilder, EarlierChunkThreads)}. */
        boolean read(MemorySegment file, TraceBuilder builder, EarlierChunkThreads earlier);
    }

    @Override
    public SourceAvailability probe() {
        try {
            JvmAttachClient vm = target.vm();
            if (vm.feature() < FIRST_FEATURE) {
                return SourceAvailability.off(
                        NAME, "the target runs Java " + vm.feature(), "run it on Java " + FIRST_FEATURE + " or later");
            }
            vm.command("JFR.check");
            return SourceAvailability.on(
                    NAME,
                    "waits of %.1f ms and more of platform threads, pauses, on Java %s"
                            .formatted(threshold.toNanos() / 1e6, vm.version()));
        } catch (IOException e) {
            return TargetJvm.off(NAME, e);
        }
    }

    @Override
    public void start(TraceSink to) throws IOException {
        target.patience().requireNotHurrying();
        sink = to;
        RevocableSink revocable = new RevocableSink(to);
        readerSink = revocable;
        target.threads(to);
        RollingJfrRecording made = RollingJfrRecording.create(target.vm(), threshold, piece, this::missed);
        try {
            made.start();
            String first = made.roll(); // all that counts in this piece, which is over at once, is who there is
            target.patience().read(() -> copy(made, first), revocable::revoke);
            made.delete(first);
            target.settle();
        } catch (IOException | RuntimeException e) {
            target.leave(made.prefix());
            throw Cleanup.after(e).then(made::stop).then(made::close).failure();
        }
        recording = made;
        knownUntil = System.nanoTime();
        lastPiece = knownUntil;
        next = System.nanoTime() + nextPiece(piece.toNanos(), piece.toNanos() / FIRST, READING.toNanos());
        reader = PeriodicThread.start("flight-recorder", this::round, this::failed);
    }

    @Override
    public void begin() {
        target.patience().goOn();
    }

    /** Ends a piece when it is time. */
    private long round() throws IOException {
        long now = System.nanoTime();
        if (now - next >= 0) {
            String file = recording().roll();
            long rolled = System.nanoTime();
            copy(recording(), file);
            long last = lastPiece;
            lastPiece = now;
            next = now + nextPiece(piece.toNanos(), now - last, System.nanoTime() - rolled);
            knownUntil = now;
            recording().delete(file);
        }
        return Math.max(1, next - System.nanoTime());
    }

    /**
     * How long the next piece is to be: what is left to be read at the end is to be little, also where much is recorded, or the processors are busy.
     *
     * @param longest ns
     * @param last how long the last one was
     * @param took how long it took to read it
     */
    static long nextPiece(long longest, long last, long took) {
        double fitting = (double) last * READING.toNanos() / Math.max(1, took);
        return Math.clamp((long) fitting, Math.min(longest, SHORTEST.toNanos()), longest);
    }

    /** A piece had ended before the next one began: a loss, of nobody knows what. With a target that ends they do, too, and nothing is lost. */
    private void missed(long from, long until) {
        TraceSink to = Started.required(readerSink);
        RecordingInterval interval = to.interval();
        if (interval.hasBegun() && interval.touches(from, until) && !target.hasEnded()) {
            lost.incrementAndGet();
            to.lost(NAME, 1);
            long begin = interval.nearest(from);
            Map<String, Object> facts = Map.of("at most ns", interval.nearest(until) - begin);
            to.write(segment -> segment.note(begin, "Flight Recorder was not recording", facts));
        }
    }

    /** A target that has gone has no more, and stop() sees what it has left. */
    private void failed(Throwable failure) {
        hasFailed = true;
        if (!isEnding && !target.hasEnded()) {
            tell(Cleanup.message(failure));
        }
    }

    private void tell(String reason) {
        Started.required(sink).ended(NAME, reason);
    }

    @Override
    public boolean asksTarget() {
        return true;
    }

    @Override
    public void end() {
        isEnding = true;
        target.patience().hurry();
    }

    @Override
    public void stop() throws IOException {
        end(); // if it has never begun
        List<String> reasons = new ArrayList<>();
        new Cleanup()
                .then(() -> endInTarget(reasons))
                .then(() -> readRest(reasons))
                .then(() -> {
                    if (!reasons.isEmpty()) {
                        tell(String.join("; ", reasons).replace(LAST_SECONDS, unknown()));
                    }
                })
                .then(recording()::close)
                .finish();
    }

    /** Ends the target's recording, also while a piece is still being read. Adds a reason if that has not brought all that was recorded. */
    private void endInTarget(List<String> reasons) throws IOException {
        boolean isAlive = target.vm().isAlive();
        try {
            if (isAlive) {
                target.awaitLastLook();
                recording().stop();
            }
            if (!recording().hasLast()) {
                reasons.add("the target " + (isAlive ? "did not write" : "ended without writing")
                        + " what it had recorded in " + LAST_SECONDS);
            }
        } catch (IOException e) {
            target.leave(recording().prefix());
            reasons.add(e.getMessage() + "; what happened in " + LAST_SECONDS
                    + " is not known, and its recording ends no later than "
                    + recording().lease().toSeconds() + " s after it goes on");
        }
    }

    /** Reads what has been recorded. Adds a reason if that takes too long, or fails. When this returns, the reading writes no more. */
    private void readRest(List<String> reasons) throws IOException {
        RevocableSink revocable = Started.required(readerSink);
        try {
            reasons.addAll(target.patience().read(this::rest, revocable::revoke));
        } catch (TargetDeadline.TooLongException e) {
            reasons.add(String.format(
                    Locale.ROOT,
                    "the recorder did not finish reading %.1f MB within %.1f s; %s are missing, at least in part",
                    readingBytes / 1e6,
                    e.seconds(),
                    LAST_SECONDS));
        } finally {
            revocable.revoke();
        }
    }

    /** Reads what the reader has not, and returns why some of it cannot be read. */
    private List<String> rest() throws IOException {
        Started.required(reader).stop();
        List<String> reasons = new ArrayList<>();
        for (String file : recording().leftBehind()) {
            try {
                copy(recording(), file);
            } catch (IOException | RuntimeException e) {
                reasons.add("what the target had recorded cannot be read: " + Cleanup.message(e) + "; " + LAST_SECONDS
                        + " are missing, at least in part");
            }
        }
        held.tellOpen(target.pid(), Started.required(readerSink));
        return reasons;
    }

    private String unknown() {
        double seconds = (Started.required(sink).interval().nearest(System.nanoTime()) - knownUntil) / 1e9;
        return String.format(Locale.ROOT, seconds < 1 ? "its last %.2f s" : "its last %.1f s", seconds);
    }

    private String copy(RollingJfrRecording from, String file) throws IOException {
        from.read(file, (size, content) -> {
            readingBytes = size;
            if (size > HelperProcess.mostBytes()) {
                notRead(size, "larger than " + (HelperProcess.mostBytes() >> 20) + " MB");
                return;
            }
            try (Arena arena = Arena.ofShared();
                    InputStream in = content.open()) {
                MemorySegment bytes = read(in, arena.allocate(size));
                List<JfrChunks.Chunk> chunks = JfrChunks.split(bytes);
                if (chunks.isEmpty()) {
                    notRead(size, "not a recording");
                }
                for (JfrChunks.Chunk chunk : chunks) {
                    if (seen.add(chunk.startTicks())) {
                        copy(chunk);
                    }
                }
            }
        });
        return file;
    }

    private static MemorySegment read(InputStream in, MemorySegment into) throws IOException {
        byte[] buffer = new byte[1 << 16];
        long at = 0;
        for (int count; at < into.byteSize() && (count = in.read(buffer)) >= 0; ) {
            int taken = (int) Math.min(count, into.byteSize() - at);
            MemorySegment.copy(buffer, 0, into, ValueLayout.JAVA_BYTE, at, taken);
            at += taken;
        }
        return into.asSlice(0, at);
    }

    /** A file that cannot be used, which a target does not write in good faith, is a loss. */
    private void notRead(long size, String reason) {
        TraceSink to = Started.required(readerSink);
        lost.incrementAndGet();
        to.lost(NAME, 1);
        long now = to.interval().nearest(System.nanoTime());
        Map<String, Object> facts = Map.of("bytes", size, "reason", reason);
        to.write(segment -> segment.note(now, "Flight Recorder file not read", facts));
    }

    private void copy(JfrChunks.Chunk file) {
        MemorySegment bytes = file.bytes();
        RevocableSink to = Started.required(readerSink);
        target.threads().add(JfrChunks.threads(bytes), to);
        try (TraceBuilder builder = new TraceBuilder("chunk")) {
            if (!decoder.read(bytes, builder, earlier)) {
                return;
            }
            Trace chunk = builder.build();
            JfrClockConverter clock = JfrClockConverter.of(chunk, otherwise(file));
            last = clock;
            lastChunk = file;
            JfrSliceCopier chunkCopy = new JfrSliceCopier(
                    chunk, clock, target.pid(), target.threads(), target.sightings(), held, to.interval());
            events.addAndGet(chunkCopy.to(to));
            to.unlessRevoked(
                    () -> target.crossing().add(chunk, clock, to.interval().until()));
            if (chunkCopy.lost() > 0) {
                lost.addAndGet(chunkCopy.lost());
                to.lost(NAME, chunkCopy.lost());
            }
            events.addAndGet(frames.copy(chunk, clock, to));
            note(to, chunk, clock);
        }
    }

    private JfrClockConverter otherwise(JfrChunks.Chunk file) {
        JfrClockConverter carriedOn = last == null || lastChunk == null ? null : last.carriedOn(lastChunk, file);
        if (carriedOn != null && carriedOn.error() < WALL_ERROR_NANOS) {
            return carriedOn;
        }
        MachineClocks.Reading now = clocks.read();
        return JfrClockConverter.at(now.monotonic() - now.real(), now.realError() + WALL_ERROR_NANOS);
    }

    private void note(TraceSink to, Trace chunk, JfrClockConverter clock) {
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

    private RollingJfrRecording recording() {
        return Started.required(recording);
    }

    @Override
    public void close() {
        target.close();
    }

    @Override
    public long events() {
        return events.get();
    }

    @Override
    public long settledUntil() {
        return hasFailed ? Long.MAX_VALUE : knownUntil;
    }

    /** Flight Recorder counts what it loses in bytes, which are a counter in the trace; here each time counts as one. */
    @Override
    public long lost() {
        return lost.get();
    }
}
