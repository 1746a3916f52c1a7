/** Linux system calls without a JDK API. See {@link dev.unjank.linux}. */
module dev.unjank.linux {
    requires static transitive org.jspecify;

    exports dev.unjank.linux;
}
