package dev.unjank.cli;

import dev.unjank.record.session.Availability;
import java.io.PrintWriter;
import java.util.List;

/** Says what is recorded and what is not, and later what has changed in that. */
final class SourceLines {
    private final PrintWriter out;
    private List<Availability> told = List.of();

    SourceLines(PrintWriter out) {
        this.out = out;
    }

    /** Prints a line for each source that is not as it was. */
    void tell(List<Availability> sources) {
        sources.stream()
                .filter(source -> !told.contains(source))
                .forEach(source -> out.println(Failures.printable(source.toString())));
        told = sources;
    }
}
