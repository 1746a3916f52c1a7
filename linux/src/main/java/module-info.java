/** The few calls of Linux that Java has no word for. See {@link dev.unjank.linux}. */
module dev.unjank.linux {
    requires static transitive org.jspecify;

    exports dev.unjank.linux;
}
