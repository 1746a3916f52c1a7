import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Cause: futures behind a busy pool. Two requests at a time wait for prices, which one thread computes, each for 150 ms. */
final class BusyPool {
    private static final long RUN_MS = 4000;
    private volatile double price = 1;

    public static void main(String[] args) {
        BusyPool program = new BusyPool();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(RUN_MS);
        try (ExecutorService pool = Executors.newSingleThreadExecutor(
                        Thread.ofPlatform().name("pricing-", 0).factory());
                ExecutorService requests = Executors.newFixedThreadPool(
                        2, Thread.ofPlatform().name("request-", 0).factory())) {
            for (int i = 0; i < 2; i++) {
                requests.submit(() -> {
                    while (System.nanoTime() < end) {
                        program.request(pool);
                    }
                    return null;
                });
            }
            CompletableFuture.runAsync(() -> {}).join();
        }
    }

    private void request(ExecutorService pool) throws Exception {
        Future<Double> result = pool.submit(this::computePrice);
        price = result.get();
    }

    private double computePrice() {
        double sum = 0;
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(150);
        while (System.nanoTime() < end) {
            sum += Math.sqrt(sum + price);
        }
        return sum;
    }
}
