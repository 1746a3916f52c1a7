/** Perfetto's trace format, reading and writing, and the columnar model of a trace. */
@SuppressWarnings("module") // doctor is compiled after this module
module dev.unjank.trace {
    requires static transitive org.jspecify;

    exports dev.unjank.trace.build;
    exports dev.unjank.trace.collections to
            dev.unjank.doctor;
    exports dev.unjank.trace.concurrent to
            dev.unjank.doctor;
    exports dev.unjank.trace.convert;
    exports dev.unjank.trace.model;
    exports dev.unjank.trace.read;
    exports dev.unjank.trace.read.jfr;
    exports dev.unjank.trace.tempfile;
    exports dev.unjank.trace.text;
    exports dev.unjank.trace.write;
}
