package dev.unjank.record.kernel;

import dev.unjank.trace.write.FtraceCpuWriter;
import java.io.IOException;

/** Decodes the events of a page of the kernel's ring buffer. */
interface PageDecoder {
    /** Decodes the current event of a page, whose time is on the boot clock. */
    boolean take(RingBufferPage from, FtraceCpuWriter to, long bootTime) throws IOException;

    /** Events of a CPU were lost before the next event. */
    void missed(FtraceCpuWriter to) throws IOException;
}
