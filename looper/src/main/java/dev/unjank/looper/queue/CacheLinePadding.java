package dev.unjank.looper.queue;

/**
 * Padding against false sharing: keeps adjacent objects, and the object's header, out of the cache lines of its hot
 * fields. The padding is two lines, since some processors fetch lines in pairs. Fields of a superclass come first in
 * memory; a subclass adds padding after its own fields.
 */
@SuppressWarnings("unused")
public abstract class CacheLinePadding {
    /** Fills the gap after the object's header, which fields of a subclass would otherwise occupy. */
    private int gap;

    private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14;
}
