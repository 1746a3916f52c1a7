package dev.unjank.looper;

/** Receives text line by line: a looper's message log, or a dump. */
@FunctionalInterface
public interface Printer {
    /**
     * Prints one line.
     *
     * @param line the text, without a line terminator
     */
    void println(String line);
}
