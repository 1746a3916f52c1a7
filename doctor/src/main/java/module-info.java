/** Finds out of a trace who blocked a thread and why, and reports it to people and programs. */
@SuppressWarnings("module") // the modules that packages are exported to are compiled after this one
module dev.unjank.doctor {
    requires static transitive org.jspecify;
    requires transitive dev.unjank.trace;
    requires tools.jackson.core;

    exports dev.unjank.doctor;
    exports dev.unjank.doctor.model;
    exports dev.unjank.doctor.model.cause;
    exports dev.unjank.doctor.model.loss;
    exports dev.unjank.doctor.report.html;
    exports dev.unjank.doctor.report.json;
    exports dev.unjank.doctor.report.text;

    // for the other modules of this project only
    exports dev.unjank.doctor.find.startup to
            dev.unjank.query;
}
