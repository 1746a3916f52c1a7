package dev.unjank.workbench.bench.record;

import dev.unjank.looper.Handler;
import dev.unjank.looper.HandlerThread;
import dev.unjank.looper.Looper;
import dev.unjank.workbench.lab.program.DurationSamples;
import dev.unjank.workbench.lab.program.FixedWork;
import dev.unjank.workbench.lab.program.FrameLoop;
import dev.unjank.workbench.lab.program.RequestServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.Deflater;

/**
 * The recorded program. A request is a {@link RecordWorkload} with a number of seconds; the reply is the number of
 * {@code operations}, the CPU time of the process ({@code cpu}) and the elapsed time ({@code wall}).
 */
final class RecordWorkloadProgram {
    private static final int CONTENDERS = 4;
    private static final long INSIDE_NANOS = 2_000;
    private static final long OUTSIDE_NANOS = 4_000;

    private static final int CROWD = 1_000;
    private static final long STACK_BYTES = 128 << 10;

    private static final int ZIPPERS = 2;
    private static final int ZIPPED_BYTES = 16 << 10;

    private static final int PRODUCERS = 2;
    private static final int BATCH = 64;
    private static final long MESSAGE_NANOS = 10_000;

    private static int crowd;

    private final Object monitor = new Object();
    private final ReentrantLock lock = new ReentrantLock();
    private final LongAdder operations = new LongAdder();
    private volatile boolean stop;

    private RecordWorkloadProgram() {}

    public static void main(String[] args) throws IOException {
        RequestServer.serve((what, seconds) -> measure(RecordWorkload.valueOf(what), seconds));
    }

    private static Map<String, Double> measure(RecordWorkload workload, double seconds)
            throws IOException, InterruptedException {
        RecordWorkloadProgram program = new RecordWorkloadProgram();
        long cpu = ProcessCpuTime.nanos();
        long wall = System.nanoTime();
        Map<String, Double> figures = new HashMap<>(
                switch (workload) {
                    case CONTENDED -> program.contend(seconds);
                    case CROWDED -> program.contendInACrowd(seconds);
                    case MESSAGES -> program.exchange(seconds);
                    case ZIPPING -> program.zip(seconds);
                    case IDLE -> rest(seconds);
                });
        figures.put("wall", (double) (System.nanoTime() - wall));
        figures.put("cpu", (double) (ProcessCpuTime.nanos() - cpu));
        figures.put("operations", (double) program.operations.sum());
        return figures;
    }

    private static Map<String, Double> rest(double seconds) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep((long) (seconds * 1e9));
        return new DurationSamples().figures();
    }

    /** Runs threads that contend for a monitor and a library lock. */
    private Map<String, Double> contend(double seconds) throws InterruptedException {
        run(CONTENDERS, "contender-", this::contendUntilStopped, seconds);
        return new DurationSamples().figures();
    }

    /** The idle threads are started in the first phase and kept: starting them takes longer than a phase. */
    private Map<String, Double> contendInACrowd(double seconds) throws InterruptedException {
        while (crowd < CROWD) {
            Thread idle = new Thread(null, RecordWorkloadProgram::doNothing, "idle-" + crowd++, STACK_BYTES);
            idle.setDaemon(true);
            idle.start();
        }
        return contend(seconds);
    }

    private static void doNothing() {
        while (true) {
            LockSupport.park();
        }
    }

    private void contendUntilStopped() {
        long done = 0;
        while (!stop) {
            synchronized (monitor) {
                FixedWork.nanos(INSIDE_NANOS);
            }
            FixedWork.nanos(OUTSIDE_NANOS);
            lock.lock();
            try {
                FixedWork.nanos(INSIDE_NANOS);
            } finally {
                lock.unlock();
            }
            FixedWork.nanos(OUTSIDE_NANOS);
            done++;
        }
        operations.add(done);
    }

    /** Runs threads that compress; each call holds a Java array in native code. */
    private Map<String, Double> zip(double seconds) throws InterruptedException {
        run(ZIPPERS, "zipper-", this::zipUntilStopped, seconds);
        return new DurationSamples().figures();
    }

    private void zipUntilStopped() {
        byte[] from = new byte[ZIPPED_BYTES];
        new Random(1).nextBytes(from);
        byte[] to = new byte[2 * ZIPPED_BYTES];
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        long done = 0;
        while (!stop) {
            deflater.reset();
            deflater.setInput(from);
            deflater.finish();
            deflater.deflate(to);
            done++;
        }
        deflater.end();
        operations.add(done);
    }

    /** Runs a loop that processes messages posted in batches and draws frames. */
    private Map<String, Double> exchange(double seconds) throws InterruptedException {
        HandlerThread thread = new HandlerThread("loop");
        thread.setDaemon(true);
        thread.start();
        Looper looper = Objects.requireNonNull(thread.getLooper(), "a thread just started has a looper");
        Handler handler = new Handler(looper);
        try {
            return FrameLoop.run(
                    looper,
                    () -> FixedWork.nanos(MESSAGE_NANOS),
                    () -> run(PRODUCERS, "producer-", () -> postUntilStopped(handler), seconds));
        } finally {
            thread.quit();
        }
    }

    private void postUntilStopped(Handler handler) {
        long done = 0;
        try {
            while (!stop) {
                CountDownLatch last = new CountDownLatch(1);
                for (int i = 1; i < BATCH; i++) {
                    handler.post(RecordWorkloadProgram::work);
                }
                handler.post(last::countDown);
                last.await();
                done += BATCH;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        operations.add(done);
    }

    private static void work() {
        FixedWork.nanos(MESSAGE_NANOS);
    }

    private void run(int count, String name, Runnable work, double seconds) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            threads.add(new Thread(work, name + i));
        }
        threads.forEach(Thread::start);
        TimeUnit.NANOSECONDS.sleep((long) (seconds * 1e9));
        stop = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
