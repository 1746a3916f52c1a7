package dev.unjank.doctor.scene;

import java.util.Random;
import java.util.function.DoubleSupplier;

/**
 * A web shop whose eight workers write a journal under one lock, in a helper that sleeps; as Flight Recorder shows it,
 * without the lock's owners.
 */
public final class ShopScene {
    public static final int WORKERS = 8;
    private static final int FIRST = 201;
    private static final int TURNS = 20;
    private static final int HOLD_MS = 8;

    private static final String CALLERS = "\nvoid shop.Shop.handle()(Shop:15)\nvoid java.lang.Thread.run()(Thread:1)";
    private static final String WAITS = """
            void jdk.internal.misc.Unsafe.park(boolean, long)(Unsafe)
            void java.util.concurrent.locks.ReentrantLock.lock()(ReentrantLock:322)
            void shop.Shop.writeJournal()(Shop:18)""" + CALLERS;
    private static final String SLEEPS =
            "void shop.Disk.sync()(Disk:5)\nvoid shop.Shop.writeJournal()(Shop:19)" + CALLERS;
    private static final String LOCK = "java.util.concurrent.locks.ReentrantLock$NonfairSync";

    private ShopScene() {}

    /** The workers take turns: each sleeps while all others wait. */
    public static SyntheticJvmTrace play() {
        return play(TURNS, () -> HOLD_MS);
    }

    /** Many turns of different lengths. */
    public static SyntheticJvmTrace playLong(int turns) {
        Random random = new Random(7);
        return play(turns, () -> random.nextDouble(4, 12));
    }

    private static SyntheticJvmTrace play(int turns, DoubleSupplier holdMs) {
        SyntheticJvmTrace stage = new SyntheticJvmTrace();
        double[] last = new double[WORKERS];
        for (int worker = 0; worker < WORKERS; worker++) {
            stage.name(FIRST + worker, "http-worker-" + (worker + 1));
        }
        double from = 0;
        for (int turn = 0; turn < turns; turn++) {
            int worker = turn % WORKERS;
            double to = from + holdMs.getAsDouble();
            stage.withStack(FIRST + worker, from + 0.1, to - 0.1, "sleep", "sleeping", SLEEPS);
            if (turn > 0) {
                waits(stage, FIRST + worker, last[worker], from);
            }
            last[worker] = to;
            from = to;
        }
        return stage;
    }

    /** The same, but in the last turn another worker sleeps there at the same time: no lock is held around it. */
    public static SyntheticJvmTrace playWithoutLockAroundIt() {
        return play().withStack(FIRST + 6, 1, 6, "sleep", "sleeping", SLEEPS);
    }

    private static void waits(SyntheticJvmTrace stage, int worker, double from, double to) {
        String name = "parking on " + LOCK + " (owner tid: 0) blocking from void shop.Shop.writeJournal()(Shop:18)";
        stage.withStack(worker, from, to, "park", name, WAITS);
    }
}
