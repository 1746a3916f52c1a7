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

    /** Whether this process may set the given nice value, as root may. */
    public static boolean maySetNice(int nice) throws IOException {
        return succeeds(() -> Niceness.setCurrentThread(nice));
    }

    public static boolean mayBeRealTime() throws IOException {
        return succeeds(SchedulingPrivilege::becomeRealTime);
    }

    /**
     * Permanently gives the calling thread the lowest real-time priority; threads that it starts have an ordinary
     * policy.
     */
    public static boolean becomeRealTime() {
        try {
            return LinuxThreads.obstacle() == null && LinuxThreads.schedule(LinuxThreads.SELF, Scheduling.realTime(1));
        } catch (SystemCallException e) {
            return false; // without the privilege
        }
    }

    /** Runs the attempt on a new thread, which ends afterwards. */
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
