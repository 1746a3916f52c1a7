package dev.unjank.record.kernel;

import dev.unjank.trace.write.FtraceCpuWriter;
import java.io.IOException;

/** Takes the events out of the pages of the kernel's buffers. */
interface PageDecoder {
    /**
     * Takes the event at which a page stands.
     *
     * @param to where the events of the page's CPU are written
     * @param bootTime when it happened, on the boot clock
     * @return whether it is recorded
     */
    boolean take(RingBufferPage from, FtraceCpuWriter to, long bootTime) throws IOException;

    /** Events of a CPU were lost before those that come next. */
    void missed(FtraceCpuWriter to) throws IOException;
}
