import dev.unjank.locks.Importance;
import dev.unjank.locks.PriorityTier;
import dev.unjank.locks.VipReadWriteLock;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A server whose requests read and write a table under one lock. A monitor asks for its health and gives up after a
 * second; under load that check would wait with a thousand requests. Declared VIP, it reads next. Requests run on virtual threads,
 * which are ordered like others.
 *
 * <p>Run with {@code java --enable-native-access=ALL-UNNAMED -cp locks/target/classes:linux/target/classes examples/locks/HealthCheck.java}.
 */
public final class HealthCheck {
    private static final int REQUESTS = 1_000;
    private static final int CHECKS = 20;

    /** A request may wait for a second: longer than a crowd of them takes, so that they need not be served one by one, in order. */
    private final VipReadWriteLock lock = new VipReadWriteLock(Duration.ofSeconds(1));

    private final Map<Integer, Integer> table = new TreeMap<>(); // guarded by the lock

    private void request(int number) {
        lock.writeLock().lock();
        try {
            table.merge(number % 100, 1, Integer::sum);
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** How many entries there are: the server is well. */
    private int check() {
        lock.readLock().lock();
        try {
            return table.size();
        } finally {
            lock.readLock().unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        System.out.println(PriorityTier.explanation());
        HealthCheck server = new HealthCheck();
        long longest = 0;
        try (ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CHECKS; i++) {
                for (int request = 0; request < REQUESTS; request++) {
                    int number = request;
                    requests.execute(() -> server.request(number));
                }
                long start = System.nanoTime();
                Importance.VIP.call(server::check);
                longest = Math.max(longest, System.nanoTime() - start);
            }
        }
        System.out.printf(
                "%d requests, %d entries; the longest of %d checks took %.3f ms%n",
                CHECKS * REQUESTS, server.check(), CHECKS, longest / 1e6);
    }
}
