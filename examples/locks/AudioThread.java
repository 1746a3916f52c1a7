import dev.unjank.locks.Importance;
import dev.unjank.locks.PriorityTier;
import dev.unjank.locks.VipLock;
import java.util.concurrent.TimeUnit;

/**
 * A thread that mixes sound every 5 ms takes the settings from under a lock that an editor holds now and then. It must not be late,
 * so it waits for a part of its time only and else plays on with the settings that it has. While it waits, the editor is
 * scheduled as well as it is, if the tier allows that: beside programs that compute, that is what brings the lock back in time.
 *
 * <p>Run with {@code java --enable-native-access=ALL-UNNAMED -cp locks/target/classes:linux/target/classes examples/locks/AudioThread.java}.
 */
public final class AudioThread {
    private static final int PERIODS = 200;
    private static final long PERIOD_MILLIS = 5;
    private static final long PATIENCE_MILLIS = 2;

    private final VipLock lock = new VipLock();
    private double volume = 1; // guarded by the lock
    private volatile boolean done;

    private void edit() {
        while (!done) {
            lock.lock();
            try {
                volume = Math.abs(Math.sin(volume + 1)); // takes a while in a real editor
            } finally {
                lock.unlock();
            }
        }
    }

    /** Plays; in how many periods the settings were not to be had in time. */
    private int play() throws InterruptedException {
        int missed = 0;
        double current = 1;
        double sum = 0;
        for (int period = 0; period < PERIODS; period++) {
            Thread.sleep(PERIOD_MILLIS);
            if (lock.tryLock(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
                try {
                    current = volume;
                } finally {
                    lock.unlock();
                }
            } else {
                missed++;
            }
            sum += current; // and mix with it
        }
        return sum >= 0 ? missed : -1;
    }

    public static void main(String[] args) throws Exception {
        System.out.println(PriorityTier.explanation()); // waits for the trial before the measurement begins
        AudioThread program = new AudioThread();
        Thread.ofPlatform().daemon().start(program::edit);
        int missed = Importance.REAL_TIME.call(program::play);
        program.done = true;
        System.out.printf("%d periods, %d with old settings%n", PERIODS, missed);
    }
}
