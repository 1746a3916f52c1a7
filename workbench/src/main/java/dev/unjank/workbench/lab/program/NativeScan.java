package dev.unjank.workbench.lab.program;

/** A slow call into native code that takes an array of Java's along: a scanner's read of a second. */
public interface NativeScan {
    /**
     * Scans once, in a way in which the garbage collector cannot move the array, or no object at all, until the call is over.
     */
    void critically() throws Exception;

    /** The same with memory outside the heap, which no garbage collection moves. */
    void copied() throws Exception;
}
