package dev.unjank.trace.model;

/** Whether SurfaceFlinger had a plan for a frame. */
public enum PredictionType {
    /** Not recorded. */
    UNSPECIFIED("Unspecified Prediction"),
    /** It had one. */
    VALID("Valid Prediction"),
    /** The plan was too old. */
    EXPIRED("Expired Prediction"),
    /** Unknown to SurfaceFlinger. */
    UNKNOWN("Unknown Prediction");

    private static final PredictionType[] VALUES = values();

    private final String text;

    PredictionType(String text) {
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
     * {@return the constant of a number in the wire format, {@link #UNSPECIFIED} for an unknown number}
     *
     * @param number as in the trace
     */
    public static PredictionType of(int number) {
        return number >= 0 && number < VALUES.length ? VALUES[number] : UNSPECIFIED;
    }
}
