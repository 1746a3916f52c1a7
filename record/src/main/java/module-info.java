/** Recorder of running programs, which writes traces. */
@SuppressWarnings("module") // both modules that use the recorder are on the class path
module dev.unjank.record {
    requires static transitive org.jspecify;
    requires dev.unjank.linux;
    requires transitive dev.unjank.looper;
    requires transitive dev.unjank.trace;
    requires static java.instrument; // these three are for the agent, which runs in the target
    requires static java.management;
    requires static jdk.jfr;

    exports dev.unjank.record;

    // for the command, which is not a module, and its benchmarks
    exports dev.unjank.record.hotspot to
            dev.unjank.cli,
            dev.unjank.workbench;
    exports dev.unjank.record.jvm to
            dev.unjank.cli,
            dev.unjank.workbench;
    exports dev.unjank.record.kernel to
            dev.unjank.cli,
            dev.unjank.workbench;
    exports dev.unjank.record.launch to
            dev.unjank.cli,
            dev.unjank.workbench;
    exports dev.unjank.record.live to
            dev.unjank.cli,
            dev.unjank.workbench;
    exports dev.unjank.record.session to
            dev.unjank.cli,
            dev.unjank.workbench;
}
