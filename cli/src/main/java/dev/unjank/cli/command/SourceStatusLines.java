package dev.unjank.cli.command;

import dev.unjank.record.session.SourceAvailability;
import dev.unjank.trace.text.TerminalText;
import java.io.PrintWriter;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Prints one line per data source: whether it is on, and again when that changes. */
public final class SourceStatusLines {
    private final PrintWriter out;
    private final Set<SourceAvailability> printed = new HashSet<>();

    public SourceStatusLines(PrintWriter out) {
        this.out = out;
    }

    /** Prints a line for a source if its state has changed. */
    void print(SourceAvailability source) {
        if (printed.add(source)) {
            out.println(TerminalText.printable(source.toString()));
        }
    }

    /** Takes states as printed. */
    void skip(List<SourceAvailability> sources) {
        printed.addAll(sources);
    }

    /** Prints a line for each source whose state has changed. */
    public void print(List<SourceAvailability> sources) {
        sources.forEach(this::print);
    }
}
