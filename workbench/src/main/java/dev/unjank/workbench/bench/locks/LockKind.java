package dev.unjank.workbench.bench.locks;

import dev.unjank.linux.Futex;
import dev.unjank.linux.LinuxThreads;
import dev.unjank.linux.Scheduling;
import dev.unjank.locks.Importance;
import dev.unjank.locks.PriorityTier;
import dev.unjank.locks.VipLock;
import dev.unjank.locks.futex.FutexMutex;
import dev.unjank.locks.futex.PiMutex;
import dev.unjank.workbench.bench.comparison.Candidate;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The measured locks. Locks of one kind differ in how they treat an important thread. */
enum LockKind implements Candidate {
    VIP_ORDERING("ordering", "VipLock, which orders its waiters by importance (tier ORDERING)"),
    VIP_LENDING("lending", "VipLock, which also lends its owner the best nice value (tier LENDING)"),
    VIP_REAL_TIME(
            "realtime", "VipLock, which lends its owner the real-time class of the important thread (tier REAL_TIME)"),
    UNFAIR("RL", "java.util.concurrent's ReentrantLock"),
    FAIR("RL fair", "a fair ReentrantLock"),
    MONITOR("synchr.", "synchronized"),
    PI("PI", "PiMutex (FUTEX_LOCK_PI); the important thread has an ordinary policy"),
    PI_REAL_TIME("PI rt", "PiMutex; the important thread has a real-time policy, which the kernel lends to the owner"),
    FUTEX("futex", "FutexMutex, a plain mutex on a futex");

    private static final int PRIORITY = 1;

    private final String label;
    private final String description;

    LockKind(String label, String description) {
        this.label = label;
        this.description = description;
    }

    /**
     * The locks for benchmarks of ordinary threads: of variants that differ only for important threads, the simplest.
     */
    static List<LockKind> plain() {
        return Arrays.stream(values())
                .filter(kind -> kind != VIP_LENDING && kind != VIP_REAL_TIME && kind != PI_REAL_TIME)
                .toList();
    }

    /** Runs a task while the lock is held. */
    @FunctionalInterface
    interface Guard {
        void run(Runnable inside);
    }

    Guard open() {
        return switch (this) {
            case VIP_ORDERING, VIP_LENDING, VIP_REAL_TIME -> guard(new VipLock());
            case UNFAIR -> guard(new ReentrantLock());
            case FAIR -> guard(new ReentrantLock(true));
            case PI, PI_REAL_TIME -> guard(new PiMutex());
            case FUTEX -> guard(new FutexMutex());
            case MONITOR -> {
                Object monitor = new Object();
                yield inside -> {
                    synchronized (monitor) {
                        inside.run();
                    }
                };
            }
        };
    }

    static Guard guard(Lock lock) {
        return inside -> {
            lock.lock();
            try {
                inside.run();
            } finally {
                lock.unlock();
            }
        };
    }

    /** Runs a task as the important thread. */
    void asImportant(Runnable work) {
        if (isRealTime()) {
            LinuxThreads.schedule(LinuxThreads.SELF, Scheduling.realTime(PRIORITY));
        }
        if (tier() == null) {
            work.run();
        } else {
            Importance.VIP.run(work);
        }
    }

    private boolean isRealTime() {
        return this == VIP_REAL_TIME || this == PI_REAL_TIME;
    }

    private @Nullable PriorityTier tier() {
        return switch (this) {
            case VIP_ORDERING -> PriorityTier.ORDERING;
            case VIP_LENDING -> PriorityTier.LENDING;
            case VIP_REAL_TIME -> PriorityTier.REAL_TIME;
            default -> null;
        };
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public List<String> options() {
        PriorityTier tier = tier();
        return tier == null ? List.of() : List.of("-Dunjank.locks.tier=" + tier);
    }

    @Override
    public @Nullable String obstacle() {
        if (this == PI || this == FUTEX) {
            return this == PI ? Futex.piObstacle() : Futex.obstacle();
        }
        PriorityTier needed = isRealTime() ? PriorityTier.REAL_TIME : tier();
        return needed == null || PriorityTier.current().compareTo(needed) >= 0 ? null : PriorityTier.explanation();
    }
}
