/**
 * Message loops with Android's names and behaviours, for any JVM from 17 on, and a queue in which no sender can stall
 * the loop. No dependency. The manual is the page of the package {@link dev.unjank.looper}.
 */
module dev.unjank.looper {
    // without jdk.jfr there are no events; without java.management a watchdog does not know the owners of locks
    requires static jdk.jfr;
    requires static java.management;

    exports dev.unjank.looper;
    exports dev.unjank.looper.spi;

    uses dev.unjank.looper.spi.WakerProvider;
}
