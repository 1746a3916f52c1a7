package dev.unjank.trace.model;

import java.util.EnumSet;
import java.util.Set;

/** Why SurfaceFlinger holds that a frame was janky. A frame may have several reasons: a mask with a bit for each. */
public enum JankType {
    /** The frame was as expected. Has the bit 1, alone. */
    NONE("None", 1),
    /** SurfaceFlinger's own scheduling was off. */
    SURFACE_FLINGER_SCHEDULING("SurfaceFlinger Scheduling", 1 << 1),
    /** The prediction of the display's timing was off. */
    PREDICTION_ERROR("Prediction Error", 1 << 2),
    /** The display's driver took too long. */
    DISPLAY_HAL("Display HAL", 1 << 3),
    /** SurfaceFlinger's main thread took too long. */
    SURFACE_FLINGER_CPU_DEADLINE_MISSED("SurfaceFlinger CPU Deadline Missed", 1 << 4),
    /** SurfaceFlinger's composition on the GPU took too long. */
    SURFACE_FLINGER_GPU_DEADLINE_MISSED("SurfaceFlinger GPU Deadline Missed", 1 << 5),
    /** The app took too long for its frame. */
    APP_DEADLINE_MISSED("App Deadline Missed", 1 << 6),
    /** The app was in time, but frames before this one still waited in the queue. */
    BUFFER_STUFFING("Buffer Stuffing", 1 << 7),
    /** None of the known reasons. */
    UNKNOWN("Unknown Jank", 1 << 8),
    /** SurfaceFlinger was late before and still is. */
    SURFACE_FLINGER_STUFFING("SurfaceFlinger Stuffing", 1 << 9),
    /** The frame was never shown. */
    DROPPED("Dropped Frame", 1 << 10),
    /** Late, but in a way that nobody sees. */
    NON_ANIMATING("Non Animating", 1 << 11);

    private final String text;
    private final int bit;

    JankType(String text, int bit) {
        this.text = text;
        this.bit = bit;
    }

    /**
     * The name that Perfetto shows.
     *
     * @return for example {@code App Deadline Missed}
     */
    public String text() {
        return text;
    }

    /**
     * What stands for this reason in a mask.
     *
     * @return a number of which one bit is set
     */
    public int bit() {
        return bit;
    }

    /**
     * Whether a mask holds this reason.
     *
     * @param jankMask bits as in {@link Frames#jankMask}
     * @return true if its bit is set
     */
    public boolean isIn(int jankMask) {
        return (jankMask & bit) != 0;
    }

    /**
     * The reasons in a mask.
     *
     * @param jankMask bits as in {@link Frames#jankMask}
     * @return those whose bits are set; bits that no reason has are left out
     */
    public static Set<JankType> in(int jankMask) {
        Set<JankType> types = EnumSet.noneOf(JankType.class);
        for (JankType type : values()) {
            if (type.isIn(jankMask)) {
                types.add(type);
            }
        }
        return types;
    }
}
