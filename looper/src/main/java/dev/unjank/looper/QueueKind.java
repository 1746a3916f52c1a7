package dev.unjank.looper;

import java.util.Locale;

/**
 * The implementation of a looper's queue. Both kinds behave the same; they differ in which threads wait for each other.
 */
public enum QueueKind {
    /**
     * The lock-free queue: posting never waits for another thread, and a slow or preempted poster does not stall the
     * loop.
     */
    LOCK_FREE("lockfree"),

    /** The classic queue: one monitor around a sorted linked list. Kept as baseline and fallback. */
    MONITOR("monitor");

    /** The system property that chooses the queue of every looper without one in its options: {@value}. */
    public static final String PROPERTY = "unjank.queue";

    private final String propertyValue;

    QueueKind(String propertyValue) {
        this.propertyValue = propertyValue;
    }

    /**
     * Returns the kind that the system property {@link #PROPERTY} currently names.
     *
     * @return {@link #LOCK_FREE} if the property is not set
     * @throws IllegalArgumentException if the property is set to a value other than {@code lockfree} or {@code
     *     monitor}, ignoring case
     */
    public static QueueKind fromProperty() {
        String value = System.getProperty(PROPERTY, LOCK_FREE.propertyValue);
        String lower = value.toLowerCase(Locale.ROOT);
        for (QueueKind kind : values()) {
            if (kind.propertyValue.equals(lower)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("-D" + PROPERTY + "=" + value + ": expected lockfree or monitor");
    }
}
