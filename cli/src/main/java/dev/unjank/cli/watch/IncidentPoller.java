package dev.unjank.cli.watch;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.ReportMessages;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Warning;
import dev.unjank.doctor.model.cause.RootCause;
import dev.unjank.record.session.Recording;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Diagnoses the last seconds of a recording periodically. The diagnosed periods overlap, so that a wait is diagnosed
 * together with the events before it. Each incident is returned once: by the first poll for which all sources are
 * complete up to its end.
 */
final class IncidentPoller {
    /** The number of attempts to read, since the ring may delete the oldest file meanwhile. */
    private static final int ATTEMPTS = 5;

    /** The minimum time between two diagnoses, which are expensive. */
    private static final long LEAST_STEP_NANOS = 1_000_000_000;

    private final Supplier<Recording.Snapshot> recording;
    private final int pid;
    private final DoctorOptions options;
    private final Map<Integer, String> names = new HashMap<>();
    private long reportedUntil = Long.MIN_VALUE / 2;

    /** The end of the period without losses; before the first poll no event can be lost. */
    private long seenUntil = Long.MAX_VALUE;

    private boolean isMissing;
    private @Nullable String mistake;
    private boolean isThreadKnown;

    IncidentPoller(Supplier<Recording.Snapshot> recording, int pid, DoctorOptions options) {
        this.recording = recording;
        this.pid = pid;
        this.options = options;
    }

    /** The incidents that have ended since the last poll. */
    List<IncidentSnapshot> next() throws IOException {
        Recording.Snapshot snapshot = recording.get();
        return snapshot.settledUntil() - reportedUntil < LEAST_STEP_NANOS
                ? List.of()
                : poll(snapshot, snapshot.settledUntil());
    }

    /** After the recording is closed: the incidents that have ended since the last poll, and unfinished ones. */
    List<IncidentSnapshot> last() throws IOException {
        return poll(recording.get(), Long.MAX_VALUE);
    }

    private List<IncidentSnapshot> poll(Recording.Snapshot first, long until) throws IOException {
        Recording.Snapshot snapshot = first;
        Trace trace = null;
        for (int attempt = 1; trace == null; attempt++) {
            trace = read(snapshot, attempt < ATTEMPTS);
            if (trace == null) {
                snapshot = recording.get();
            }
        }
        List<Incident> due = new ArrayList<>();
        BitSet jvmThreads = options.isThreadNamed() ? new BitSet() : Doctor.jvmThreads(trace);
        Diagnosis diagnosis = Doctor.diagnose(trace, options);
        for (Incident incident : diagnosis.incidents()) {
            long end = incident.rootWait().endNs();
            boolean isDue =
                    incident.rootWait().unfinished() ? until == Long.MAX_VALUE : end > reportedUntil && end <= until;
            if (isDue && !isOfNoInterest(incident, jvmThreads)) {
                due.add(incident);
            }
        }
        List<IncidentSnapshot> found = snapshots(diagnosis, due, snapshot);
        reportedUntil = until;
        isMissing |= snapshot.keptFrom() > seenUntil;
        seenUntil = Math.max(until, snapshot.keptFrom());
        takeNames(trace);
        checkThread(trace);
        return found;
    }

    private static List<IncidentSnapshot> snapshots(
            Diagnosis diagnosis, List<Incident> due, Recording.Snapshot snapshot) {
        List<IncidentSnapshot> found = new ArrayList<>();
        for (RootCause cause : Doctor.rootCauses(diagnosis, due).causes()) {
            for (int id : cause.allIncidents()) {
                Incident incident = diagnosis.incident(id);
                Instant end = snapshot.takenAtInstant()
                        .minusNanos(snapshot.takenAt() - incident.rootWait().endNs());
                found.add(IncidentSnapshot.of(incident, cause, end));
            }
        }
        return found;
    }

    /** Whether an incident is only a wait of the JVM's own threads for a CPU or the kernel; there are very many. */
    private static boolean isOfNoInterest(Incident incident, BitSet jvmThreads) {
        ThreadRef waiter = incident.rootWait().thread();
        return incident.blocker() == null && waiter.isInTrace() && jvmThreads.get(waiter.utid());
    }

    private static @Nullable Trace read(Recording.Snapshot snapshot, boolean mayBeGone) throws IOException {
        try {
            return TraceReader.read(snapshot.files());
        } catch (UnusableTraceException e) {
            if (mayBeGone && !Files.exists(snapshot.files().getFirst())) {
                return null;
            }
            throw e;
        }
    }

    /** Replaces the thread names; each file of the ring contains all of them. */
    private void takeNames(Trace trace) {
        names.clear();
        Threads threads = trace.threads();
        for (int utid = 0; utid < threads.size(); utid++) {
            String name = threads.name(utid);
            int upid = threads.upid(utid);
            if (name != null && upid >= 0 && trace.processes().pid(upid) == pid) {
                names.put(threads.tid(utid), name);
            }
        }
    }

    /** Checks the selected thread until it has been found once, as it may end later. */
    private void checkThread(Trace trace) {
        if (!isThreadKnown) {
            Warning empty = Doctor.explainEmptySelection(trace, options);
            mistake = empty == null ? null : ReportMessages.warning(empty, null);
            isThreadKnown = empty == null;
        }
    }

    /** The message that the process does not have the selected thread; null if it has, or before the first poll. */
    @Nullable
    String mistake() {
        return mistake;
    }

    /** Whether the ring has dropped events before they were diagnosed. */
    boolean isMissing() {
        return isMissing;
    }

    /** A thread's name in its program; null if unknown. */
    @Nullable
    String name(int tid) {
        return names.get(tid);
    }
}
