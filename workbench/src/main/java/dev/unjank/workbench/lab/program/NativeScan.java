package dev.unjank.workbench.lab.program;

/** A slow native call with a Java array: a scanner's read of a second. */
public interface NativeScan {
    /**
     * Scans once, so that the garbage collector cannot move the array, or any object, until the call ends.
     */
    void critically() throws Exception;

    /** Scans once with off-heap memory, which garbage collection does not move. */
    void copied() throws Exception;
}
