package dev.unjank.workbench.lab.launcher;

import dev.unjank.cli.demo.load.Niceness;
import dev.unjank.workbench.lab.load.SchedulingPrivilege;
import java.io.IOException;

/**
 * The nice values of the three parties. Root may make the UI thread more important than usual, as Android does; others make the
 * rest less important.
 *
 * @param realTime whether the UI thread is a real-time one besides, for which its nice value does not count
 */
record NiceValues(int ui, int camera, int executor, boolean realTime) {
    /** As on Android: the app on top, ordinary threads, and those in the background. */
    private static final NiceValues PRIVILEGED = new NiceValues(-10, 0, 10, false);

    private static final NiceValues ORDINARY = new NiceValues(0, 5, Niceness.LOWEST, false);

    /** The best that may be had here. */
    static NiceValues here(boolean wantsRealTime) throws IOException {
        NiceValues nice = SchedulingPrivilege.maySetNice(PRIVILEGED.ui) ? PRIVILEGED : ORDINARY;
        return wantsRealTime && SchedulingPrivilege.mayBeRealTime()
                ? new NiceValues(nice.ui, nice.camera, nice.executor, true)
                : nice;
    }
}
