package dev.unjank.query.tables;

import dev.unjank.query.load.NativeTable;
import dev.unjank.query.load.TableDefinition;
import dev.unjank.trace.model.Processes;
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
 * {@code android_startups} and {@code android_startup_processes}, made from the model at once instead of by twenty steps of SQL.
 * What starts there are, {@link PerfettoStartupFinder} says; which processes came up in them is found here.
 */
final class StartupTables {
    private final Supplier<Trace> trace;
    private @Nullable List<PerfettoStartup> startups;

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

    private List<PerfettoStartup> found() {
        List<PerfettoStartup> known = startups;
        if (known == null) {
            known = new PerfettoStartupFinder(trace.get()).find();
            startups = known;
        }
        return known;
    }

    private NativeTable startups(Arena arena) {
        List<PerfettoStartup> found = found();
        List<CameUp> processes = processes();
        return new NativeTable(arena, found.size())
                .longs("startup_id", row -> found.get(row).id())
                .longs("ts", row -> found.get(row).ts())
                .longs("ts_end", row -> found.get(row).end())
                .longs("dur", row -> found.get(row).end() - found.get(row).ts())
                .texts("package", row -> found.get(row).app())
                .texts("startup_type", row -> type(found.get(row), processes));
    }

    /** As it is told; for a marked start else the coldest that was seen of its processes. */
    private static @Nullable String type(PerfettoStartup startup, List<CameUp> processes) {
        if (startup.type() != null || !startup.marked()) {
            return startup.type();
        }
        return processes.stream()
                .filter(process -> process.startup.id() == startup.id())
                .map(CameUp::type)
                .min(String::compareTo) // "cold" is before "warm", as it is in trace processor's query
                .orElse(null);
    }

    private NativeTable startupProcesses(Arena arena) {
        List<CameUp> rows = processes();
        return new NativeTable(arena, rows.size())
                .longs("startup_id", row -> rows.get(row).startup.id())
                .ints("upid", row -> rows.get(row).upid)
                .texts("startup_type", row -> rows.get(row).type);
    }

    /** What the main thread of a process does on its way up. */
    private enum Milestone {
        BIND("bindApplication"),
        START("activityStart"),
        RESUME("activityResume");

        private static final Map<String, Milestone> BY_NAME =
                Map.of(BIND.slice, BIND, START.slice, START, RESUME.slice, RESUME);

        private final String slice;

        Milestone(String slice) {
            this.slice = slice;
        }
    }

    private record Passed(Milestone milestone, long ts) {}

    /** A process that came up in a start. */
    private record CameUp(PerfettoStartup startup, int upid, String type) {}

    /** Those of the package, by their names, whose main thread resumed an activity meanwhile. */
    private List<CameUp> processes() {
        List<CameUp> found = new ArrayList<>();
        Processes processes = trace.get().processes();
        SortedMap<Integer, List<Passed>> passed = found().isEmpty() ? new TreeMap<>() : passed();
        record Key(long id, long ts, int upid) {}
        Set<Key> seen = new HashSet<>(); // a start with several marks is one
        for (PerfettoStartup startup : found()) {
            passed.forEach((upid, milestones) -> {
                String name = processes.name(upid);
                if (startup.app() == null || name == null || !name.startsWith(startup.app())) {
                    return;
                }
                EnumSet<Milestone> meanwhile = EnumSet.noneOf(Milestone.class);
                milestones.stream()
                        .filter(milestone -> milestone.ts >= startup.ts() && milestone.ts < startup.end())
                        .forEach(milestone -> meanwhile.add(milestone.milestone));
                if (meanwhile.contains(Milestone.RESUME) && seen.add(new Key(startup.id(), startup.ts(), upid))) {
                    found.add(new CameUp(startup, upid, type(startup, meanwhile)));
                }
            });
        }
        return found;
    }

    /** A cold start has bound the application and started the activity, a warm one has started it, a hot one resumed it. */
    private static String type(PerfettoStartup startup, Set<Milestone> seen) {
        if (startup.type() != null) {
            return startup.type();
        }
        if (!seen.contains(Milestone.START)) {
            return "hot";
        }
        return seen.contains(Milestone.BIND) ? "cold" : "warm";
    }

    private SortedMap<Integer, List<Passed>> passed() {
        Slices slices = trace.get().slices();
        Threads threads = trace.get().threads();
        SortedMap<Integer, List<Passed>> passed = new TreeMap<>();
        new SliceNameFilter(trace.get(), Milestone.BY_NAME::containsKey)
                .rows()
                .filter(row -> row < slices.firstAsync() && threads.isMain(slices.utid(row)))
                .forEach(row -> {
                    Milestone milestone = Milestone.BY_NAME.get(slices.name(row));
                    int upid = threads.upid(slices.utid(row));
                    if (milestone != null && upid >= 0) {
                        passed.computeIfAbsent(upid, _ -> new ArrayList<>()).add(new Passed(milestone, slices.ts(row)));
                    }
                });
        return passed;
    }
}
