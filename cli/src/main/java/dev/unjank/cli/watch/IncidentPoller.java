package dev.unjank.cli.watch;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Warning;
import dev.unjank.doctor.report.WarningMessages;
import dev.unjank.record.session.Recording;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Has the doctor look at the last seconds of a recording, again and again. Looks overlap, so that a wait is seen with what came
 * before it; an incident is told by the look by which all sources have told everything up to its end, and by no other.
 */
final class IncidentPoller {
    /** The oldest file may be deleted before it is read. Twice in a row that would take a reader slower than the ring is long. */
    private static final int ATTEMPTS = 5;

    /** Reading the last seconds takes a while. */
    private static final long LEAST_STEP_NANOS = 1_000_000_000;

    private final Supplier<Recording.Snapshot> recording;
    private final int pid;
    private final DoctorOptions options;
    private final Map<Integer, String> names = new HashMap<>();
    private long toldUntil = Long.MIN_VALUE / 2;

    /** Up to when nothing has been missed; before the first look there is nothing to be missed. */
    private long seenUntil = Long.MAX_VALUE;

    private boolean isMissing;
    private @Nullable String mistake;
    private boolean isThreadKnown;

    /**
     * Will look.
     *
     * @param recording takes a snapshot of the recording
     * @param pid the process
     * @param options which incidents count
     */
    IncidentPoller(Supplier<Recording.Snapshot> recording, int pid, DoctorOptions options) {
        this.recording = recording;
        this.pid = pid;
        this.options = options;
    }

    /** What has ended since the last look. */
    List<IncidentSnapshot> next() throws IOException {
        Recording.Snapshot snapshot = recording.get();
        return snapshot.settledUntil() - toldUntil < LEAST_STEP_NANOS
                ? List.of()
                : look(snapshot, snapshot.settledUntil());
    }

    /** What has ended since, and what has not, once the recording is closed. */
    List<IncidentSnapshot> last() throws IOException {
        return look(recording.get(), Long.MAX_VALUE);
    }

    private List<IncidentSnapshot> look(Recording.Snapshot first, long until) throws IOException {
        Recording.Snapshot snapshot = first;
        Trace trace = null;
        for (int attempt = 1; trace == null; attempt++) {
            trace = read(snapshot, attempt < ATTEMPTS);
            if (trace == null) {
                snapshot = recording.get();
            }
        }
        List<IncidentSnapshot> told = new ArrayList<>();
        BitSet machines = options.isThreadNamed() ? new BitSet() : Doctor.jvmThreads(trace);
        for (Incident incident : Doctor.diagnose(trace, options).incidents()) {
            long end = incident.rootWait().endNs();
            boolean known =
                    incident.rootWait().unfinished() ? until == Long.MAX_VALUE : end > toldUntil && end <= until;
            if (known && !isOfNoInterest(incident, machines)) {
                told.add(IncidentSnapshot.of(incident, snapshot.takenAtInstant().minusNanos(snapshot.takenAt() - end)));
            }
        }
        toldUntil = until;
        isMissing |= snapshot.keptFrom() > seenUntil;
        seenUntil = Math.max(until, snapshot.keptFrom());
        takeNames(trace);
        lookForThread(trace);
        return told;
    }

    /** A virtual machine's own threads wait for a CPU and for the kernel all the time. */
    private static boolean isOfNoInterest(Incident incident, BitSet machines) {
        ThreadRef waiter = incident.rootWait().thread();
        return incident.blocker() == null && waiter.isInTrace() && machines.get(waiter.utid());
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

    /** Of all that there are: each file names them anew. */
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

    /** A thread that was there once may have ended since. */
    private void lookForThread(Trace trace) {
        if (!isThreadKnown) {
            Warning empty = Doctor.explainEmptySelection(trace, options);
            mistake = empty == null ? null : WarningMessages.of(empty, null);
            isThreadKnown = empty == null;
        }
    }

    /** That the process has not had the thread that was asked for; null if it has, or no look has been taken yet. */
    @Nullable
    String mistake() {
        return mistake;
    }

    /** Whether the ring has ever dropped what had not been looked at. */
    boolean isMissing() {
        return isMissing;
    }

    /** What a thread of the process is called by its program; null if that is not known. */
    @Nullable
    String name(int tid) {
        return names.get(tid);
    }
}
