package dev.unjank.query.tables;

import static dev.unjank.query.load.TableDefinition.table;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.ReportMessages;
import dev.unjank.doctor.model.AppStartup;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.CodeOrigin;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.FrameCost;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.OwnerInterval;
import dev.unjank.doctor.model.Segment;
import dev.unjank.doctor.model.Summary;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.doctor.model.cause.RootCause;
import dev.unjank.doctor.model.cause.RootCauses;
import dev.unjank.doctor.model.cause.ThreadGroupRef;
import dev.unjank.doctor.model.loss.EventLoss;
import dev.unjank.query.load.NativeTable;
import dev.unjank.query.load.TableDefinition;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Trace;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tables of the doctor's results, by default for every wait of every thread. The diagnosis is made when a statement
 * first names one.
 */
public final class DiagnosisTables {
    private static final String THREAD_COLUMNS = "utid INT, tid INT, thread_name TEXT, process_name TEXT";

    private static final long UNKNOWN = -1;
    private static final int NO_CAUSE = 0;
    private static final int NOT_RECORDED = -1;

    private final Supplier<Trace> trace;
    private final Supplier<Diagnosis> doctor;
    private @Nullable Diagnosis diagnosis;
    private @Nullable RootCauses causes;
    private @Nullable IncidentIds ids;

    /** Creates the tables. */
    public DiagnosisTables(Supplier<Trace> trace, Supplier<Diagnosis> doctor) {
        this.trace = trace;
        this.doctor = doctor;
    }

    /** Diagnoses every wait of every thread. */
    public static Diagnosis all(Trace trace) {
        return Doctor.diagnose(
                trace,
                DoctorOptions.defaults().withThread(DoctorOptions.ALL_THREADS).withMinDuration(Duration.ZERO));
    }

    public List<TableDefinition> definitions() {
        return List.of(
                table(
                        "unjank_incident",
                        "id INT, ts INT, dur INT, kind TEXT, verdict TEXT, evidence TEXT, " + THREAD_COLUMNS
                                + ", is_main_thread INT, attention INT, is_default INT, is_internal INT, priority INT, what TEXT, blocked_method TEXT, blocked_src TEXT,"
                                + " waiters INT, owner_utid INT, owner_tid INT, owner_thread_name TEXT,"
                                + " owner_process_name TEXT, owner_priority INT, blocking_method TEXT, blocking_src TEXT,"
                                + " decisive_dur INT, responsible_utid INT, is_unfinished INT, lost_dur INT, cause INT",
                        this::incidents),
                table(
                        "unjank_cause",
                        "rank INT, verdict TEXT, evidence TEXT, kind TEXT, process_name TEXT, resource TEXT, waiter_group TEXT,"
                                + " waiter_threads INT, waiter_method TEXT, waiter_src TEXT, owner TEXT, owner_group TEXT,"
                                + " owner_threads INT, owner_method TEXT, owner_src TEXT, occurrence_count INT,"
                                + " incident_count INT, total_dur INT, p50_dur INT, p95_dur INT, max_dur INT, cost_dur INT,"
                                + " measure TEXT, example_id INT",
                        this::causes),
                table(
                        "unjank_blame",
                        "incident_id INT, depth INT, ts INT, dur INT, state TEXT, " + THREAD_COLUMNS + ", detail TEXT",
                        this::blameIntervals),
                table(
                        "unjank_frame",
                        "id INT, ts INT, dur INT, missed_by_dur INT, source TEXT, upid INT, process_name TEXT, utid INT,"
                                + " name TEXT, jank_type TEXT, present_type TEXT, is_missed INT, is_app_jank INT, is_display INT",
                        this::frames),
                table(
                        "unjank_frame_cost",
                        "frame_id INT, incident_id INT, overlap_dur INT, verdict TEXT, frame_ts INT, frame_dur INT,"
                                + " upid INT, process_name TEXT, frame_name TEXT, jank_type TEXT, is_missed INT",
                        this::frameCosts),
                table(
                        "unjank_startup",
                        "id INT, package TEXT, startup_type TEXT, ts INT, dur INT, utid INT, first_frame_ts INT, cause TEXT,"
                                + " verdict TEXT, cause_dur INT",
                        this::appStartups),
                table(
                        "unjank_summary",
                        "ts INT, dur INT, lock_wait_count INT, lock_wait_dur INT, longest_lock_wait_dur INT,"
                                + " monitor_wait_count INT, monitor_wait_dur INT,"
                                + " inversion_count INT, longest_inversion_dur INT, frame_count INT,"
                                + " missed_frame_count INT, display_frame_count INT, missed_display_frame_count INT, warning_count INT",
                        this::summary));
    }

