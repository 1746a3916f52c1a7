package dev.unjank.trace.model;

/** The stages of a GPU fence. */
public enum FenceStage {
    /** The fence was created. */
    MADE,
    /** Its job was submitted to the GPU. */
    EMITTED,
    /** Its job is done. */
    SIGNALED;

    private static final FenceStage[] VALUES = values();

    /**
     * The number of the stage, for packing in memory.
     *
     * @return the ordinal
     */
    @SuppressWarnings("EnumOrdinal")
    public int code() {
        return ordinal();
    }

    /**
     * The stage of a number.
     *
     * @param code from {@link #code}
     * @return the stage
     */
    public static FenceStage of(int code) {
        return VALUES[code];
    }
}
