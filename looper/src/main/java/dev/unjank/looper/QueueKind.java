package dev.unjank.looper;

import java.util.Locale;

/** Which queue a looper has. Both behave alike; they differ in who waits for whom. */
public enum QueueKind {
    /** Posting never waits for another thread: no poster, however slow or preempted, holds up the loop. */
    LOCK_FREE("lockfree"),

    /** One monitor around a sorted linked list: the classic queue, kept as baseline and as fallback. */
    MONITOR("monitor");

    /** The system property that chooses for every looper whose options do not: {@value}. */
    public static final String PROPERTY = "unjank.queue";

    private final String propertyValue;

    QueueKind(String propertyValue) {
        this.propertyValue = propertyValue;
    }

    /**
     * Returns the kind that the system property {@link #PROPERTY} names now.
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
