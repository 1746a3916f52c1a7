package dev.unjank.trace.model;

/** What becomes of a fence. */
public enum FenceStage {
    /** It was made. */
    MADE,
    /** Its job was handed to the graphics processor. */
    EMITTED,
    /** Its job is done. */
    SIGNALED;

    private static final FenceStage[] VALUES = values();

    /** A number for packing; it lives in memory only. */
    @SuppressWarnings("EnumOrdinal")
    public int code() {
        return ordinal();
    }

    public static FenceStage of(int code) {
        return VALUES[code];
    }
}
