import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Cause: garbage collections while a lock is held. The cache is rebuilt under its lock; each rebuild requests a collection of a heap
 * full of small objects, and readers wait for the lock.
 */
final class CollectorUnderLock {
    private static final long RUN_MS = 4000;
    private final Object lock = new Object();
    private final List<long[]> data = new ArrayList<>();
    private long sum;

    public static void main(String[] args) {
        CollectorUnderLock cache = new CollectorUnderLock();
        for (int i = 0; i < 1_500_000; i++) {
            cache.data.add(new long[] {i});
        }
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(RUN_MS);
        try (ExecutorService threads =
                Executors.newFixedThreadPool(4, Thread.ofPlatform().name("reader-", 0).factory())) {
            for (int i = 0; i < 3; i++) {
                threads.submit(() -> {
                    while (System.nanoTime() < end) {
                        cache.read();
                    }
                    return null;
                });
            }
            Thread.ofPlatform().name("rebuilder").start(() -> {
                while (System.nanoTime() < end) {
                    cache.rebuild();
                    pause();
                }
            });
        }
    }

    private void read() {
        pause();
        synchronized (lock) {
            sum += data.get((int) (sum & 1023))[0] & 1;
        }
    }

    private void rebuild() {
        synchronized (lock) {
            System.gc();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(5);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
