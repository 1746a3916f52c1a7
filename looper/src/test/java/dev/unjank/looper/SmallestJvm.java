package dev.unjank.looper;

import java.time.Duration;

/** Runs in a virtual machine of its own that has no module but java.base: see {@link SmallestJvmTest}. */
final class SmallestJvm {
    private SmallestJvm() {}

    public static void main(String[] args) {
        System.out.println("modules: " + ModuleLayer.boot().modules());
        long[] nanos = {1_000_000_000L};
        Looper looper = Looper.create(LooperOptions.defaults().withClock(() -> nanos[0]));
        TestLooperManager manager = new TestLooperManager(looper);
        LooperStats stats = LooperStats.of(looper);
        try (LooperWatchdog watchdog = new LooperWatchdog(Duration.ofMillis(100), stall -> System.out.println(stall))) {
            watchdog.watch(looper);
            new Handler(looper).post(() -> {
                nanos[0] += 200_000_000;
                watchdog.check();
            });
            Message message = manager.poll();
            manager.execute(message);
            manager.recycle(message);
            watchdog.check();
        }
        System.out.println(stats.snapshot());
    }
}