    private Diagnosis diagnosis() {
        Diagnosis found = diagnosis;
        if (found == null) {
            found = doctor.get();
            diagnosis = found;
        }
        return found;
    }

    private IncidentIds ids() {
        IncidentIds found = ids;
        if (found == null) {
            found = IncidentIds.of(diagnosis());
            ids = found;
        }
        return found;
    }

    /** Whether a thread that a virtual machine has for itself waited for a CPU or in the kernel. */
    private static boolean isInternal(Incident incident) {
        Wait wait = incident.rootWait();
        return wait.thread().origin() == CodeOrigin.JVM
                && (wait.kind() == WaitKind.CPU || wait.kind() == WaitKind.KERNEL);
    }

    private NativeTable incidents(Arena arena) {
        List<Incident> all = ids().inOrder();
        Map<Integer, Integer> ranks = defaultCauses().rankByIncident();
        NativeTable table = new NativeTable(arena, all.size())
                .ints("id", row -> row + 1)
                .longs("ts", row -> all.get(row).rootWait().startNs())
                .longs("dur", row -> all.get(row).rootWait().durNs())
                .strings("kind", row -> name(all.get(row).rootWait().kind()))
                .strings("verdict", row -> all.get(row).verdict().name())
                .strings("evidence", row -> name(all.get(row).judgement().evidence()));
        threads(table, "", row -> all.get(row).rootWait().thread());
        List<@Nullable Owner> owners = new ArrayList<>();
        all.forEach(incident -> owners.add(incident.blocker()));
        return threads(table, "owner_", row -> thread(owners.get(row)))
                .ints("is_default", row -> all.get(row).isShownByDefault() ? 1 : 0)
                .ints("is_internal", row -> isInternal(all.get(row)) ? 1 : 0)
                .ints("is_main_thread", row -> all.get(row).rootWait().thread().main() ? 1 : 0)
                .ints("attention", row -> all.get(row).severity().number())
                .ints(
                        "priority",
                        ThreadStates.NO_PRIORITY,
                        row -> all.get(row).rootWait().thread().priority())
                .ints("owner_priority", ThreadStates.NO_PRIORITY, row -> priority(thread(owners.get(row))))
                .strings("what", row -> all.get(row).rootWait().target())
                .strings("blocked_method", row -> method(all.get(row).rootWait().location()))
                .strings("blocked_src", row -> source(all.get(row).rootWait().location()))
                .strings("blocking_method", row -> method(site(owners.get(row))))
                .strings("blocking_src", row -> source(site(owners.get(row))))
                .ints("waiters", row -> all.get(row).rootWait().waiters())
                .longs("decisive_dur", row -> all.get(row).judgement().decisiveNs())
                .ints(
                        "responsible_utid",
                        ThreadRef.NOT_IN_TRACE,
                        row -> utid(all.get(row).responsibleThread()))
                .ints("is_unfinished", row -> all.get(row).rootWait().unfinished() ? 1 : 0)
                .longs("lost_dur", row -> lostNs(all.get(row)))
                .ints("cause", NO_CAUSE, row -> ranks.getOrDefault(all.get(row).id(), NO_CAUSE));
    }

    /** The root causes of the incidents that the report shows by default. */
    private RootCauses defaultCauses() {
        RootCauses found = causes;
        if (found == null) {
            found = Doctor.rootCauses(diagnosis(), ids().ofDefaultReport());
            causes = found;
        }
        return found;
    }

    private NativeTable causes(Arena arena) {
        RootCauses found = defaultCauses();
        List<RootCause> all = found.causes();
        return new NativeTable(arena, all.size())
                .ints("rank", row -> all.get(row).rank())
                .strings("verdict", row -> all.get(row).verdict().name())
                .strings(
                        "evidence",
                        row -> name(all.get(row).example().judgement().evidence()))
                .strings("kind", row -> name(all.get(row).kind()))
                .strings("process_name", row -> all.get(row).process())
                .strings("resource", row -> all.get(row).key().resource())
                .strings("waiter_group", row -> all.get(row).key().waiters())
                .ints("waiter_threads", row -> all.get(row).waiters().threads())
                .strings("waiter_method", row -> method(all.get(row).waiterSite()))
                .strings("waiter_src", row -> source(all.get(row).waiterSite()))
                .strings("owner", row -> all.get(row).key().owner())
                .strings("owner_group", row -> groupName(all.get(row).owners()))
                .ints("owner_threads", row -> threads(all.get(row).owners()))
                .strings("owner_method", row -> method(all.get(row).ownerSite()))
                .strings("owner_src", row -> source(all.get(row).ownerSite()))
                .ints("occurrence_count", row -> all.get(row).occurrences())
                .ints("incident_count", row -> all.get(row).incidents().size())
                .longs("total_dur", row -> all.get(row).totalNs())
                .longs("p50_dur", row -> all.get(row).p50Ns())
                .longs("p95_dur", row -> all.get(row).p95Ns())
                .longs("max_dur", row -> all.get(row).maxNs())
                .longs("cost_dur", row -> all.get(row).costNs())
                .strings("measure", _ -> name(found.measure()))
                .ints("example_id", row -> ids().of(all.get(row).example()));
    }

