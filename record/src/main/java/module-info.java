/** What running programs do, written down as a trace. */
module dev.unjank.record {
    requires static transitive org.jspecify;
    requires transitive dev.unjank.looper;
    requires transitive dev.unjank.trace;

    exports dev.unjank.record;
    exports dev.unjank.record.kernel;
    exports dev.unjank.record.session;
}
