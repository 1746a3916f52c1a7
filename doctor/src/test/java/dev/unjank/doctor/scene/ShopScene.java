package dev.unjank.doctor.scene;

/**
 * A web shop whose eight workers write a journal under one lock, in a helper that sleeps; as Flight Recorder shows it, without the
 * lock's owners.
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
        SyntheticJvmTrace stage = new SyntheticJvmTrace();
        for (int worker = 0; worker < WORKERS; worker++) {
            stage.name(FIRST + worker, "http-worker-" + (worker + 1));
        }
        for (int turn = 0; turn < TURNS; turn++) {
            int from = turn * HOLD_MS;
            int worker = FIRST + turn % WORKERS;
            stage.withStack(worker, from + 0.1, from + HOLD_MS - 0.1, "sleep", "sleeping", SLEEPS);
            int waited = Math.min(turn, WORKERS - 1) * HOLD_MS;
            if (waited > 0) {
                waits(stage, worker, from - waited, from);
            }
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
