package dev.unjank.workbench.lab.inversion;

import dev.unjank.cli.demo.load.Niceness;
import dev.unjank.linux.LinuxThreads;
import dev.unjank.workbench.lab.clib.PthreadMutex;
import dev.unjank.workbench.lab.load.CameraLoad;
import dev.unjank.workbench.lab.load.SchedulingPrivilege;
import dev.unjank.workbench.lab.program.DurationSamples;
import dev.unjank.workbench.lab.program.FixedWork;
import dev.unjank.workbench.lab.program.RequestServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The recorded program: an important thread acquires a mutex 250 times a second, two unimportant threads hold it for
 * 0.5 ms of every 2 ms, and a camera load keeps the CPUs busy. It serves the request {@code take SECONDS}.
 */
final class InversionProgram {
    static final String WAITER = "waiter";

    private static final int OWNERS = 2;
    private static final long TAKE_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(4);
    private static final long HELD_BY_WAITER_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long HELD_BY_OWNER_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final long LEAST_REPORTED_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long OWNER_RESTS_NANOS = TimeUnit.MICROSECONDS.toNanos(1_500);

    private final PthreadMutex mutex;
    private final int cameras;
    private final List<MutexWait> contentions = new ArrayList<>();
    private volatile boolean stop;
    /** The owner's TID; 0 if the mutex is free or the waiter owns it. */
    private volatile int owner;

    private boolean realTime;

    private InversionProgram(PthreadMutex mutex, int cameras) {
        this.mutex = mutex;
        this.cameras = cameras;
    }

    /**
     * Serves requests.
     *
     * @param args the number of CPUs, the number of cameras, whether the mutex inherits priorities, and the file for
     *     the waits
     */
    public static void main(String[] args) throws IOException {
        LinuxThreads.setAffinity(Integer.parseInt(args[0]));
        try (PthreadMutex mutex = new PthreadMutex(Boolean.parseBoolean(args[2]))) {
            RequestServer.serve((_, seconds) -> {
                InversionProgram program = new InversionProgram(mutex, Integer.parseInt(args[1]));
                Map<String, Double> figures = program.take(seconds);
                MutexWait.write(program.contentions, Path.of(args[3]));
                return figures;
            });
        }
    }

    private Map<String, Double> take(double seconds) throws InterruptedException {
        DurationSamples delays = new DurationSamples();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < OWNERS; i++) {
            threads.add(new Thread(this::own, "owner-" + i));
        }
        threads.add(new Thread(() -> waitAgainAndAgain(delays), WAITER));
        List<CameraLoad> load = CameraLoad.several(cameras, 0);
        threads.forEach(Thread::start);
        load.forEach(Thread::start);
        TimeUnit.NANOSECONDS.sleep((long) (seconds * 1e9));
        stop = true;
        load.forEach(CameraLoad::stopSoon);
        for (Thread thread : threads) {
            thread.join();
        }
        Map<String, Double> figures = new HashMap<>(delays.figures());
        figures.put("over1", (double) delays.between(millis(1), millis(10)));
        figures.put("over10", (double) delays.between(millis(10), millis(16)));
        figures.put("over16", (double) delays.between(millis(16), Long.MAX_VALUE));
        figures.put("realtime", realTime ? 1.0 : 0.0);
        return figures;
    }

    private static long millis(long count) {
        return TimeUnit.MILLISECONDS.toNanos(count);
    }

    private void own() {
        Niceness.setCurrentThread(Niceness.LOWEST);
        int tid = LinuxThreads.current();
        while (!stop) {
            mutex.lock();
            owner = tid;
            FixedWork.nanos(HELD_BY_OWNER_NANOS);
            owner = 0;
            mutex.unlock();
            LockSupport.parkNanos(OWNER_RESTS_NANOS);
        }
    }

    private void waitAgainAndAgain(DurationSamples delays) {
        realTime = SchedulingPrivilege.becomeRealTime();
        int tid = LinuxThreads.current();
        while (!stop) {
            int inTheWay = owner;
            long began = System.nanoTime();
            mutex.lock();
            long taken = System.nanoTime();
            delays.add(taken - began);
            if (inTheWay != 0 && taken - began >= LEAST_REPORTED_NANOS) {
                contentions.add(new MutexWait(began, taken, tid, inTheWay));
            }
            FixedWork.nanos(HELD_BY_WAITER_NANOS);
            mutex.unlock();
            LockSupport.parkNanos(TAKE_EVERY_NANOS);
        }
    }
}
