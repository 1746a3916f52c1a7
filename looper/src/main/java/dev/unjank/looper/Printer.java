package dev.unjank.looper;

/** A receiver of text lines, for a looper's message log or a dump. */
@FunctionalInterface
public interface Printer {
    /**
     * Prints one line.
     *
     * @param line the text, without a line terminator
     */
    void println(String line);
}
