/** Placeholder. */
module dev.unjank.looper {
    exports dev.unjank.looper;
}
