/** Locks that shorten the waits of important threads. See {@link dev.unjank.locks}. */
module dev.unjank.locks {
    requires static transitive org.jspecify;
    requires transitive dev.unjank.linux;

    exports dev.unjank.locks;
    exports dev.unjank.locks.futex;
    exports dev.unjank.locks.handoff;
}
