package dev.unjank.looper;

/**
 * The reaction of a loop after a message, or the listener of a channel, has thrown an exception of any kind, including
 * an {@link Error}. Observers are notified under either policy. A looper that is driven manually always passes
 * exceptions to its driver.
 *
 * @see LooperOptions#withExceptionPolicy
 */
public enum ExceptionPolicy {
    /** The exception propagates from {@link Looper#loop()}, and the looper has quit. The default, as on Android. */
    QUIT,

    /**
     * The exception is passed to the thread's {@link Thread.UncaughtExceptionHandler}, and the loop continues with the
     * next message. For servers: one bad message does not end all others. A listener that has thrown is removed. An
     * exception of the handler is logged.
     */
    REPORT_AND_CONTINUE
}
