package dev.unjank.trace.model;

/** When a frame was shown, against when it was expected. */
public enum PresentType {
    /** The trace does not say. */
    UNSPECIFIED("Unspecified Present"),
    /** When expected. */
    ON_TIME("On-time Present"),
    /** Too late. */
    LATE("Late Present"),
    /** Too early. */
    EARLY("Early Present"),
    /** Never. */
    DROPPED("Dropped Frame"),
    /** SurfaceFlinger does not know. */
    UNKNOWN("Unknown Present");

    private static final PresentType[] VALUES = values();

    private final String text;

    PresentType(String text) {
        this.text = text;
    }

    /**
     * The name that Perfetto shows.
     *
     * @return for example {@code Late Present}
     */
    public String text() {
        return text;
    }

    /**
     * The number in the wire format.
     *
     * @return its place among the constants, which are in order of it
     */
    @SuppressWarnings("EnumOrdinal")
    public int code() {
        return ordinal();
    }

    /**
     * The constant of a number in the wire format.
     *
     * @param number as in the trace
     * @return its constant, {@link #UNSPECIFIED} for a number that has none
     */
    public static PresentType of(int number) {
        return number >= 0 && number < VALUES.length ? VALUES[number] : UNSPECIFIED;
    }
}
