/**
 * Message loops with Android's names and behaviour, for any JVM from version 17, with a queue in which senders cannot
 * stall the loop. The module has no dependencies. The documentation of the package {@link dev.unjank.looper} is the
 * manual.
 */
module dev.unjank.looper {
    // without jdk.jfr there are no events; without java.management a watchdog does not report the owners of locks
    requires static jdk.jfr;
    requires static java.management;

    exports dev.unjank.looper;
    exports dev.unjank.looper.spi;

    uses dev.unjank.looper.spi.WakerProvider;
}