    private static @Nullable String groupName(@Nullable ThreadGroupRef group) {
        return group == null ? null : group.name();
    }

    private static int threads(@Nullable ThreadGroupRef group) {
        return group == null ? 0 : group.threads();
    }

    private long lostNs(Incident incident) {
        EventLoss lost = diagnosis().eventLossDuring(incident);
        return lost == null ? 0 : lost.durNs();
    }

    /** A leaf of an incident's blame tree. */
    private record Blame(int incident, int depth, Segment part) {}

    private NativeTable blameIntervals(Arena arena) {
        List<Blame> leaves = new ArrayList<>();
        for (Incident incident : ids().inOrder()) {
            collect(ids().of(incident), 0, incident.rootWait(), leaves);
        }
        NativeTable table = new NativeTable(arena, leaves.size())
                .ints("incident_id", row -> leaves.get(row).incident())
                .ints("depth", row -> leaves.get(row).depth())
                .longs("ts", row -> leaves.get(row).part().startNs())
                .longs("dur", row -> leaves.get(row).part().durNs())
                .strings("state", row -> name(leaves.get(row).part().state()))
                .strings(
                        "detail",
                        row -> ReportMessages.detail(leaves.get(row).part().detail()));
        return threads(table, "", row -> leaves.get(row).part().thread());
    }

    private static void collect(int incident, int depth, Wait wait, List<Blame> leaves) {
        for (OwnerInterval tenure : wait.ownerIntervals()) {
            for (Segment part : tenure.segments()) {
                Wait further = part.nextWait();
                if (further == null) {
                    leaves.add(new Blame(incident, depth, part));
                } else {
                    collect(incident, depth + 1, further, leaves);
                }
            }
        }
    }

    private NativeTable frames(Arena arena) {
        List<Frame> frames = Doctor.frames(trace.get(), diagnosis());
        return new NativeTable(arena, frames.size())
                .ints("id", row -> frames.get(row).id())
                .longs("ts", row -> frames.get(row).startNs())
                .longs("dur", row -> frames.get(row).durNs())
                .longs("missed_by_dur", row -> frames.get(row).missedByNs())
                .strings("source", row -> name(frames.get(row).source()))
                .ints("upid", -1, row -> ProcessTable.upid(frames.get(row).upid()))
                .strings("process_name", row -> frames.get(row).process())
                .ints("utid", -1, row -> frames.get(row).utid())
                .strings("name", row -> frames.get(row).name())
                .strings("jank_type", row -> frames.get(row).jankType())
                .strings("present_type", row -> presented(frames.get(row)))
                .ints("is_missed", row -> frames.get(row).missed() ? 1 : 0)
                .ints("is_app_jank", row -> frames.get(row).isAppJank() ? 1 : 0)
                .ints("is_display", row -> frames.get(row).display() ? 1 : 0);
    }

    /** NULL if the trace does not record when a frame was presented. */
    private static @Nullable String presented(Frame frame) {
        return frame.source() == Frame.Source.TIMELINE ? frame.presented().text() : null;
    }

    private NativeTable frameCosts(Arena arena) {
        List<FrameCost> costs = diagnosis().costs();
        return new NativeTable(arena, costs.size())
                .ints("frame_id", row -> costs.get(row).frame().id())
                .ints("incident_id", row -> ids().of(costs.get(row).incident()))
                .longs("overlap_dur", row -> costs.get(row).overlapNs())
                .strings("verdict", row -> costs.get(row).incident().verdict().name())
                .longs("frame_ts", row -> costs.get(row).frame().startNs())
                .longs("frame_dur", row -> costs.get(row).frame().durNs())
                .ints(
                        "upid",
                        -1,
                        row -> ProcessTable.upid(costs.get(row).frame().upid()))
                .strings("process_name", row -> costs.get(row).frame().process())
                .strings("frame_name", row -> costs.get(row).frame().name())
                .strings("jank_type", row -> costs.get(row).frame().jankType())
                .ints("is_missed", row -> costs.get(row).frame().missed() ? 1 : 0);
    }

