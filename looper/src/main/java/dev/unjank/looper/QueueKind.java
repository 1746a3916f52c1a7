package dev.unjank.looper;

import java.util.Locale;

/** The implementation of a looper's queue. Both behave alike; they differ in which threads wait for which. */
public enum QueueKind {
    /** Lock-free: posting never waits for another thread. No poster, however slow or preempted, stalls the loop. */
    LOCK_FREE("lockfree"),

    /** One monitor around a sorted linked list: the classic queue, kept as baseline and fallback. */
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
     * @throws IllegalArgumentException if it is set to anything but {@code lockfree} or {@code monitor}, in any case
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
