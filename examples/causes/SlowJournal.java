import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Cause: a slow journal under a lock. Eight workers serve requests; each writes the journal with the lock held, which takes 20 ms.
 */
final class SlowJournal {
    private static final long RUN_MS = 4000;
    private final Object journal = new Object();
    private long entries;

    public static void main(String[] args) throws Exception {
        SlowJournal shop = new SlowJournal();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(RUN_MS);
        try (ExecutorService workers = Executors.newFixedThreadPool(8)) {
            for (int i = 0; i < 8; i++) {
                workers.submit(() -> {
                    while (System.nanoTime() < end) {
                        shop.serve();
                    }
                    return null;
                });
            }
        }
    }

    private void serve() throws InterruptedException {
        Thread.sleep(2); // the network
        writeJournal();
    }

    private void writeJournal() throws InterruptedException {
        synchronized (journal) {
            entries++;
            store(20);
        }
    }

    private static void store(long millis) throws InterruptedException {
        Thread.sleep(millis);
    }
}
