package dev.unjank.query.tables;

import dev.unjank.doctor.find.startup.Startup;
import dev.unjank.doctor.find.startup.StartupSliceFinder;
import dev.unjank.query.load.NativeTable;
import dev.unjank.query.load.TableDefinition;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.SliceNameFilter;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tables {@code android_startups} and {@code android_startup_processes}, made from the model instead of by some twenty
 * steps of SQL. {@link StartupSliceFinder} finds the startups; this class finds their processes.
 */
final class StartupTables {
    private final Supplier<Trace> trace;
    private @Nullable List<Startup> startups;

    StartupTables(Supplier<Trace> trace) {
        this.trace = trace;
    }

    List<TableDefinition> definitions() {
        return List.of(
                TableDefinition.table(
                        "_android_startups",
                        "startup_id INT, ts INT, ts_end INT, dur INT, package TEXT, startup_type TEXT",
                        this::startups),
                TableDefinition.table(
                        "_android_startup_processes",
                        "startup_id INT, upid INT, startup_type TEXT",
                        this::startupProcesses));
    }

    private List<Startup> found() {
        List<Startup> known = startups;
        if (known == null) {
            known = new StartupSliceFinder(trace.get()).find();
            startups = known;
        }
        return known;
    }

    private NativeTable startups(Arena arena) {
        List<Startup> found = found();
        List<StartedProcess> processes = processes();
        return new NativeTable(arena, found.size())
                .longs("startup_id", row -> found.get(row).id())
                .longs("ts", row -> found.get(row).ts())
                .longs("ts_end", row -> found.get(row).end())
                .longs("dur", row -> found.get(row).end() - found.get(row).ts())
                .strings("package", row -> found.get(row).app())
                .strings("startup_type", row -> type(found.get(row), processes));
    }

    /** The recorded type; for a startup reported by the system without one, the coldest type of its processes. */
    private static @Nullable String type(Startup startup, List<StartedProcess> processes) {
        if (startup.type() != null || !startup.reportedBySystem()) {
            return startup.type();
        }
        return processes.stream()
                .filter(process -> process.startup.id() == startup.id())
                .map(StartedProcess::type)
                .min(String::compareTo) // "cold" sorts before "warm", as in trace processor's query
                .orElse(null);
    }

    private NativeTable startupProcesses(Arena arena) {
        List<StartedProcess> rows = processes();
        return new NativeTable(arena, rows.size())
                .longs("startup_id", row -> rows.get(row).startup.id())
                .ints("upid", row -> ProcessTable.upid(rows.get(row).upid))
                .strings("startup_type", row -> rows.get(row).type);
    }

    /** A startup phase on the main thread of a process. */
    private enum Phase {
        BIND("bindApplication"),
        START("activityStart"),
        RESUME("activityResume");

        private static final Map<String, Phase> BY_NAME =
                Map.of(BIND.slice, BIND, START.slice, START, RESUME.slice, RESUME);

        private final String slice;

        Phase(String slice) {
            this.slice = slice;
        }
    }

    private record PhaseStart(Phase phase, long ts) {}

    /** A process of a startup. */
    private record StartedProcess(Startup startup, int upid, String type) {}

    /** Processes with the name of the package that resumed an activity on their main thread during the startup. */
    private List<StartedProcess> processes() {
        List<StartedProcess> found = new ArrayList<>();
        Processes processes = trace.get().processes();
        SortedMap<Integer, List<PhaseStart>> phaseStarts = found().isEmpty() ? new TreeMap<>() : phaseStarts();
        record Key(long id, long ts, int upid) {}
        Set<Key> known = new HashSet<>(); // a startup with several markers counts once
        for (Startup startup : found()) {
            phaseStarts.forEach((upid, phases) -> {
                String name = processes.name(upid);
                if (startup.app() == null || name == null || !name.startsWith(startup.app())) {
                    return;
                }
                EnumSet<Phase> seen = EnumSet.noneOf(Phase.class);
                phases.stream()
                        .filter(phase -> phase.ts >= startup.ts() && phase.ts < startup.end())
                        .forEach(phase -> seen.add(phase.phase));
                if (seen.contains(Phase.RESUME) && known.add(new Key(startup.id(), startup.ts(), upid))) {
                    found.add(new StartedProcess(startup, upid, type(startup, seen)));
                }
            });
        }
        return found;
    }

    /** Cold startups bind the application and start the activity, warm ones start it, and hot ones resume it. */
    private static String type(Startup startup, Set<Phase> seen) {
        if (startup.type() != null) {
            return startup.type();
        }
        if (!seen.contains(Phase.START)) {
            return "hot";
        }
        return seen.contains(Phase.BIND) ? "cold" : "warm";
    }

    private SortedMap<Integer, List<PhaseStart>> phaseStarts() {
        Slices slices = trace.get().slices();
        Threads threads = trace.get().threads();
        SortedMap<Integer, List<PhaseStart>> phaseStarts = new TreeMap<>();
        new SliceNameFilter(trace.get(), Phase.BY_NAME::containsKey)
                .rows()
                .filter(row -> row < slices.firstAsync() && threads.isMain(slices.utid(row)))
                .forEach(row -> {
                    Phase phase = Phase.BY_NAME.get(slices.name(row));
                    int upid = threads.upid(slices.utid(row));
                    if (phase != null && upid >= 0) {
                        phaseStarts
                                .computeIfAbsent(upid, _ -> new ArrayList<>())
                                .add(new PhaseStart(phase, slices.ts(row)));
                    }
                });
        return phaseStarts;
    }
}
