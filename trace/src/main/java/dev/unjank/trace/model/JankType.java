package dev.unjank.trace.model;

import java.util.EnumSet;
import java.util.Set;

/**
 * Perfetto's jank types: why SurfaceFlinger considers a frame janky. A frame may have several: a mask has one bit for
 * each.
 */
public enum JankType {
    /** The frame is not janky. Its bit is 1, set alone. */
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
    /** The app missed its deadline. */
    APP_DEADLINE_MISSED("App Deadline Missed", 1 << 6),
    /** The app was in time, but earlier frames were still queued. */
    BUFFER_STUFFING("Buffer Stuffing", 1 << 7),
    /** Another reason. */
    UNKNOWN("Unknown Jank", 1 << 8),
    /** SurfaceFlinger was still late from an earlier frame. */
    SURFACE_FLINGER_STUFFING("SurfaceFlinger Stuffing", 1 << 9),
    /** The frame was never presented. */
    DROPPED("Dropped Frame", 1 << 10),
    /** Late, but invisible because nothing was animated. */
    NON_ANIMATING("Non Animating", 1 << 11),
    /** The app moved its frame to another display period. */
    APP_RESYNCED_JITTER("App Resynced Jitter", 1 << 12),
    /** Invisible because the display was off. */
    DISPLAY_NOT_ON("Display not ON", 1 << 13),
    /** Invisible because the display changed its mode. */
    MODE_CHANGE("ModeChange in progress", 1 << 14),
    /** Invisible because the display changed its power mode. */
    POWER_MODE_CHANGE("PowerModeChange in progress", 1 << 15);

    private final String text;
    private final int bit;

    JankType(String text, int bit) {
        this.text = text;
        this.bit = bit;
    }

    /** {@return Perfetto's name of the type, for example {@code App Deadline Missed}} */
    public String text() {
        return text;
    }

    /** {@return the bit of this type in a mask} */
    public int bit() {
        return bit;
    }

    /**
     * {@return whether a mask contains this type}
     *
     * @param jankMask bits as in {@link Frames#jankMask}
     */
    public boolean isIn(int jankMask) {
        return (jankMask & bit) != 0;
    }

    /**
     * {@return the types in a mask; unknown bits are ignored}
     *
     * @param jankMask bits as in {@link Frames#jankMask}
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
