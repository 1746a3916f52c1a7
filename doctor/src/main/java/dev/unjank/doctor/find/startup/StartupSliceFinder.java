package dev.unjank.doctor.find.startup;

import static java.util.Comparator.comparingLong;

import dev.unjank.trace.model.SliceNameFilter;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.text.LeadingInteger;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds app startups by the rules of trace processor's module {@code android.startup.startups}, which depend on the
 * Android version:
 *
 * <ul>
 * <li>since Android 13: an asynchronous slice {@code launchingActivity#N} and markers {@code
 * launchingActivity#N:completed-TYPE:PACKAGE};
 * <li>since Android 10: a slice {@code launching: PACKAGE} after a marker of the intent; the startup begins with the
 * intent, if exactly one launch follows before the next intent and a marker reports success;
 * <li>earlier: the launching slice alone; or a resumed activity without one, until the next frame.
 * </ul>
 *
 * <p>The doctor's reports and the table {@code android_startups} use this definition.
 */
public final class StartupSliceFinder {
    private static final String ACTIVITY = "launchingActivity#";
    private static final String LAUNCHING = "launching: ";
    private static final String METRICS = "MetricsLogger:launchObserverNotify";
    private static final String INTENT = METRICS + "IntentStarted";
    private static final String SUCCESS = METRICS + "ActivityLaunchFinished";
    private static final String RESUME = "activityResume";

    private final Trace trace;
    private final Slices slices;
    private final List<Integer> activities = new ArrayList<>();
    private final List<Integer> launches = new ArrayList<>();
    private final List<Integer> metrics = new ArrayList<>();
    private final List<Integer> resumes = new ArrayList<>();

    public StartupSliceFinder(Trace trace) {
        this.trace = trace;
        this.slices = trace.slices();
        new SliceNameFilter(trace, StartupSliceFinder::isStartupSlice).rows().forEach(this::classify);
    }

    private static boolean isStartupSlice(String name) {
        return name.startsWith(ACTIVITY)
                || name.startsWith(LAUNCHING)
                || name.startsWith(METRICS)
                || name.equals(RESUME);
    }

    private void classify(int row) {
        String name = slices.name(row);
        if (name.startsWith(ACTIVITY)) {
            activities.add(row);
        } else if (name.startsWith(METRICS)) {
            metrics.add(row);
        } else if (name.equals(RESUME)) {
            if (row < slices.firstAsync()) {
                resumes.add(row);
            }
        } else if (slices.upid(row) >= 0 && isSystem(trace.processes().name(slices.upid(row)))) {
            launches.add(row);
        }
    }

    private static boolean isSystem(@Nullable String process) {
        return process == null || process.equals("system_server");
    }

    /** Startups by start time. */
    public List<Startup> find() {
        if (activities.stream().anyMatch(row -> activity(row).indexOf(':') >= 0)) {
            return inOrder(completedLaunches());
        }
        return numbered(metrics.isEmpty() ? launchesWithoutMetrics() : launchesWithMetrics());
    }

    private static List<Startup> inOrder(List<Startup> startups) {
        return startups.stream().sorted(comparingLong(Startup::ts)).toList();
    }

    private static List<Startup> numbered(List<Startup> startups) {
        List<Startup> numbered = new ArrayList<>();
        for (Startup startup : inOrder(startups)) {
            numbered.add(
                    new Startup(numbered.size(), startup.ts(), startup.end(), startup.app(), startup.type(), false));
        }
        return numbered;
    }

    private String activity(int row) {
        return slices.name(row).substring(ACTIVITY.length());
    }

    private long dur(int row) {
        return slices.isOpen(row) ? -1 : slices.dur(row);
    }

    private long end(int row) {
        return slices.ts(row) + dur(row);
    }

    private List<Startup> completedLaunches() {
        record Completed(long id, String app, @Nullable String type) {}
        Set<Completed> all = new LinkedHashSet<>();
        for (int row : activities) {
            int completed = activity(row).indexOf(":completed");
            if (dur(row) == 0 && completed >= 0 && activity(row).indexOf(':', completed + 1) >= 0) {
                String[] fields = activity(row).split(":", -1);
                all.add(new Completed(LeadingInteger.parse(fields[0]), fields[2], type(fields[1])));
            }
        }
        List<Startup> found = new ArrayList<>();
        for (int row : activities) {
            if (dur(row) != 0 && activity(row).indexOf(':') < 0) {
                long id = LeadingInteger.parse(activity(row));
                all.stream()
                        .filter(completed -> completed.id == id)
                        .map(completed ->
                                new Startup(id, slices.ts(row), end(row), completed.app, completed.type, true))
                        .forEach(found::add);
            }
        }
        return found;
    }

    private static @Nullable String type(String completed) {
        return switch (completed) {
            case "completed-cold" -> "cold";
            case "completed-warm" -> "warm";
            case "completed-hot" -> "hot";
            default -> null;
        };
    }

    private String launched(int row) {
        return slices.name(row).substring(LAUNCHING.length());
    }

    private List<Startup> launchesWithMetrics() {
        List<Long> intents = new ArrayList<>();
        List<Long> successes = new ArrayList<>();
        for (int row : metrics) {
            switch (slices.name(row)) {
                case INTENT -> intents.add(slices.ts(row));
                case SUCCESS -> successes.add(slices.ts(row));
                default -> {}
            }
        }
        intents.sort(null);
        List<Startup> found = new ArrayList<>();
        for (int i = 0; i < intents.size(); i++) {
            long from = intents.get(i);
            long to = i + 1 < intents.size() ? intents.get(i + 1) : trace.endNs();
            List<Integer> launchesOfIntent = launches.stream()
                    .filter(row -> slices.ts(row) >= from && slices.ts(row) <= to)
                    .toList();
            boolean success = successes.stream().anyMatch(ts -> ts >= from && ts <= to);
            if (success && launchesOfIntent.size() == 1 && end(launchesOfIntent.getFirst()) <= to) {
                int launch = launchesOfIntent.getFirst();
                found.add(new Startup(0, from, end(launch), launched(launch), null, false));
            }
        }
        return found;
    }

    private List<Startup> launchesWithoutMetrics() {
        List<Startup> found = new ArrayList<>();
        for (int row : launches) {
            found.add(new Startup(0, slices.ts(row), end(row), launched(row), null, false));
        }
        Threads threads = trace.threads();
        List<Integer> alone = resumes.stream()
                .filter(row -> found.stream()
                        .noneMatch(launch -> slices.ts(row) >= launch.ts() && slices.ts(row) <= launch.end()))
                .toList();
        RenderedFrames frames = alone.isEmpty() ? null : new RenderedFrames(trace);
        for (int row : alone) {
            RenderedFrames.Frame next = frames == null ? null : frames.firstAfter(slices.ts(row));
            if (next != null) {
                int upid = threads.upid(slices.utid(row));
                String app = upid < 0 ? null : trace.processes().name(upid);
                found.add(new Startup(0, slices.ts(row), next.end(), app, "hot", false));
            }
        }
        return found;
    }
}
