package dev.unjank.doctor.model;

import org.jspecify.annotations.Nullable;

/**
 * A location in the code of a traced program, as the runtime names it.
 *
 * @param method the method with its class and without its types, such as {@code android.os.MessageQueue.next}
 * @param file the source file, such as {@code MessageQueue.java}, or its replacement in an obfuscated build; null if
 *     unknown
 * @param line the line in the file; {@value #NATIVE} for a native method, {@value #NO_LINE} if unknown
 */
public record CodeLocation(String method, @Nullable String file, int line) {
    /** The line of a native method. */
    public static final int NATIVE = -2;

    /** The line of a method that was compiled without line numbers. */
    public static final int NO_LINE = -1;

    /** {@return file and line as the trace writes them, such as {@code MessageQueue.java:348}; null without a file} */
    public @Nullable String source() {
        return file == null ? null : file + ":" + line;
    }

    /** {@return whether this is a native method} */
    public boolean isNative() {
        return line == NATIVE;
    }
}
