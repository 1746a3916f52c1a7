package dev.unjank.record.kernel;

import dev.unjank.trace.write.FtraceCpu;
import java.io.IOException;

/** Takes the events out of the pages of the kernel's buffers. */
interface PageEvents {
    /**
     * Takes the event at which a page stands.
     *
     * @param to where the events of the page's CPU are written
     * @param bootTime when it happened, on the boot clock
     * @return whether it is recorded
     */
    boolean take(RingPage from, FtraceCpu to, long bootTime) throws IOException;

    /** Events of a CPU were lost before those that come next. */
    void missed(FtraceCpu to) throws IOException;
}
