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

    /** {@return the number of the stage, for packing in memory} */
    @SuppressWarnings("EnumOrdinal")
    public int code() {
        return ordinal();
    }

    /**
     * {@return the stage with a number from {@link #code}}
     *
     * @param code from {@link #code}
     */
    public static FenceStage of(int code) {
        return VALUES[code];
    }
}
