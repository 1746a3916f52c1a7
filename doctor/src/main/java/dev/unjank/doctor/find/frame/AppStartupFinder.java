package dev.unjank.doctor.find.frame;

import dev.unjank.doctor.find.thread.ThreadNameMatcher;
import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.model.AppStartup;
import dev.unjank.doctor.model.Frame;
import dev.unjank.trace.collections.BinarySearch;
import dev.unjank.trace.collections.LongOrder;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.SliceNameFilter;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds app startups. Since Android 12 a startup is an asynchronous slice of the system server, {@code launchingActivity#N}, with a
 * later marker {@code launchingActivity#N:completed:PACKAGE} or {@code :completed-TYPE:PACKAGE}; before, each slice {@code launching:
 * PACKAGE}, from the marker of its intent on if there is one, as in {@code android_startups}. Without a recorded type, slices of the app's main thread decide: {@code bindApplication} cold, otherwise {@code
 * activityStart} warm, otherwise {@code activityResume} hot.
 */
public final class AppStartupFinder {
    private static final String LAUNCHING_ACTIVITY = "launchingActivity#";
    private static final String COMPLETED = ":completed";
    private static final String LAUNCHING = "launching: ";
    private static final String INTENT = "MetricsLogger:launchObserverNotifyIntentStarted";

    private final Trace trace;
    private final Slices slices;
    private final Threads threads;
    private final Processes processes;
    private final ThreadRefFactory refs;

    public AppStartupFinder(Trace trace, ThreadRefFactory refs) {
        this.trace = trace;
        this.slices = trace.slices();
        this.threads = trace.threads();
        this.processes = trace.processes();
        this.refs = refs;
    }

    /** A marker of a completed startup. */
    private record Completed(String packageName, @Nullable String type) {}

    /** A startup by its slice and marker. */
    private record Launch(int id, int row, long startNs, Completed completed) {}

    /** Finds the startups; {@code frames} are all frames by time. */
    public List<AppStartup> find(List<Frame> frames) {
        SliceNameFilter launches =
                new SliceNameFilter(trace, name -> name.startsWith(LAUNCHING_ACTIVITY) || name.startsWith(LAUNCHING));
        List<Integer> activities = new ArrayList<>();
        List<Integer> launching = new ArrayList<>();
        launches.forEachAsync(row -> {
            if (slices.dur(row) > 0 && slices.name(row).indexOf(COMPLETED) < 0) {
                (slices.name(row).startsWith(LAUNCHING) ? launching : activities).add(row);
            }
        });
        List<Launch> found = new ArrayList<>();
        Map<Integer, List<Integer>> markers = new HashMap<>();
        for (int row : activities) {
            int number = number(slices.name(row).substring(LAUNCHING_ACTIVITY.length()));
            Completed completed =
                    completed(row, markers.computeIfAbsent(slices.upid(row), upid -> markers(upid, launches)));
            if (completed != null) {
                found.add(new Launch(number < 0 ? found.size() : number, row, slices.ts(row), completed));
            }
        }
        if (activities.isEmpty()) {
            long[] intents = new SliceNameFilter(trace, INTENT::equals)
                    .rows()
                    .mapToLong(slices::ts)
                    .sorted()
                    .toArray();
            for (int row : launching) {
                String name = slices.name(row).substring(LAUNCHING.length());
                found.add(new Launch(found.size(), row, startNs(row, launching, intents), new Completed(name, null)));
            }
        }
        return found.stream()
                .map(launch -> appStartup(launch, frames))
                .sorted(LongOrder.ascending(AppStartup::startNs))
                .toList();
    }

