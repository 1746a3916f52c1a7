/** Placeholder. */
module dev.unjank.doctor {
    requires static org.jspecify;
    requires transitive dev.unjank.trace;
    requires com.fasterxml.jackson.core;

    exports dev.unjank.doctor;
}
