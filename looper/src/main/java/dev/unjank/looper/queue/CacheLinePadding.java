package dev.unjank.looper.queue;

/**
 * Padding against false sharing: keeps an object's neighbours in memory, and its header, out of the cache lines of its
 * hot fields. Two lines, since some processors fetch them in pairs. Fields of a superclass come first; a subclass pads
 * behind its own.
 */
@SuppressWarnings("unused")
public abstract class CacheLinePadding {
    /** Fills the gap behind the object's header, which fields of a subclass would otherwise occupy. */
    private int gap;

    private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14;
}
