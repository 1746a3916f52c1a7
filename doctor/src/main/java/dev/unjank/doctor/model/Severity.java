package dev.unjank.doctor.model;

/** The severity of an incident, worst first. Reports sort by severity, then by duration; deadlocks come first. */
public enum Severity {
    /** A wait of a JVM thread that users notice: an event dispatch thread, a looper or the program's main thread. */
    EVENT_LOOP(0),
    /** Any other wait. */
    NORMAL(1),
    /** A wait for a CPU by another thread of a Java virtual machine: common, and without an owner. */
    CPU_ONLY(2);

    private final int number;

    Severity(int number) {
        this.number = number;
    }

    /** {@return the number in SQL: the lower, the more severe} */
    public int number() {
        return number;
    }
}
