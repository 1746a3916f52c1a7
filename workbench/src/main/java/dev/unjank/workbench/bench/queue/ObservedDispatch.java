package dev.unjank.workbench.bench.queue;

import dev.unjank.cli.demo.load.MessageLoop;
import dev.unjank.looper.Looper;
import dev.unjank.looper.LooperStats;
import dev.unjank.looper.LooperWatchdog;
import dev.unjank.looper.MessageObserver;
import dev.unjank.workbench.bench.comparison.BenchmarkQuestion;
import dev.unjank.workbench.bench.comparison.BenchmarkTarget;
import dev.unjank.workbench.bench.comparison.ThreadTeam;
import dev.unjank.workbench.bench.peer.Peer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import jdk.jfr.Recording;

/**
 * Measures the cost of observers per message: one producer posts to a loop with one kind of observer ({@link
 * PostBurst}). The first line is the loop without an observer. All run in the same JVM, so the loop is also measured
 * after all observers were removed. A disabled observer must be free: these lines have a target.
 */
final class ObservedDispatch extends BenchmarkQuestion<Peer> {
    private static final int MESSAGES = 200_000;
    private static final long NEVER_SLOW_MILLIS = 3_600_000;

    private static final String NO_OBSERVER = "no observer";
    private static final String REMOVED = "observers removed";
    private static final String EMPTY = "an observer that is empty";
    private static final String STATS = "statistics";
    private static final String WATCHDOG = "watchdog";
    private static final String SLOW_LOG = "slow log";
    private static final String RECORDING = "recording without deliveries";
    private static final String DELIVERIES = "recording of all deliveries";

    private static List<Row> table() {
        BenchmarkTarget free = BenchmarkTarget.atMostOwn(1.1, NO_OBSERVER, NO_OBSERVER);
        return List.of(
                new Row(NO_OBSERVER),
                new Row(REMOVED, free),
                new Row(EMPTY),
                new Row(STATS),
                new Row(WATCHDOG),
                new Row(SLOW_LOG),
                new Row(RECORDING, free),
                new Row(DELIVERIES));
    }

    ObservedDispatch() {
        // short rounds, in which a difference of 10 % must exceed the noise
        super(
                "watched",
                "post to run with 1 producer, by observer, ns",
                List.of(Peer.LOCK_FREE),
                table(),
                new Rounds(3, 5, 25),
                new Rounds(1, 5, 25));
    }

    @Override
    public Subject open(Peer peer) throws Exception {
        MessageLoop loop = peer.open();
        ThreadTeam crew = new ThreadTeam();
        FutureTask<Looper> itself = new FutureTask<>(Looper::myLooper);
        loop.post(itself);
        Looper looper = Objects.requireNonNull(itself.get(), "who runs a message is a looper");
        return who -> {
            try (Watching _ = watch(looper, who)) {
                return new double[] {PostBurst.nanosPerMessage(crew, loop, 1, MESSAGES)};
            }
        };
    }

    @FunctionalInterface
    private interface Watching extends AutoCloseable {
        @Override
        void close();
    }

    private static Watching watch(Looper looper, String who) {
        return switch (who) {
            case NO_OBSERVER -> () -> {};
            case REMOVED -> watchedBefore(looper);
            case EMPTY -> {
                MessageObserver observer = new MessageObserver() {};
                looper.addObserver(observer);
                yield () -> looper.removeObserver(observer);
            }
            case STATS -> LooperStats.of(looper)::close;
            case WATCHDOG -> {
                LooperWatchdog watchdog = new LooperWatchdog(Duration.ofSeconds(1));
                watchdog.watch(looper);
                watchdog.start();
                yield watchdog::close;
            }
            case SLOW_LOG -> {
                looper.setSlowLogThresholdMs(NEVER_SLOW_MILLIS, NEVER_SLOW_MILLIS);
                yield () -> looper.setSlowLogThresholdMs(0, 0);
            }
            case RECORDING -> recording(false);
            case DELIVERIES -> recording(true);
            default -> throw new IllegalArgumentException(who);
        };
    }

    /** Adds and removes every kind of observer. */
    private static Watching watchedBefore(Looper looper) {
        for (String way : List.of(EMPTY, STATS, WATCHDOG, SLOW_LOG, DELIVERIES)) {
            watch(looper, way).close();
        }
        return () -> {};
    }

    private static Watching recording(boolean deliveries) {
        Recording recording = new Recording();
        if (deliveries) {
            recording.enable("dev.unjank.MessageDispatch").withoutThreshold();
        }
        recording.start();
        return recording::close;
    }
}
