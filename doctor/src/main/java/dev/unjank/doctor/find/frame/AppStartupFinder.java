package dev.unjank.doctor.find.frame;

import dev.unjank.doctor.find.thread.ThreadNameMatcher;
import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.model.AppStartup;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.LongOrder;
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
 * Finds the starts of apps. From Android 12 on an asynchronous slice of the system's server, {@code launchingActivity#N}, is one
 * if a mark {@code launchingActivity#N:completed:PACKAGE} or {@code :completed-TYPE:PACKAGE} follows; before, each slice {@code
 * launching: PACKAGE} is one. Where the mark has no type, it is seen from what the main thread of the app did: {@code
 * bindApplication} cold, else {@code activityStart} warm, else {@code activityResume} hot.
 */
public final class AppStartupFinder {
    private static final String LAUNCHING_ACTIVITY = "launchingActivity#";
    private static final String COMPLETED = ":completed";
    private static final String LAUNCHING = "launching: ";

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

    /** What the marks say of a start. */
    private record Completed(String packageName, @Nullable String type) {}

    /** A start, as it is told of. */
    private record Launch(int id, int row, Completed completed) {}

    /** Finds the starts; {@code frames} are all frames in order of time. */
    public List<AppStartup> find(List<Frame> frames) {
        SliceNameFilter launches =
                new SliceNameFilter(trace, name -> name.startsWith(LAUNCHING_ACTIVITY) || name.startsWith(LAUNCHING));
        List<Integer> activities = new ArrayList<>();
        List<Integer> launching = new ArrayList<>();
        int end = slices.size();
        for (int row = launches.next(slices.firstAsync(), end); row < end; row = launches.next(row + 1, end)) {
            if (slices.dur(row) > 0 && slices.name(row).indexOf(COMPLETED) < 0) {
                (slices.name(row).startsWith(LAUNCHING) ? launching : activities).add(row);
            }
        }
        List<Launch> found = new ArrayList<>();
        Map<Integer, List<Integer>> marks = new HashMap<>();
        for (int row : activities) {
            int number = number(slices.name(row).substring(LAUNCHING_ACTIVITY.length()));
            Completed completed =
                    completed(row, marks.computeIfAbsent(slices.upid(row), upid -> marks(upid, launches)));
            if (completed != null) {
                found.add(new Launch(number < 0 ? found.size() : number, row, completed));
            }
        }
        if (activities.isEmpty()) {
            for (int row : launching) {
                String name = slices.name(row).substring(LAUNCHING.length());
                found.add(new Launch(found.size(), row, new Completed(name, null)));
            }
        }
        return found.stream()
                .map(launch -> appStartup(launch, frames))
                .sorted(LongOrder.ascending(AppStartup::startNs))
                .toList();
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /** The marks that launches were completed, of all threads of a process. */
    private List<Integer> marks(int upid, SliceNameFilter launches) {
        List<Integer> found = new ArrayList<>();
        for (int utid = 0; utid < threads.size(); utid++) {
            int end = threads.upid(utid) == upid ? slices.end(utid) : 0;
            for (int row = launches.next(slices.first(utid), end); row < end; row = launches.next(row + 1, end)) {
                found.add(row);
            }
        }
        return found;
    }

    private @Nullable Completed completed(int launch, List<Integer> marks) {
        String beginning = slices.name(launch) + COMPLETED;
        for (int row : marks) {
            String name = slices.name(row);
            int colon = name.indexOf(':', Math.min(name.length(), beginning.length()));
            if (name.startsWith(beginning) && colon >= 0 && slices.ts(row) >= slices.ts(launch)) {
                String type =
                        name.startsWith("-", beginning.length()) ? name.substring(beginning.length() + 1, colon) : null;
                return new Completed(name.substring(colon + 1), type);
            }
        }
        return null;
    }

    private AppStartup appStartup(Launch launch, List<Frame> frames) {
        Completed completed = launch.completed;
        long start = slices.ts(launch.row);
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
     * The process of a package that is there at the end of its start; the youngest of several. A process may be known by no more than the
     * kernel's name of its main thread: text of systrace tells no names of processes, and a new process has its parent's at first.
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

    /** Several names may end alike: where the process's own is one of them, it is the whole one. */
    private boolean mayBeNamed(String packageName, int upid, int main) {
        String comm = threads.name(main);
        String name = processes.name(upid);
        boolean isWhole = name != null && !name.equals(comm) && ThreadNameMatcher.isEnd(name, comm);
        return packageName.equals(name) || (!isWhole && ThreadNameMatcher.isEnd(packageName, comm));
    }

    private @Nullable String type(int main, long from, long to) {
        String type = null;
        for (int row = firstAt(main, from); row < slices.end(main) && slices.ts(row) < to; row++) {
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

    private int firstAt(int utid, long ts) {
        int low = slices.first(utid);
        int high = slices.end(utid);
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (slices.ts(middle) < ts) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
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
