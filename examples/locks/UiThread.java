import dev.unjank.locks.Importance;
import dev.unjank.locks.PriorityTier;
import dev.unjank.locks.VipLock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A UI thread draws 60 times a second and shares a list with workers that change it continuously. The program prints the UI thread's
 * longest wait, first with a ReentrantLock, then with a VipLock.
 *
 * <p>Run with {@code java --enable-native-access=ALL-UNNAMED -cp locks/target/classes:linux/target/classes examples/locks/UiThread.java}.
 */
public final class UiThread {
    private static final int FRAMES = 60;
    private static final int WORKERS = 8;

    private final Lock lock;
    private final List<Integer> model = new ArrayList<>(); // guarded by the lock
    private volatile boolean done;

    private UiThread(Lock lock) {
        this.lock = lock;
    }

    /** Changes the list until the program ends. */
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

    /** Draws all frames, and returns the longest wait for the lock in ns. */
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

    /** Runs the UI thread beside the workers, and prints its longest wait. */
    private static void measure(Lock lock) throws Exception {
        UiThread program = new UiThread(lock);
        CountDownLatch running = new CountDownLatch(WORKERS);
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            int number = i;
            workers.add(Thread.ofPlatform().daemon().start(() -> {
                running.countDown();
                program.work(number);
            }));
        }
        running.await();
        long longest = Importance.VIP.call(program::draw);
        program.done = true;
        for (Thread worker : workers) {
            worker.join();
        }
        System.out.printf(
                "%-13s  %d frames; the longest wait for the lock took %.3f ms%n",
                lock.getClass().getSimpleName(), FRAMES, longest / 1e6);
    }

    public static void main(String[] args) throws Exception {
        System.out.println(PriorityTier.explanation());
        measure(new ReentrantLock());
        measure(new VipLock());
    }
}
