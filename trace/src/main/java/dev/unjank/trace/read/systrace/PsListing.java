package dev.unjank.trace.read.systrace;

import dev.unjank.trace.build.TraceBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parses the output of {@code ps}, which systrace puts before the events: a header with the names of columns, then a
 * line for each process or thread.
 */
final class PsListing {
    private final TraceBuilder builder;
    private @Nullable List<String> columns;

    PsListing(TraceBuilder builder) {
        this.builder = builder;
    }

    void end() {
        columns = null;
    }

    /** Parses a line; returns false if it belongs to no listing. */
    boolean line(String text, long ts) {
        List<String> words = List.of(text.strip().split("\\s+"));
        if (words.size() > 2 && words.getFirst().equals("USER") && words.contains("PID")) {
            columns = words;
            return true;
        }
        List<String> known = columns;
        if (known == null || words.size() < 3) {
            return false;
        }
        int pid = number(words, known.indexOf("PID"));
        int tid = number(words, known.indexOf("TID"));
        int parent = number(words, known.indexOf("PPID"));
        int nameColumn = Math.max(known.indexOf("NAME"), known.indexOf("CMD"));
        if (pid <= 0) {
            return false;
        }
        int name = nameColumn > 0 && nameColumn < words.size()
                ? builder.intern(String.join(" ", words.subList(nameColumn, words.size())))
                : -1;
        if (tid > 0) {
            builder.kernel().thread(ts, tid, pid, name);
        } else {
            builder.kernel().process(ts, pid, Math.max(parent, 0), name);
        }
        return true;
    }

    private static int number(List<String> words, int column) {
        if (column < 0 || column >= words.size() || words.get(column).length() > 9) {
            return -1;
        }
        try {
            return Integer.parseInt(words.get(column));
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
