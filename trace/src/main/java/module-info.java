/** Perfetto's trace format, reading and writing, and the columnar model of a trace. */
module dev.unjank.trace {
    requires static transitive org.jspecify;

    exports dev.unjank.trace;
    exports dev.unjank.trace.convert;
    exports dev.unjank.trace.example;
    exports dev.unjank.trace.read;
    exports dev.unjank.trace.read.jfr;
    exports dev.unjank.trace.temporary;
    exports dev.unjank.trace.write;
}
