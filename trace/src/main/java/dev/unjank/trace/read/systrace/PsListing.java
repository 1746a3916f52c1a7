package dev.unjank.trace.read.systrace;

import dev.unjank.trace.build.TraceBuilder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collects the output of {@code ps} in systrace pages: a header with the names of columns, then a line for each process
 * or thread. Systrace runs {@code ps} when it starts and when it stops recording, whatever the place in the page.
 *
 * <p>Newer devices list processes with {@code NAME COMM}, then threads with {@code TID CMD}. Older ones list processes
 * and then threads under one header; there a thread has its tid in the column PID, its process in the column PPID, and
 * a state letter without a header before its name.
 */
final class PsListing {
    /** A process without a tid, or a thread. */
    private record Row(int pid, int tid, int parentPid, String name) {}

    private final TraceBuilder builder;
    private final List<Row> atStart = new ArrayList<>();
    private final List<Row> atStop = new ArrayList<>();

    /** The pids of the current list of processes. */
    private final Set<Integer> pids = new HashSet<>();

    private @Nullable PsColumns columns;
    private boolean isOfThreads;
    private int processLists;

    PsListing(TraceBuilder builder) {
        this.builder = builder;
    }

    /** Ends a list: the following lines are not rows of it. */
    void end() {
        columns = null;
    }

    /** Parses a line; returns false if it belongs to no list. */
    boolean line(String text) {
        String line = text.strip();
        PsColumns header = PsColumns.ofHeader(line);
        if (header != null) {
            begin(header);
            return true;
        }
        PsColumns known = columns;
        return known != null && row(known, line);
    }

    /** Begins a list. One without a column TID that repeats the header of the list before it contains threads. */
    private void begin(PsColumns header) {
        isOfThreads = header.has("TID") || (header.equals(columns) && !isOfThreads);
        columns = header;
        if (!isOfThreads) {
            pids.clear();
            processLists++;
        }
    }

    private boolean row(PsColumns header, String line) {
        int pid = header.number("PID", line);
        if (pid <= 0) {
            return false;
        }
        int tid = header.number("TID", line);
        int parent = Math.max(0, header.number("PPID", line));
        String name = header.name(line);
        if (!isOfThreads) {
            pids.add(pid);
            add(new Row(pid, 0, parent, name));
        } else if (tid > 0) {
            add(new Row(pid, tid, 0, name));
        } else if (!pids.contains(pid) && pids.contains(parent)) {
            add(new Row(parent, pid, 0, name));
        }
        return true;
    }

    private void add(Row row) {
        (processLists > 1 ? atStop : atStart).add(row);
    }

    /** Adds the processes and threads to the trace, whose events are complete. */
    void emit() {
        atStart.forEach(row -> emit(row, builder.startNs()));
        atStop.forEach(row -> emit(row, builder.endNs()));
    }

    private void emit(Row row, long ts) {
        int name = row.name.isEmpty() ? -1 : builder.intern(row.name);
        if (row.tid > 0) {
            builder.kernel().thread(ts, row.tid, row.pid, name);
        } else {
            builder.kernel().process(ts, row.pid, row.parentPid, name);
        }
    }
}
