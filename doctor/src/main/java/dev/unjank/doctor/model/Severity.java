package dev.unjank.doctor.model;

/** How much attention a wait deserves, the most first. Reports go by that, and only then by how long waits lasted. */
public enum Severity {
    /**
     * It held up a thread of a Java virtual machine by which somebody outside notices it: one that handles a window's events, runs a
     * looper's messages, or is the program's first.
     */
    EVENT_LOOP(0),
    /** As most waits do. */
    NORMAL(1),
    /** Another thread of a Java virtual machine had no CPU: that happens all the time, and nobody was in the way. */
    CPU_ONLY(2);

    private final int number;

    Severity(int number) {
        this.number = number;
    }

    /** {@return the number for it in SQL: the less, the more attention} */
    public int number() {
        return number;
    }
}
