import dev.unjank.locks.Importance;
import dev.unjank.locks.PriorityTier;
import dev.unjank.locks.VipLock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A thread that draws 60 times a second shares a list with workers that change it all the time. It is declared VIP, so it waits for
 * one change at most, not for the queue.
 *
 * <p>Run with {@code java --enable-native-access=ALL-UNNAMED -cp locks/target/classes:linux/target/classes examples/locks/UiThread.java}.
 */
public final class UiThread {
    private static final int FRAMES = 60;
    private static final int WORKERS = 8;

    private final VipLock lock = new VipLock();
    private final List<Integer> model = new ArrayList<>(); // guarded by the lock
    private volatile boolean done;

    /** What the workers do. */
    private void work(int number) {
        while (!done) {
            lock.lock();
            try {
                model.add(number);
                if (model.size() > 1_000) {
                    model.clear();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** What the UI thread does; the longest time that it waited, in ns. */
    private long draw() throws InterruptedException {
        long longest = 0;
        for (int frame = 0; frame < FRAMES; frame++) {
            Thread.sleep(16);
            long start = System.nanoTime();
            lock.lock();
            try {
                longest = Math.max(longest, System.nanoTime() - start);
                model.size(); // and draw it
            } finally {
                lock.unlock();
            }
        }
        return longest;
    }

    public static void main(String[] args) throws Exception {
        System.out.println(PriorityTier.explanation()); // waits for the trial before the measurement begins
        UiThread program = new UiThread();
        CountDownLatch running = new CountDownLatch(WORKERS);
        for (int i = 0; i < WORKERS; i++) {
            int number = i;
            Thread.ofPlatform().daemon().start(() -> {
                running.countDown();
                program.work(number);
            });
        }
        running.await();
        long longest = Importance.VIP.call(program::draw);
        program.done = true;
        System.out.printf("%d frames; the longest wait for the lock took %.3f ms%n", FRAMES, longest / 1e6);
    }
}
