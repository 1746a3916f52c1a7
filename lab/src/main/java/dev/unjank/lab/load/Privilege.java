package dev.unjank.lab.load;

import dev.unjank.bench.load.Niceness;
import dev.unjank.lab.linux.Scheduling;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/** What this process may do that others may not. */
public final class Privilege {

    private Privilege() {}

    /**
     * Whether a thread may be made more important than usual, as root may.
     *
     * @param nice the nice value that is wanted, below 0
     * @return whether it may be had
     * @throws IOException if the calling thread is interrupted
     */
    public static boolean maySetNice(int nice) throws IOException {
        return succeeds(() -> Niceness.setCurrentThread(nice));
    }

    /**
     * Whether a thread may be made a real-time one.
     *
     * @return whether it may
     * @throws IOException if the calling thread is interrupted
     */
    public static boolean mayBeRealTime() throws IOException {
        return Scheduling.isAvailable() && succeeds(() -> Scheduling.setRealTime(true));
    }

    /** A thread asks that ends afterwards. */
    private static boolean succeeds(BooleanSupplier attempt) throws IOException {
        boolean[] may = {false};
        Thread asking = new Thread(() -> may[0] = attempt.getAsBoolean());
        asking.start();
        try {
            asking.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        return may[0];
    }
}
