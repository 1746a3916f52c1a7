package dev.unjank.trace.model;

/** How much of a missed deadline was visible. */
public enum JankSeverity {
    /** Not recorded. */
    UNKNOWN("Unknown"),
    /** The missed deadline was not visible. */
    NONE("None"),
    /** It was partly visible. */
    PARTIAL("Partial"),
    /** It was fully visible. */
    FULL("Full");

    private static final JankSeverity[] VALUES = values();

    private final String text;

    JankSeverity(String text) {
        this.text = text;
    }

    /** {@return Perfetto's name} */
    public String text() {
        return text;
    }

    /** {@return the number in the wire format} */
    @SuppressWarnings("EnumOrdinal")
    public int code() {
        return ordinal();
    }

    /**
     * {@return the constant of a number in the wire format, {@link #UNKNOWN} for an unknown number}
     *
     * @param number as in the trace
     */
    public static JankSeverity of(int number) {
        return number >= 0 && number < VALUES.length ? VALUES[number] : UNKNOWN;
    }
}
