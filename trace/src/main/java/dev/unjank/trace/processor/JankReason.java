package dev.unjank.trace.processor;

/** Reasons for jank in the order in which trace processor lists them, with their bits. */
enum JankReason {
    SF_SCHEDULING(2, "SurfaceFlinger Scheduling"),
    PREDICTION_ERROR(4, "Prediction Error"),
    DISPLAY_HAL(8, "Display HAL"),
    SF_CPU_DEADLINE(16, "SurfaceFlinger CPU Deadline Missed"),
    SF_GPU_DEADLINE(32, "SurfaceFlinger GPU Deadline Missed"),
    APP_DEADLINE(64, "App Deadline Missed"),
    APP_RESYNCED_JITTER(4096, "App Resynced Jitter"),
    BUFFER_STUFFING(128, "Buffer Stuffing"),
    UNKNOWN(256, "Unknown Jank"),
    SF_STUFFING(512, "SurfaceFlinger Stuffing"),
    DROPPED(1024, "Dropped Frame"),
    NON_ANIMATING(2048, "Non Animating"),
    DISPLAY_NOT_ON(8192, "Display not ON"),
    MODE_CHANGE(16384, "Display ModeChange In Progress"),
    POWER_MODE_CHANGE(32768, "Display PowerModeChange In Progress");

    private final int bit;
    private final String text;

    JankReason(int bit, String text) {
        this.bit = bit;
        this.text = text;
    }

    int bit() {
        return bit;
    }

    String text() {
        return text;
    }
}
