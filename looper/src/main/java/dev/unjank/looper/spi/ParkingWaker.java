package dev.unjank.looper.spi;

import dev.unjank.looper.util.Nullable;
import java.util.concurrent.locks.LockSupport;

/**
 * The portable waker: the looper parks until a flag is set.
 *
 * <p>The thread's park permit alone is not enough: an interrupt or other code that uses LockSupport on the same thread
 * may consume or grant it. So the flag decides, and the permit only ends the park. No wake-up is lost: the sleeper
 * publishes itself and then reads the flag, the waker sets the flag and then reads the sleeper. Both fields are
 * volatile, so at least one of the two sees the other.
 */
final class ParkingWaker implements Waker {
    private volatile boolean woken;
    private volatile @Nullable Thread sleeper;

    @Override
    public void await(long nanos) {
        long start = nanos == FOREVER ? 0 : System.nanoTime();
        boolean interrupted = false;
        sleeper = Thread.currentThread();
        while (!woken) {
            if (nanos == FOREVER) {
                LockSupport.park(this);
            } else {
                long left = nanos - (System.nanoTime() - start);
                if (left <= 0) {
                    break;
                }
                LockSupport.parkNanos(this, left);
            }
            // with the interrupt flag set, park would return at once; the flag is restored for the message
            interrupted |= Thread.interrupted();
        }
        sleeper = null;
        woken = false;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void wake() {
        woken = true;
        Thread thread = sleeper;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    @Override
    public String toString() {
        return WakerProvider.PARKING;
    }
}
