/** What running programs do, written down as a trace. */
module dev.unjank.record {
    requires static transitive org.jspecify;
    requires dev.unjank.linux;
    requires transitive dev.unjank.looper;
    requires transitive dev.unjank.trace;
    requires static java.instrument; // these three are for the observer, which runs in the target
    requires static java.management;
    requires static jdk.jfr;

    exports dev.unjank.record;
    exports dev.unjank.record.hotspot;
    exports dev.unjank.record.jvm;
    exports dev.unjank.record.kernel;
    exports dev.unjank.record.live;
    exports dev.unjank.record.session;
}
