/** Placeholder. */
module dev.unjank.trace {
    requires static org.jspecify;

    exports dev.unjank.trace;
}
