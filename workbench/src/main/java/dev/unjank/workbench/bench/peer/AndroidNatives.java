package dev.unjank.workbench.bench.peer;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Replacements of the native methods that matter, with the same names and parameters: the loop sleeps by parking,
 * whereas Android's waits for an eventfd. Public for the classes of {@link AndroidClassLoader}, which call it.
 */
public final class AndroidNatives {
    private static final Map<Long, Sleeper> SLEEPERS = new ConcurrentHashMap<>();
    private static final AtomicLong LAST = new AtomicLong();

    private AndroidNatives() {}

    private static final class Sleeper {
        private volatile boolean woken;
        private final Thread thread = Thread.currentThread();

        void sleep(int millis) {
            long start = System.nanoTime();
            while (!woken) {
                if (millis < 0) {
                    LockSupport.park(this);
                } else {
                    long left = TimeUnit.MILLISECONDS.toNanos(millis) - (System.nanoTime() - start);
                    if (left <= 0) {
                        break;
                    }
                    LockSupport.parkNanos(this, left);
                }
            }
            woken = false;
        }

        void wake() {
            woken = true;
            LockSupport.unpark(thread);
        }
    }

    /** MessageQueue's method; called on the loop's thread. */
    public static long nativeInit() {
        long handle = LAST.incrementAndGet();
        SLEEPERS.put(handle, new Sleeper());
        return handle;
    }

    public static void nativeDestroy(long handle) {
        SLEEPERS.remove(handle);
    }

    /** MessageQueue's method; a timeout of -1 is infinite. */
    public static void nativePollOnce(long handle, int timeoutMillis) {
        Sleeper sleeper = SLEEPERS.get(handle);
        if (sleeper != null) {
            sleeper.sleep(timeoutMillis);
        }
    }

    public static void nativeWake(long handle) {
        Sleeper sleeper = SLEEPERS.get(handle);
        if (sleeper != null) {
            sleeper.wake();
        }
    }

    /** SystemClock's method. */
    public static long uptimeMillis() {
        return System.nanoTime() / 1_000_000;
    }

    public static int native_get_int(String key, int otherwise) {
        return otherwise;
    }
}
