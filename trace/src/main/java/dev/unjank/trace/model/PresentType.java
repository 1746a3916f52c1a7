package dev.unjank.trace.model;

/** The presentation of a frame: on time, late, early or not at all. */
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

    /** {@return Perfetto's name, for example {@code Late Present}} */
    public String text() {
        return text;
    }

    /** {@return the number in the wire format} */
    @SuppressWarnings("EnumOrdinal")
    public int code() {
        return ordinal();
    }

    /**
     * {@return the constant of a number in the wire format, {@link #UNSPECIFIED} for an unknown number}
     *
     * @param number as in the trace
     */
    public static PresentType of(int number) {
        return number >= 0 && number < VALUES.length ? VALUES[number] : UNSPECIFIED;
    }
}
