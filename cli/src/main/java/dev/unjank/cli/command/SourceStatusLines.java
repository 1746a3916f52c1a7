package dev.unjank.cli.command;

import dev.unjank.record.session.SourceAvailability;
import dev.unjank.trace.text.TerminalText;
import java.io.PrintWriter;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Says what is recorded and what is not, and later what has changed in that. */
public final class SourceStatusLines {
    private final PrintWriter out;
    private final Set<SourceAvailability> told = new HashSet<>();

    public SourceStatusLines(PrintWriter out) {
        this.out = out;
    }

    /** Prints a line for a source if it is not as it was. */
    void tell(SourceAvailability source) {
        if (told.add(source)) {
            out.println(TerminalText.printable(source.toString()));
        }
    }

    /** Prints a line for each source that is not as it was. */
    public void tell(List<SourceAvailability> sources) {
        sources.forEach(this::tell);
    }
}
