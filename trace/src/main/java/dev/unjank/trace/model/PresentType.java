package dev.unjank.trace.model;

/** How a frame was presented: on time, late, early or not at all. */
public enum PresentType {
    /** Unknown. */
    UNSPECIFIED("Unspecified Present"),
    /** On time. */
    ON_TIME("On-time Present"),
    /** Late. */
    LATE("Late Present"),
    /** Early. */
    EARLY("Early Present"),
    /** Never. */
    DROPPED("Dropped Frame"),
    /** Unknown to SurfaceFlinger. */
    UNKNOWN("Unknown Present");

    private static final PresentType[] VALUES = values();

    private final String text;

    PresentType(String text) {
        this.text = text;
    }

    /**
     * Perfetto's name.
     *
     * @return for example {@code Late Present}
     */
    public String text() {
        return text;
    }

    /**
     * The number in the wire format.
     *
     * @return the ordinal, which equals the number
     */
    @SuppressWarnings("EnumOrdinal")
    public int code() {
        return ordinal();
    }

    /**
     * The constant of a number in the wire format.
     *
     * @param number as in the trace
     * @return its constant, {@link #UNSPECIFIED} for an unknown number
     */
    public static PresentType of(int number) {
        return number >= 0 && number < VALUES.length ? VALUES[number] : UNSPECIFIED;
    }
}
