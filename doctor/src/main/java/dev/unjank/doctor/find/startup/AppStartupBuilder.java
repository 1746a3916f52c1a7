package dev.unjank.doctor.find.startup;

import dev.unjank.doctor.find.thread.ThreadNameMatcher;
import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.model.AppStartup;
import dev.unjank.doctor.model.Frame;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Describes the startups of {@link StartupSliceFinder}: the process, the first frame, and the type. Without a recorded
 * type, slices of the app's main thread decide: {@code bindApplication} cold, otherwise {@code activityStart} warm,
 * otherwise {@code activityResume} hot.
 */
public final class AppStartupBuilder {
    private final Trace trace;
    private final Slices slices;
    private final Threads threads;
    private final Processes processes;
    private final ThreadRefFactory refs;

    public AppStartupBuilder(Trace trace, ThreadRefFactory refs) {
        this.trace = trace;
        this.slices = trace.slices();
        this.threads = trace.threads();
        this.processes = trace.processes();
        this.refs = refs;
    }

    /** Finds the startups of known apps that ended; {@code frames} are all frames by time. */
    public List<AppStartup> find(List<Frame> frames) {
        List<AppStartup> found = new ArrayList<>();
        for (Startup startup : new StartupSliceFinder(trace).find()) {
            String app = startup.app();
            if (app != null && startup.end() > startup.ts()) {
                found.add(appStartup(startup, app, frames));
            }
        }
        return found;
    }

    private AppStartup appStartup(Startup startup, String app, List<Frame> frames) {
        long start = startup.ts();
        long end = startup.end();
        int upid = process(app, start, end);
        int main = upid < 0 ? -1 : processes.mainThread(upid);
        Frame firstFrame = upid < 0 ? null : firstFrame(upid, start, end, frames);
        long until = firstFrame == null ? end : firstFrame.endNs();
        String type = startup.type() != null || main < 0 ? startup.type() : type(main, start, end);
        return new AppStartup(
                startup.id(),
                app,
                type,
                start,
                end - start,
                main < 0 ? null : refs.during(main, start, end, null),
                until,
                firstFrame != null,
                List.of());
    }

    /**
     * The live process of a package at the end of its startup; the youngest of several. Only the kernel's name of the
     * main thread may be known: systrace has no process names, and a new process first has the name of its parent.
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
