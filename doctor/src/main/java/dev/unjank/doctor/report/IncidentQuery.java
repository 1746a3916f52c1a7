package dev.unjank.doctor.report;

import dev.unjank.doctor.find.thread.JvmThreads;
import dev.unjank.doctor.find.thread.ThreadNameMatcher;
import dev.unjank.doctor.find.thread.ThreadSelection;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Wait;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
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
 * virtual machine paused all threads, and a thread selected by name was not idle, go by when they began.
 */
public final class IncidentQuery {
    private static final String OF_ALL_THREADS = "utid IS NULL";
    private static final String IS_MAIN = "is_main_thread = 1";

    private final Threads threads;
    private final Processes processes;
    private final DoctorOptions options;
    private final ThreadSelection selection;

    private final BitSet jvmThreads;
    private final List<Incident> found;
    private final List<Wait> pauses;

    /**
     * For a diagnosis of a trace.
     *
     * @param found its incidents
     * @param pauses all times in which a virtual machine held all threads still, in order of time
     */
    public IncidentQuery(
            Trace trace, DoctorOptions options, ThreadSelection selection, List<Incident> found, List<Wait> pauses) {
        this.found = found;
        this.pauses = pauses;
        this.threads = trace.threads();
        this.processes = trace.processes();
        this.options = options;
        this.selection = selection;
        this.jvmThreads = JvmThreads.of(trace);
    }

    public String sql() {
        List<String> conditions = new ArrayList<>();
        conditions.add("dur >= " + options.minDuration().toNanos());
        if (selection.isDefault()) {
            conditions.add("is_default = 1");
        } else if (options.isMainThreads()) {
            conditions.add(anyOf(withStandstills(mainThreads())));
        } else if (options.isThreadNamed()) {
            conditions.add(anyOf(withStandstills(named())));
        } else if (!options.isAllThreads()) {
            conditions.add(lookedAt());
        }
        if (options.process() != null) {
            conditions.add(inProcess(options.process()));
        }
        return "SELECT id, ts, dur, verdict, process_name, thread_name, owner_thread_name FROM unjank_incident WHERE "
                + String.join(" AND ", conditions) + " ORDER BY "
                + (options.isThreadNamed() ? "" : "attention, ") + "dur DESC, ts";
    }

    /** As {@link ThreadSelection#isSelectedByDefault}. */
    private String lookedAt() {
        String jvms = jvms();
        return jvms.isEmpty()
                ? IS_MAIN
                : anyOf(List.of(IS_MAIN, OF_ALL_THREADS, "utid IN " + threadsOf(jvms))) + withoutMachineThreads();
    }

    private String withoutMachineThreads() {
        return jvmThreads.isEmpty()
                ? ""
                : " AND NOT (kind IN ('cpu', 'kernel') AND utid IN ("
                        + jvmThreads.stream().mapToObj(Integer::toString).collect(Collectors.joining(", "))
                        + "))";
    }

    /** A virtual machine's main thread goes by its name. */
    private List<String> mainThreads() {
        String jvms = jvms();
        return jvms.isEmpty()
                ? List.of(IS_MAIN)
                : List.of(
                        isOneOf("thread_name", Set.of(DoctorOptions.MAIN_THREADS)) + " AND utid IN " + threadsOf(jvms));
    }

    /** The upids of virtual machines, with commas between them. */
    private String jvms() {
        return IntStream.range(0, processes.size())
                .filter(upid -> processes.isJvm(upid) && selection.includesProcess(upid))
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(", "));
    }

    private static String threadsOf(String upids) {
        return "(SELECT utid FROM thread WHERE upid IN (" + upids + "))";
    }

    /** A thread goes by its number, by its name, which the kernel may have cut, or as a main thread by its process. */
    private List<String> named() {
        String wanted = String.valueOf(options.thread());
        boolean byNumber = false;
        boolean byProcess = false;
        Set<String> names = new TreeSet<>();
        BitSet utids = selection.utids();
        for (int utid = utids.nextSetBit(0); utid >= 0; utid = utids.nextSetBit(utid + 1)) {
            String name = threads.name(utid);
            if (wanted.equals(Integer.toString(threads.tid(utid)))) {
                byNumber = true;
            } else if (name != null && ThreadNameMatcher.agree(wanted, name)) {
                names.add(name);
            } else {
                byProcess = true;
            }
        }
        List<String> ways = new ArrayList<>();
        if (byNumber) {
            ways.add("tid = " + wanted);
        }
        if (byProcess) {
            ways.add(IS_MAIN + " AND " + inProcess(wanted));
        }
        if (!names.isEmpty() || ways.isEmpty()) {
            ways.add(isOneOf("thread_name", names.isEmpty() ? Set.of(wanted) : names)
                    + (selection.isWithinJvms() ? " AND utid IN " + threadsOf(jvms()) : ""));
        }
        return ways;
    }

    /** Those that the diagnosis has too: runs of them, since where the thread was busy it was so for some time. */
    private List<String> withStandstills(List<String> ways) {
        Set<Long> held = found.stream()
                .map(Incident::rootWait)
                .filter(Wait::isProcessPause)
                .map(Wait::startNs)
                .collect(Collectors.toSet());
        if (held.isEmpty()) {
            return ways;
        }
        List<String> runs = new ArrayList<>();
        long first = 0;
        long last = 0;
        boolean open = false;
        for (Wait pause : pauses) {
            long ts = pause.startNs();
            if (held.contains(ts)) {
                first = open ? first : ts;
                last = ts;
                open = true;
            } else if (open && pause.durNs() >= options.minDuration().toNanos()) {
                runs.add(run(first, last));
                open = false;
            }
        }
        if (open) {
            runs.add(run(first, last));
        }
        List<String> all = new ArrayList<>(ways);
        all.add(OF_ALL_THREADS + " AND " + anyOf(runs));
        return all;
    }

    private static String run(long first, long last) {
        return first == last ? "ts = " + first : "ts BETWEEN " + first + " AND " + last;
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
