package dev.unjank.doctor.judge;

import dev.unjank.doctor.find.thread.ThreadNameMatcher;
import dev.unjank.doctor.find.thread.ThreadSelection;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.IncidentSelection;
import dev.unjank.doctor.model.IncidentSelection.PauseRun;
import dev.unjank.doctor.model.IncidentSelection.ProcessMatch;
import dev.unjank.doctor.model.IncidentSelection.ThreadMatch;
import dev.unjank.doctor.model.Wait;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Describes the incidents of a diagnosis by the names and pauses in the trace that the options select. */
public final class IncidentSelector {
    private final Threads threads;
    private final Processes processes;
    private final DoctorOptions options;
    private final ThreadSelection selection;

    private IncidentSelector(Trace trace, DoctorOptions options, ThreadSelection selection) {
        this.threads = trace.threads();
        this.processes = trace.processes();
        this.options = options;
        this.selection = selection;
    }

    /**
     * {@return the place of incidents among those of all threads}
     *
     * @param pauses all pauses of virtual machines, ordered by time
     */
    public static IncidentSelection of(
            Trace trace, DoctorOptions options, ThreadSelection selection, List<Incident> found, List<Wait> pauses) {
        IncidentSelector selector = new IncidentSelector(trace, options, selection);
        Processes processes = trace.processes();
        return new IncidentSelection(
                IntStream.range(0, processes.size())
                        .filter(upid -> processes.isJvm(upid) && selection.includesProcess(upid))
                        .boxed()
                        .toList(),
                selection.drawing().stream().boxed().toList(),
                options.process() == null ? null : selector.process(options.process()),
                selector.thread(),
                options.isThreadNamed() ? selector.pauseRuns(found, pauses) : List.of());
    }

    private @Nullable ThreadMatch thread() {
        String wanted = options.thread();
        if (wanted == null || !options.isThreadNamed() || options.isMainThreads()) {
            return null;
        }
        boolean byNumber = false;
        boolean byProcess = false;
        TreeSet<String> names = new TreeSet<>();
        for (int utid : selection.utids().stream().toArray()) {
            String name = threads.name(utid);
            if (wanted.equals(Integer.toString(threads.tid(utid)))) {
                byNumber = true;
            } else if (name != null && ThreadNameMatcher.agree(wanted, name)) {
                names.add(name);
            } else {
                byProcess = true;
            }
        }
        return new ThreadMatch(wanted, byNumber, names, byProcess ? process(wanted) : null, selection.isWithinJvms());
    }

    private ProcessMatch process(String wanted) {
        boolean byNumber = false;
        boolean byName = false;
        boolean isJvm = false;
        for (int upid = 0; upid < processes.size(); upid++) {
            boolean numbered = wanted.equals(Integer.toString(processes.pid(upid)));
            byNumber |= numbered;
            isJvm |= numbered && processes.isJvm(upid);
            byName |= wanted.equals(processes.name(upid));
        }
        return new ProcessMatch(wanted, byNumber, byName, isJvm);
    }

    /** Joins selected pauses that have no other pause between them, for a shorter query. */
    private List<PauseRun> pauseRuns(List<Incident> found, List<Wait> pauses) {
        Set<Long> selected = found.stream()
                .map(Incident::rootWait)
                .filter(Wait::isProcessPause)
                .map(Wait::startNs)
                .collect(Collectors.toSet());
        List<PauseRun> runs = new ArrayList<>();
        PauseRun open = null;
        for (Wait pause : selected.isEmpty() ? List.<Wait>of() : pauses) {
            long ts = pause.startNs();
            if (selected.contains(ts)) {
                open = new PauseRun(open == null ? ts : open.firstNs(), ts);
            } else if (open != null && pause.durNs() >= options.minDuration().toNanos()) {
                runs.add(open);
                open = null;
            }
        }
        if (open != null) {
            runs.add(open);
        }
        return runs;
    }
}