    /** The share of one cause in an app startup. */
    private record StartupCause(AppStartup startup, AppStartup.Share share) {}

    private NativeTable appStartups(Arena arena) {
        List<StartupCause> costs = diagnosis().startups().stream()
                .flatMap(startup -> startup.shares().stream().map(share -> new StartupCause(startup, share)))
                .toList();
        return new NativeTable(arena, costs.size())
                .longs("id", row -> costs.get(row).startup().id())
                .strings("package", row -> costs.get(row).startup().packageName())
                .strings("startup_type", row -> costs.get(row).startup().type())
                .longs("ts", row -> costs.get(row).startup().startNs())
                .longs("dur", row -> costs.get(row).startup().durNs())
                .ints(
                        "utid",
                        ThreadRef.NOT_IN_TRACE,
                        row -> utid(costs.get(row).startup().mainThread()))
                .longs("first_frame_ts", -1, row -> firstFrame(costs.get(row).startup()))
                .strings("cause", row -> name(costs.get(row).share().cause()))
                .strings("verdict", row -> {
                    var verdict = costs.get(row).share().verdict();
                    return verdict == null ? null : verdict.name();
                })
                .longs("cause_dur", row -> costs.get(row).share().durNs());
    }

    private static long firstFrame(AppStartup startup) {
        return startup.hasFirstFrame() ? startup.firstFrameNs() : -1;
    }

    /** One row: the trace as a whole. */
    private NativeTable summary(Arena arena) {
        Diagnosis all = diagnosis();
        Summary summary = all.summary();
        Summary.Inversions inversions = summary.inversions();
        return new NativeTable(arena, 1)
                .longs("ts", _ -> all.startNs())
                .longs("dur", UNKNOWN, _ -> all.isLengthDoubtful() ? UNKNOWN : all.durationNs())
                .ints("lock_wait_count", _ -> summary.lockWaits())
                .longs("lock_wait_dur", _ -> summary.lockWaitNs())
                .longs("longest_lock_wait_dur", _ -> summary.longestLockWaitNs())
                .ints("monitor_wait_count", _ -> summary.monitorWaits())
                .longs("monitor_wait_dur", _ -> summary.monitorWaitNs())
                .ints(
                        "inversion_count",
                        NOT_RECORDED,
                        _ -> inversions == null
                                ? NOT_RECORDED
                                : inversions.from1To10Ms() + inversions.from10To16Ms() + inversions.over16Ms())
                .longs("longest_inversion_dur", UNKNOWN, _ -> inversions == null ? UNKNOWN : inversions.longestNs())
                .ints("frame_count", _ -> summary.frames())
                .ints("missed_frame_count", _ -> summary.missedFrames())
                .ints("display_frame_count", _ -> summary.displayFrames())
                .ints("missed_display_frame_count", _ -> summary.missedDisplayFrames())
                .ints("warning_count", _ -> all.warnings().size());
    }

    private static NativeTable threads(NativeTable table, String prefix, IntFunction<@Nullable ThreadRef> thread) {
        return table.ints(prefix + "utid", ThreadRef.NOT_IN_TRACE, row -> utid(thread.apply(row)))
                .ints(prefix + "tid", ThreadRef.NOT_IN_TRACE, row -> {
                    ThreadRef one = thread.apply(row);
                    return one == null ? ThreadRef.NOT_IN_TRACE : one.tid();
                })
                .strings(prefix + "thread_name", row -> {
                    ThreadRef one = thread.apply(row);
                    return one == null ? null : one.name();
                })
                .strings(prefix + "process_name", row -> {
                    ThreadRef one = thread.apply(row);
                    return one == null ? null : one.process();
                });
    }

    private static @Nullable ThreadRef thread(@Nullable Owner owner) {
        return owner == null ? null : owner.thread();
    }

    private static @Nullable CodeLocation site(@Nullable Owner owner) {
        return owner == null ? null : owner.location();
    }

    private static int utid(@Nullable ThreadRef thread) {
        return thread == null ? ThreadRef.NOT_IN_TRACE : thread.utid();
    }

    private static int priority(@Nullable ThreadRef thread) {
        return thread == null ? ThreadStates.NO_PRIORITY : thread.priority();
    }

    private static @Nullable String method(@Nullable CodeLocation site) {
        return site == null ? null : site.method();
    }

    private static @Nullable String source(@Nullable CodeLocation site) {
        return site == null ? null : site.source();
    }

    private static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
