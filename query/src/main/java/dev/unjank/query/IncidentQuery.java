package dev.unjank.query;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.IncidentSelection;
import dev.unjank.doctor.model.IncidentSelection.ProcessMatch;
import dev.unjank.doctor.model.IncidentSelection.ThreadMatch;
import dev.unjank.query.tables.ProcessTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The query that lists the incidents of a diagnosis again: the same rows in the same order, from the table of the
 * incidents of all threads. The table has the numbers of a report with default options; with others the query numbers
 * its rows as the report does. Names from the trace get into it as quoted strings only. Pauses of all threads during
 * which a thread selected by name was not idle are selected by their start times.
 */
final class IncidentQuery {
    private static final String COLUMNS = "id, ts, dur, verdict, process_name, thread_name, owner_thread_name";

    private static final String OF_ALL_THREADS = "utid IS NULL";
    private static final String IS_MAIN = "is_main_thread = 1";

    private final DoctorOptions options;
    private final IncidentSelection selection;

    /** The upids in tables of selected virtual machines, with commas between them. */
    private final String jvms;

    private IncidentQuery(Diagnosis.Search search) {
        this.options = search.options();
        this.selection = search.selection();
        this.jvms = joined(selection.jvms().stream().map(ProcessTable::upid).toList());
    }

    static String of(Diagnosis diagnosis) {
        return new IncidentQuery(diagnosis.search()).sql();
    }

    private String sql() {
        ProcessMatch process = selection.process();
        List<String> conditions = new ArrayList<>();
        conditions.add("dur >= " + options.minDuration().toNanos());
        if (process == null && options.thread() == null) {
            conditions.add("is_default = 1");
        } else if (options.isThreadNamed()) {
            conditions.add(anyOf(withPauses(options.isMainThreads() ? mainThreads() : named(selection.thread()))));
        } else if (!options.isAllThreads()) {
            conditions.add(selectedByDefault());
        }
        if (process != null) {
            conditions.add(inProcess(process));
        }
        String where = " FROM unjank_incident WHERE " + String.join(" AND ", conditions) + " ORDER BY ";
        if (isDefaultSelection()) {
            return "SELECT " + COLUMNS + where + "id";
        }
        String order = "verdict = 'DEADLOCK' DESC, " + (options.isThreadNamed() ? "" : "attention, ") + "dur DESC, ts";
        return "SELECT row_number() OVER (ORDER BY " + order + ") AS number, " + COLUMNS + where + "number";
    }

    private boolean isDefaultSelection() {
        return selection.process() == null
                && options.thread() == null
                && options.minDuration().equals(DoctorOptions.defaults().minDuration());
    }

    /**
     * Main threads, others that draw frames, and all of virtual machines except the waits for CPU and kernel of those
     * that a machine has for itself.
     */
    private String selectedByDefault() {
        List<String> ways = new ArrayList<>(List.of(IS_MAIN));
        if (!selection.drawing().isEmpty()) {
            ways.add("utid IN (" + joined(selection.drawing()) + ")");
        }
        if (jvms.isEmpty()) {
            return anyOf(ways);
        }
        ways.add(OF_ALL_THREADS);
        ways.add("utid IN " + threadsOf(jvms));
        return anyOf(ways) + " AND is_internal = 0";
    }

    /** A virtual machine's main thread is known by its name. */
    private List<String> mainThreads() {
        return List.of(
                jvms.isEmpty()
                        ? IS_MAIN
                        : isOneOf("thread_name", Set.of(DoctorOptions.MAIN_THREADS)) + " AND utid IN "
                                + threadsOf(jvms));
    }

    private List<String> named(@Nullable ThreadMatch thread) {
        List<String> ways = new ArrayList<>();
        if (thread == null) {
            return ways;
        }
        if (thread.byNumber()) {
            ways.add("tid = " + thread.wanted());
        }
        ProcessMatch process = thread.mainThreadOf();
        if (process != null) {
            ways.add(IS_MAIN + " AND " + inProcess(process));
        }
        if (!thread.names().isEmpty() || ways.isEmpty()) {
            ways.add(isOneOf("thread_name", thread.namesOrWanted())
                    + (thread.isWithinJvms() ? " AND utid IN " + threadsOf(jvms) : ""));
        }
        return ways;
    }

    private List<String> withPauses(List<String> ways) {
        if (selection.pauses().isEmpty()) {
            return ways;
        }
        List<String> runs = selection.pauses().stream()
                .map(run -> run.firstNs() == run.lastNs()
                        ? "ts = " + run.firstNs()
                        : "ts BETWEEN " + run.firstNs() + " AND " + run.lastNs())
                .toList();
        List<String> all = new ArrayList<>(ways);
        all.add(OF_ALL_THREADS + " AND " + anyOf(runs));
        return all;
    }

    private static String inProcess(ProcessMatch process) {
        List<String> ways = new ArrayList<>();
        if (process.byNumber()) {
            ways.add(
                    "utid IN (SELECT utid FROM thread JOIN process USING (upid) WHERE pid = " + process.wanted() + ")");
            if (process.isJvm()) {
                ways.add(OF_ALL_THREADS);
            }
        }
        if (process.byName() || !process.byNumber()) {
            ways.add(isOneOf("process_name", Set.of(process.wanted())));
        }
        return anyOf(ways);
    }

    private static String threadsOf(String upids) {
        return "(SELECT utid FROM thread WHERE upid IN (" + upids + "))";
    }

    private static String anyOf(List<String> ways) {
        return ways.size() == 1 ? ways.getFirst() : ways.stream().collect(Collectors.joining(" OR ", "(", ")"));
    }

    private static String isOneOf(String column, Set<String> strings) {
        String quoted = joined(strings.stream()
                .map(string -> "'" + string.replace("'", "''") + "'")
                .toList());
        return strings.size() == 1 ? column + " = " + quoted : column + " IN (" + quoted + ")";
    }

    private static String joined(List<?> parts) {
        return parts.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
}
