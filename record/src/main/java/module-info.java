/** What a running program does, written down as a trace. */
module dev.unjank.record {
    requires static transitive org.jspecify;
    requires transitive dev.unjank.looper;
    requires dev.unjank.trace;

    exports dev.unjank.record;
}
