package dev.unjank.doctor.model;

import dev.unjank.trace.text.MessageFile;

/**
 * A term for a thread, resource, function or frame without a name in the trace. The analysis uses these keys; their
 * words are in {@code terms.properties}, and are values in JSON and SQL as well. Thread-safe.
 */
public enum GenericTerm {
    /** All threads of a process. */
    ALL_THREADS,
    /** The owner of a pause for the garbage collector that no thread requested. */
    GARBAGE_COLLECTOR,
    /** The owner of a safepoint that no thread requested. */
    VIRTUAL_MACHINE,
    /** The resource of a runnable thread. */
    CPU,
    /** The resource of an unmounted virtual thread. */
    CARRIER_THREAD,
    /** A mutex of libc. */
    PTHREAD_MUTEX,
    /** The resource of a thread in uninterruptible sleep in an unknown function. */
    KERNEL_SLEEP,
    /** The cause of a stop by a signal. */
    SIGNAL,
    /** The cause of a stop by a debugger. */
    DEBUGGER,
    /** A sample without a stack. */
    UNKNOWN_CODE,
    /** A safepoint without an operation. */
    UNKNOWN_OPERATION,
    /** A suspension without a reason. */
    UNKNOWN_REASON,
    /** A frame of the display, which consists of the layers of many apps. */
    DISPLAY_FRAME,
    /** A message with neither handler nor code. */
    MESSAGE,
    /** A message by its code. */
    MESSAGE_WITH_CODE,
    /** The most frequent of several sampled functions: its name, its samples, all samples. */
    MOST_SAMPLED,
    /** A resource that many classes use: its name, the class that waits. */
    RESOURCE_IN_CLASS;

    private static final MessageFile WORDS =
            new MessageFile(GenericTerm.class.getResourceAsStream("terms.properties"), "terms.properties");

    /**
     * {@return the words}
     *
     * @param values the values in the term
     */
    public String text(Object... values) {
        return WORDS.of(name(), values);
    }
}
