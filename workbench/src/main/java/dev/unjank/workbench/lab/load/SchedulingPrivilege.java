package dev.unjank.workbench.lab.load;

import dev.unjank.cli.demo.load.Niceness;
import dev.unjank.linux.LinuxThreads;
import dev.unjank.linux.Scheduling;
import dev.unjank.linux.SystemCallException;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/** The scheduling privileges of this process. */
public final class SchedulingPrivilege {
    private SchedulingPrivilege() {}

    /** Whether a thread may get a nice value below 0, as root may. */
    public static boolean maySetNice(int nice) throws IOException {
        return succeeds(() -> Niceness.setCurrentThread(nice));
    }

    public static boolean mayBeRealTime() throws IOException {
        return succeeds(SchedulingPrivilege::becomeRealTime);
    }

    /**
     * Makes the calling thread a real-time one of the lowest such priority, for good; threads that it starts are ordinary ones.
     */
    public static boolean becomeRealTime() {
        try {
            return LinuxThreads.obstacle() == null && LinuxThreads.schedule(LinuxThreads.SELF, Scheduling.realTime(1));
        } catch (SystemCallException e) {
            return false; // without the privilege
        }
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
