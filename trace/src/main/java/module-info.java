/** Trace formats, reading and writing, and the columnar model of a trace. */
@SuppressWarnings("module") // the modules that packages are exported to are compiled after this one
module dev.unjank.trace {
    requires static transitive org.jspecify;

    exports dev.unjank.trace.convert;
    exports dev.unjank.trace.model;
    exports dev.unjank.trace.read;
    exports dev.unjank.trace.write;

    // for the other modules of this project only
    exports dev.unjank.trace.build to
            dev.unjank.doctor, // its tests, and those of query, build traces event by event
            dev.unjank.query,
            dev.unjank.record;
    exports dev.unjank.trace.collections to
            dev.unjank.doctor;
    exports dev.unjank.trace.concurrent to
            dev.unjank.doctor;
    exports dev.unjank.trace.read.jfr to
            dev.unjank.doctor,
            dev.unjank.record;
    exports dev.unjank.trace.tempfile to
            dev.unjank.query,
            dev.unjank.record;
    exports dev.unjank.trace.text to
            dev.unjank.doctor,
            dev.unjank.query,
            dev.unjank.record;
}
