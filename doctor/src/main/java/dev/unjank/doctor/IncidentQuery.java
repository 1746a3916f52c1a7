package dev.unjank.doctor;

import dev.unjank.trace.Processes;
import dev.unjank.trace.Threads;
import dev.unjank.trace.Trace;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The query that lists the incidents of a diagnosis again: the same rows in the same order, out of the table that {@code unjank
 * query} makes of the incidents of all threads. What a trace holds gets into it as quoted text only. The times in which a
 * virtual machine held all threads still, and a thread that was asked for by name was not idle, go by their beginnings, if they are
 * not too many to be read.
 */
final class IncidentQuery {
    private static final String OF_ALL_THREADS = "utid IS NULL";

    private static final int MOST_STANDSTILLS = 50;

    private final Threads threads;
    private final Processes processes;
    private final DoctorOptions options;
    private final ThreadSelection selection;

    /** When these began. */
    private final List<Long> standstills;

    /**
     * For a diagnosis of a trace.
     *
     * @param found its incidents
     */
    IncidentQuery(Trace trace, DoctorOptions options, ThreadSelection selection, List<Incident> found) {
        this.standstills = found.stream()
                .map(Incident::tree)
                .filter(Wait::isOfAllThreads)
                .map(Wait::startNs)
                .toList();
        this.threads = trace.threads();
        this.processes = trace.processes();
        this.options = options;
        this.selection = selection;
    }

    String sql() {
        List<String> conditions = new ArrayList<>();
        conditions.add("dur >= " + options.minDuration().toNanos());
        if (selection.isDefault()) {
            conditions.add("is_default = 1");
        } else if (options.isThreadNamed()) {
            conditions.add(named());
        } else if (options.thread().equals(DoctorOptions.MAIN_THREADS)) {
            conditions.add(lookedAt());
        }
        if (options.process() != null) {
            conditions.add(inProcess(options.process()));
        }
        return "SELECT id, ts, dur, verdict, process_name, thread_name, owner_thread_name FROM unjank_incident WHERE "
                + String.join(" AND ", conditions) + " ORDER BY dur DESC, ts";
    }

    /** As {@link ThreadSelection#isLookedAtUnasked}. */
    private String lookedAt() {
        String jvms = IntStream.range(0, processes.size())
                .filter(upid -> processes.isJvm(upid) && selection.isOfInterest(upid))
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(", "));
        String main = "is_main_thread = 1";
        return jvms.isEmpty()
                ? main
                : "(" + main + " OR " + OF_ALL_THREADS + " OR utid IN (SELECT utid FROM thread WHERE upid IN (" + jvms
                        + ")))";
    }

    /** A thread goes by its number, by its name, which the kernel may have cut, or as a main thread by its process. */
    private String named() {
        String wanted = options.thread();
        boolean byNumber = false;
        boolean byProcess = false;
        Set<String> names = new TreeSet<>();
        BitSet utids = selection.utids();
        for (int utid = utids.nextSetBit(0); utid >= 0; utid = utids.nextSetBit(utid + 1)) {
            if (wanted.equals(Integer.toString(threads.tid(utid)))) {
                byNumber = true;
            } else if (ThreadNames.agree(wanted, threads.name(utid))) {
                names.add(threads.name(utid));
            } else {
                byProcess = true;
            }
        }
        List<String> ways = new ArrayList<>();
        if (byNumber) {
            ways.add("tid = " + wanted);
        }
        if (byProcess) {
            ways.add("is_main_thread = 1 AND " + inProcess(wanted));
        }
        if (!names.isEmpty() || ways.isEmpty()) {
            ways.add(isOneOf("thread_name", names.isEmpty() ? Set.of(wanted) : names));
        }
        if (!standstills.isEmpty()) {
            ways.add(
                    standstills.size() > MOST_STANDSTILLS
                            ? OF_ALL_THREADS
                            : OF_ALL_THREADS + " AND ts IN ("
                                    + standstills.stream().map(String::valueOf).collect(Collectors.joining(", "))
                                    + ")");
        }
        return anyOf(ways);
    }

    private String inProcess(String wanted) {
        boolean byNumber = false;
        boolean byName = false;
        boolean isJvm = false;
        for (int upid = 0; upid < processes.size(); upid++) {
            boolean numbered = wanted.equals(Integer.toString(processes.pid(upid)));
            byNumber |= numbered;
            isJvm |= numbered && processes.isJvm(upid);
            byName |= wanted.equals(processes.name(upid));
        }
        List<String> ways = new ArrayList<>();
        if (byNumber) {
            ways.add("utid IN (SELECT utid FROM thread JOIN process USING (upid) WHERE pid = " + wanted + ")");
            if (isJvm) {
                ways.add(OF_ALL_THREADS);
            }
        }
        if (byName || !byNumber) {
            ways.add(isOneOf("process_name", Set.of(wanted)));
        }
        return anyOf(ways);
    }

    private static String anyOf(List<String> ways) {
        return ways.size() == 1 ? ways.getFirst() : ways.stream().collect(Collectors.joining(" OR ", "(", ")"));
    }

    private static String isOneOf(String column, Set<String> texts) {
        String quoted =
                texts.stream().map(text -> "'" + text.replace("'", "''") + "'").collect(Collectors.joining(", "));
        return texts.size() == 1 ? column + " = " + quoted : column + " IN (" + quoted + ")";
    }
}
