package dev.unjank.workbench.bench.locks;

import com.sun.management.ThreadMXBean;
import dev.unjank.cli.demo.load.BusyThreads;
import dev.unjank.linux.LinuxThreads;
import dev.unjank.linux.Scheduling;
import dev.unjank.linux.SystemCallException;
import dev.unjank.locks.Importance;
import dev.unjank.workbench.bench.comparison.BenchmarkQuestion;
import dev.unjank.workbench.bench.comparison.BenchmarkTarget;
import dev.unjank.workbench.bench.locks.LockKind.Guard;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Measures the priority that the owner of a lock inherits from its waiters. A thread with nice 10 owns the lock and
 * computes while two other threads per CPU compute; the figure is its share of a CPU. The lock has no waiter, a waiter
 * with nice -20, or a real-time waiter. The kernel's priority inheritance supports only real-time classes: a waiter
 * with a lower nice value has no effect.
 */
final class PriorityInheritance extends BenchmarkQuestion<LockKind> {
    private static final int LOW = 10;
    private static final int HOGS_PER_PROCESSOR = 2;
    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(400);
    private static final int STEPS = 10_000;

    private static final String NO_WAITER = "no waiter";
    private static final String NICE = "nice -20";
    private static final String REAL_TIME = "real time";

    private static List<Row> table() {
        double most = 3;
        return List.of(
                new Row("no waiter", NO_WAITER, 0, List.of()),
                new Row("nice -20 waits", NICE, 0, List.of(BenchmarkTarget.atLeastOwn(most, NO_WAITER, "no waiter"))),
                new Row(
                        "a real-time one waits",
                        REAL_TIME,
                        0,
                        List.of(BenchmarkTarget.atLeastOwn(most, NO_WAITER, "no waiter"))));
    }

    PriorityInheritance() {
        super(
                "inheritance",
                "CPU share of a nice-10 owner with 2 hogs per CPU, %",
                List.of(LockKind.VIP_REAL_TIME, LockKind.PI_REAL_TIME, LockKind.UNFAIR),
                table(),
                new Rounds(1, 1, 9),
                new Rounds(1, 1, 3));
    }

    @Override
    public Subject open(LockKind kind) {
        Guard lock = kind.open();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return circumstance -> {
            Scheduling waiting = waiter(circumstance);
            if (!isAllowed(waiting)) {
                return new double[] {Double.NaN};
            }
            double[] share = new double[1];
            CountDownLatch owned = new CountDownLatch(1);
            try (BusyThreads _ =
                    BusyThreads.start(HOGS_PER_PROCESSOR * Runtime.getRuntime().availableProcessors())) {
                Thread owner = Thread.ofPlatform().start(() -> {
                    LinuxThreads.schedule(LinuxThreads.SELF, new Scheduling(Scheduling.OTHER, LOW, 0, false));
                    lock.run(() -> {
                        owned.countDown();
                        share[0] = share(threads);
                    });
                });
                owned.await();
                if (waiting != null) {
                    Thread waiter = Thread.ofPlatform().start(() -> {
                        LinuxThreads.schedule(LinuxThreads.SELF, waiting);
                        Importance.VIP.run(() -> lock.run(() -> {}));
                    });
                    waiter.join();
                }
                owner.join();
            }
            return share;
        };
    }

    private static @Nullable Scheduling waiter(String circumstance) {
        return switch (circumstance) {
            case NICE -> Scheduling.bestNice();
            case REAL_TIME -> Scheduling.realTime(1);
            default -> null;
        };
    }

    /** Whether the kernel lets a thread of this process have this scheduling. */
    private static boolean isAllowed(@Nullable Scheduling wanted) throws InterruptedException {
        if (wanted == null) {
            return true;
        }
        AtomicBoolean allowed = new AtomicBoolean();
        Thread.ofPlatform()
                .start(() -> {
                    try {
                        allowed.setPlain(LinuxThreads.schedule(LinuxThreads.SELF, wanted));
                    } catch (SystemCallException refused) {
                        allowed.setPlain(false);
                    }
                })
                .join();
        return allowed.getPlain();
    }

    /** The calling thread's share of a CPU, in percent. */
    private static double share(ThreadMXBean threads) {
        long began = System.nanoTime();
        long cpu = threads.getCurrentThreadCpuTime();
        long state = 1;
        while (System.nanoTime() - began < NANOS) {
            state = SpinWork.steps(state, STEPS);
        }
        long used = threads.getCurrentThreadCpuTime() - cpu;
        return state == 0 ? Double.NaN : 100.0 * used / (System.nanoTime() - began);
    }
}
