/**
 * Lets the loops of {@link dev.unjank.looper} sleep on a futex, on Linux. The module has no API to call; adding it is
 * enough. See {@link dev.unjank.looper.linux}.
 */
module dev.unjank.looper.linux {
    requires transitive dev.unjank.looper;

    exports dev.unjank.looper.linux;

    provides dev.unjank.looper.spi.WakerProvider with
            dev.unjank.looper.linux.FutexWakerProvider;
}
