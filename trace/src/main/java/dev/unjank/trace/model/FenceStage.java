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

    /** A number for packing, in memory only. */
    @SuppressWarnings("EnumOrdinal")
    public int code() {
        return ordinal();
    }

    public static FenceStage of(int code) {
        return VALUES[code];
    }
}
