package dev.unjank.record.jvm;

import dev.unjank.record.helper.HelperEndedException;
import dev.unjank.record.lifecycle.Cleanup;
import dev.unjank.record.lifecycle.PeriodicThread;
import dev.unjank.record.session.RecordingSource;
import dev.unjank.record.session.RevocableSink;
import dev.unjank.record.session.SourceAvailability;
import dev.unjank.record.session.TraceSink;
import dev.unjank.trace.read.jfr.JfrReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Records the events of the target's Flight Recorder. The target records in pieces of a few seconds and writes each
 * piece to a file. A thread reads each complete file with the same reader as for a .jfr file, so slices have the same
 * names as there. Events arrive a few seconds after their end.
 *
 * <p><b>Clock.</b> Flight Recorder has its own clock. Where {@link LockOwnerSource} is on, its agent commits an event
 * with both clocks every second; otherwise the wall clock in each piece is used. The trace contains the maximum clock
 * error of each piece.
 */
final class FlightRecorderSource implements RecordingSource {
    static final String NAME = "Flight Recorder";
    private static final int FIRST_FEATURE = 17;

    /** A placeholder in messages. It is replaced by the duration of the missing data when everything has been read. */
    private static final String LAST_SECONDS = "the last seconds";

    /** The first piece is shorter by this factor: it warms up the reader and measures the reading time. */
    private static final int FIRST = 5;

    /** The minimum duration of a piece, unless a shorter one is configured. */
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    /** The intended maximum time to read a piece. It is short, because up to two pieces are read at the end. */
    private static final Duration READING = Duration.ofMillis(300);

    private final TargetJvm target;
    private final Duration threshold;
    private final Duration piece;
    private final JfrFileCopier.Decoder decoder;
    private @Nullable RollingJfrRecording recording;
    private @Nullable TraceSink sink;

    /** Copies the files; its sink is revoked when reading is given up. */
    private volatile @Nullable JfrFileCopier files;

    private @Nullable PeriodicThread reader;

    /** The time at which the current piece should end. Accessed only by the reader thread. */
    private long next;

    /** The start of the current piece. Accessed only by the reader thread. */
    private long lastPiece;

    /** All events before this time have been copied. */
    private volatile long knownUntil = Long.MIN_VALUE;

    private volatile boolean hasFailed;
    private volatile boolean isEnding;
    private final AtomicBoolean hasHelperEnded = new AtomicBoolean();

    /**
     * Creates the source.
     *
     * @param threshold the minimum duration of recorded events
     * @param piece the maximum duration of a piece; events are delayed by about that time
     */
    FlightRecorderSource(TargetJvm target, Duration threshold, Duration piece) {
        this(target, threshold, piece, JfrReader::read);
    }

