package dev.unjank.lab.load;

import dev.unjank.bench.load.Niceness;
import java.io.IOException;

/** What this process may do that others may not. */
public final class Privilege {

    private Privilege() {}

    /**
     * Whether a thread may be made more important than usual, as root may. A thread asks that ends afterwards.
     *
     * @param nice the nice value that is wanted, below 0
     * @return whether it may be had
     * @throws IOException if the calling thread is interrupted
     */
    public static boolean maySetNice(int nice) throws IOException {
        boolean[] may = {false};
        Thread asking = new Thread(() -> may[0] = Niceness.setCurrentThread(nice));
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