    /** The intent of a launch, if it is the only launch before the next intent and ends by then; otherwise the start of its slice. */
    private long startNs(int launch, List<Integer> launches, long[] intents) {
        long ts = slices.ts(launch);
        int next = BinarySearch.first(0, intents.length, i -> intents[i] > ts);
        if (next == 0) {
            return ts;
        }
        long intent = intents[next - 1];
        long until = next < intents.length ? intents[next] : Long.MAX_VALUE;
        long launched = launches.stream()
                .filter(row -> slices.ts(row) >= intent && slices.ts(row) <= until)
                .count();
        return launched == 1 && slices.endNs(launch) <= until ? intent : ts;
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /** The markers of all threads of a process. */
    private List<Integer> markers(int upid, SliceNameFilter launches) {
        List<Integer> found = new ArrayList<>();
        for (int utid = 0; utid < threads.size(); utid++) {
            if (threads.upid(utid) == upid) {
                launches.forEachOf(utid, found::add);
            }
        }
        return found;
    }

    private @Nullable Completed completed(int launch, List<Integer> markers) {
        String prefix = slices.name(launch) + COMPLETED;
        for (int row : markers) {
            String name = slices.name(row);
            int colon = name.indexOf(':', Math.min(name.length(), prefix.length()));
            if (name.startsWith(prefix) && colon >= 0 && slices.ts(row) >= slices.ts(launch)) {
                String type = name.startsWith("-", prefix.length()) ? name.substring(prefix.length() + 1, colon) : null;
                return new Completed(name.substring(colon + 1), type);
            }
        }
        return null;
    }

    private AppStartup appStartup(Launch launch, List<Frame> frames) {
        Completed completed = launch.completed;
        long start = launch.startNs;
        long end = slices.endNs(launch.row);
        int upid = process(completed.packageName, start, end);
        int main = upid < 0 ? -1 : processes.mainThread(upid);
        Frame firstFrame = upid < 0 ? null : firstFrame(upid, start, end, frames);
        long until = firstFrame == null ? end : firstFrame.endNs();
        String type = completed.type != null || main < 0 ? completed.type : type(main, start, end);
        return new AppStartup(
                launch.id,
                completed.packageName,
                type,
                start,
                end - start,
                main < 0 ? null : refs.during(main, start, end, null),
                until,
                firstFrame != null,
                List.of());
    }

    /**
     * The live process of a package at the end of its startup; the youngest of several. Only the kernel's name of the main thread may be
     * known: systrace has no process names, and a new process first has the name of its parent.
     */
    private int process(String packageName, long from, long to) {
        int found = -1;
        for (int upid = 0; upid < processes.size(); upid++) {
            int main = processes.mainThread(upid);
            boolean lives = main >= 0 && threads.startNs(main) < to && threads.endNs(main) > from;
            if (lives && mayBeNamed(packageName, upid, main) && (found < 0 || isLikelier(upid, found, packageName))) {
                found = upid;
            }
        }
        return found;
    }

    private boolean isLikelier(int upid, int other, String packageName) {
        int byAge =
                Long.compare(threads.startNs(processes.mainThread(upid)), threads.startNs(processes.mainThread(other)));
        boolean isNamed = packageName.equals(processes.name(upid)) || !packageName.equals(processes.name(other));
        return byAge > 0 || (byAge == 0 && isNamed);
    }

    /** Several packages may have the same end: a process name with that end is the whole name. */
    private boolean mayBeNamed(String packageName, int upid, int main) {
        String comm = threads.name(main);
        String name = processes.name(upid);
        boolean isWhole = name != null && !name.equals(comm) && ThreadNameMatcher.isEnd(name, comm);
        return packageName.equals(name) || (!isWhole && ThreadNameMatcher.isEnd(packageName, comm));
    }

    private @Nullable String type(int main, long from, long to) {
        String type = null;
        for (int row = slices.firstAfter(main, from - 1); row < slices.end(main) && slices.ts(row) < to; row++) {
            if (slices.depth(row) <= 1) {
                switch (slices.name(row)) {
                    case "bindApplication" -> {
                        return "cold";
                    }
                    case "activityStart" -> type = "warm";
                    case "activityResume" -> type = type == null ? "hot" : type;
                    default -> {}
                }
            }
        }
        return type;
    }

    private static @Nullable Frame firstFrame(int upid, long from, long to, List<Frame> frames) {
        for (Frame frame : frames) {
            if (frame.upid() == upid && frame.startNs() >= from && frame.startNs() < to) {
                return frame;
            }
        }
        return null;
    }
}
