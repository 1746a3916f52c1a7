/** Message loops that no sender can stall. */
module dev.unjank.looper {
    exports dev.unjank.looper;
}