    /** Creates the source with another decoder, for tests. */
    FlightRecorderSource(TargetJvm target, Duration threshold, Duration piece, JfrFileCopier.Decoder decoder) {
        this.decoder = decoder;
        this.target = target;
        this.threshold = threshold;
        this.piece = piece;
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
                    "waits of %.1f ms or more of platform threads, pauses%s; Java %s"
                            .formatted(
                                    threshold.toNanos() / 1e6,
                                    JfrSettings.samples(target.samplesPerSecond(), vm.feature()),
                                    vm.version()));
        } catch (IOException e) {
            return TargetJvm.off(NAME, e);
        }
    }

    @Override
    public void start(TraceSink to) throws IOException {
        target.deadline().requireNotHurrying();
        sink = to;
        RevocableSink revocable = new RevocableSink(to);
        JfrFileCopier copier = new JfrFileCopier(target, decoder, revocable);
        files = copier;
        target.threads(to);
        RollingJfrRecording made = RollingJfrRecording.create(
                target.vm(),
                JfrSettings.configuration(
                        threshold, target.samplesPerSecond(), target.vm().feature()),
                piece,
                copier::missed);
        try {
            made.start();
            String first = made.roll(); // this short piece is needed for the thread names only
            target.deadline().read(() -> copier.copy(made, first), revocable::revoke);
            made.delete(first);
            target.settle();
        } catch (IOException | RuntimeException e) {
            target.leaveOpen(made.prefix());
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
        target.deadline().goOn();
    }

    /** Rolls to the next piece when it is time. */
    private long round() throws IOException {
        long now = System.nanoTime();
        if (now - next >= 0) {
            String file = recording().roll();
            long rolled = System.nanoTime();
            files().copy(recording(), file);
            long last = lastPiece;
            lastPiece = now;
            next = now + nextPiece(piece.toNanos(), now - last, System.nanoTime() - rolled);
            knownUntil = now;
            recording().delete(file);
        }
        return Math.max(1, next - System.nanoTime());
    }

    /**
     * The duration of the next piece, chosen so that reading it stays fast even with many events or busy CPUs.
     *
     * @param longest ns
     * @param last the duration of the last piece
     */
    static long nextPiece(long longest, long last, long took) {
        double fitting = (double) last * READING.toNanos() / Math.max(1, took);
        return Math.clamp((long) fitting, Math.min(longest, SHORTEST.toNanos()), longest);
    }

    /**
     * Handles a failed round. After the end of the target there are no more events, and stop() reads its last files.
     */
    private void failed(Throwable failure) {
        hasFailed = true;
        if (failure instanceof HelperEndedException) {
            reportHelperEnd();
        } else if (!isEnding && !target.hasEnded()) {
            reportEnd(Cleanup.message(failure));
        }
    }

    /** Reports once that the helper has ended, which is then the reason of all other failures. */
    private void reportHelperEnd() {
        if (!hasHelperEnded.getAndSet(true)) {
            String inside = ProcessHandle.of(target.pid()).isEmpty()
                    ? ""
                    : "; the recording inside the process ends by itself within "
                            + recording().lease().toSeconds() + " s";
            reportEnd("the helper process has ended; the events since the last complete file are missing" + inside);
        }
    }

    private void reportEnd(String reason) {
        Objects.requireNonNull(sink).ended(NAME, reason);
    }

    @Override
    public boolean asksTarget() {
        return true;
    }

    @Override
    public void end() {
        isEnding = true;
        target.deadline().hurry();
    }

    @Override
    public void stop() throws IOException {
        end(); // if it never began
        List<String> reasons = new ArrayList<>();
        new Cleanup()
                .then(() -> endInTarget(reasons))
                .then(() -> readRest(reasons))
                .then(() -> {
                    if (!reasons.isEmpty() && !hasHelperEnded.get()) {
                        reportEnd(String.join("; ", reasons).replace(LAST_SECONDS, unknown()));
                    }
                })
                .then(recording()::close)
                .finish();
    }

    /**
     * Stops the target's recording, even while a piece is being read. If events are missing, adds the reason to {@code
     * reasons}.
     */
    private void endInTarget(List<String> reasons) throws IOException {
        boolean isAlive = target.vm().isAlive();
        try {
            if (isAlive) {
                target.awaitLastSample();
                recording().stop();
            }
            if (!recording().hasLast()) {
                reasons.add("the events of " + LAST_SECONDS + " are missing: the target "
                        + (isAlive ? "did not write them" : "exited without writing them"));
            }
        } catch (HelperEndedException e) {
            reportHelperEnd();
        } catch (IOException e) {
            target.leaveOpen(recording().prefix());
            reasons.add(e.getMessage() + "; the events of " + LAST_SECONDS
                    + " are missing; the recording inside the process ends within "
                    + recording().lease().toSeconds() + " s after the process continues");
        }
    }

    /**
     * Reads the remaining files. If that takes too long or fails, adds the reason to {@code reasons}. Afterwards the
     * reader does not write any more.
     */
    private void readRest(List<String> reasons) throws IOException {
        RevocableSink revocable = files().sink();
        try {
            reasons.addAll(target.deadline().read(this::rest, revocable::revoke));
        } catch (TargetDeadline.TooLongException e) {
            reasons.add(String.format(
                    Locale.ROOT,
                    "the recorder did not finish reading %.1f MB within %.1f s; some or all events of %s are missing",
                    files().readingBytes() / 1e6,
                    e.seconds(),
                    LAST_SECONDS));
        } finally {
            revocable.revoke();
        }
    }

    /** Reads the unread files, and returns the reasons of failures. */
    private List<String> rest() throws IOException {
        Objects.requireNonNull(reader).stop();
        List<String> reasons = new ArrayList<>();
        try {
            for (String file : recording().leftBehind()) {
                copyRest(file, reasons);
            }
        } catch (HelperEndedException e) {
            reportHelperEnd();
        }
        files().writeOpenWaits();
        return reasons;
    }

    private void copyRest(String file, List<String> reasons) throws HelperEndedException {
        try {
            files().copy(recording(), file);
        } catch (HelperEndedException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            reasons.add("a file of the target cannot be read: " + Cleanup.message(e) + "; some or all events of "
                    + LAST_SECONDS + " are missing");
        }
    }

    private String unknown() {
        double seconds = (Objects.requireNonNull(sink).interval().nearest(System.nanoTime()) - knownUntil) / 1e9;
        return String.format(Locale.ROOT, seconds < 1 ? "the last %.2f s" : "the last %.1f s", seconds);
    }

    private JfrFileCopier files() {
        return Objects.requireNonNull(files);
    }

    private RollingJfrRecording recording() {
        return Objects.requireNonNull(recording);
    }

    @Override
    public void close() {
        target.close();
    }

    @Override
    public long events() {
        JfrFileCopier copier = files;
        return copier == null ? 0 : copier.events();
    }

    @Override
    public long settledUntil() {
        return hasFailed ? Long.MAX_VALUE : knownUntil;
    }

    /**
     * The number of reported losses. Flight Recorder counts lost bytes, not lost events; the lost bytes are a counter
     * in the trace.
     */
    @Override
    public long lost() {
        JfrFileCopier copier = files;
        return copier == null ? 0 : copier.lost();
    }
}
