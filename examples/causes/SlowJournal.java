import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Cause: a slow journal under a lock. Eight workers serve requests; each writes the journal with the lock held, which takes 5 ms.
 */
final class SlowJournal {
    private static final long RUN_MS = 4000;
    private final Object catalogue = new Object();
    private final ReentrantLock journal = new ReentrantLock();
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
        writeCatalogue();
        writeJournal();
    }

    private void writeCatalogue() throws InterruptedException {
        synchronized (catalogue) {
            store(20);
        }
    }

    private void writeJournal() throws InterruptedException {
        journal.lock();
        try {
            entries++;
            store(5);
        } finally {
            journal.unlock();
        }
    }

    private static void store(long millis) throws InterruptedException {
        Thread.sleep(millis);
    }
}
