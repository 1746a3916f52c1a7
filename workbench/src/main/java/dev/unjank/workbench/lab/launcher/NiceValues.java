package dev.unjank.workbench.lab.launcher;

import dev.unjank.cli.demo.load.Niceness;
import dev.unjank.workbench.lab.load.SchedulingPrivilege;
import java.io.IOException;

/**
 * The nice values of UI thread, camera and executor. With root the UI thread gets a higher priority than usual, as on
 * Android; otherwise the others get a lower one.
 *
 * @param realTime whether the UI thread also has a real-time policy, which overrides its nice value
 */
record NiceValues(int ui, int camera, int executor, boolean realTime) {
    /** The values as on Android: foreground app, ordinary threads, background threads. */
    private static final NiceValues PRIVILEGED = new NiceValues(-10, 0, 10, false);

    private static final NiceValues ORDINARY = new NiceValues(0, 5, Niceness.LOWEST, false);

    /** The best values that are permitted here. */
    static NiceValues here(boolean wantsRealTime) throws IOException {
        NiceValues nice = SchedulingPrivilege.maySetNice(PRIVILEGED.ui) ? PRIVILEGED : ORDINARY;
        return wantsRealTime && SchedulingPrivilege.mayBeRealTime()
                ? new NiceValues(nice.ui, nice.camera, nice.executor, true)
                : nice;
    }
}
