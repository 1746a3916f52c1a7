package dev.unjank.looper.platform;

import dev.unjank.looper.Handler;
import dev.unjank.looper.Looper;
import dev.unjank.looper.LooperOptions;
import dev.unjank.looper.LooperStats;
import dev.unjank.looper.LooperWatchdog;
import dev.unjank.looper.Message;
import dev.unjank.looper.TestLooperManager;
import java.time.Duration;

/** Runs in a virtual machine of its own that has no module but java.base: see {@link JavaBaseOnlyTest}. */
final class JavaBaseOnlyProgram {
    private JavaBaseOnlyProgram() {}

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
