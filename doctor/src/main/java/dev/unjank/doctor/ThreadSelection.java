package dev.unjank.doctor;

import dev.unjank.trace.Processes;
import dev.unjank.trace.Threads;
import dev.unjank.trace.Trace;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The threads of a trace that a user asked for. */
final class ThreadSelection {
    private static final int MOST_HINTS = 5;

    private final Threads threads;
    private final Processes processes;
    private final DoctorOptions options;

    ThreadSelection(Trace trace, DoctorOptions options) {
        this.threads = trace.threads();
        this.processes = trace.processes();
        this.options = options;
    }

    /**
     * {@return the utids that fit, ascending}
     */
    int[] utids() {
        return IntStream.range(1, threads.size())
                .filter(utid -> fitsProcess(utid) && fitsThread(utid))
                .toArray();
    }

    /**
     * {@return whether a thread is of a process that was asked for}
     */
    boolean fitsProcess(int utid) {
        return isOfInterest(threads.upid(utid));
    }

    /**
     * {@return whether a process was asked for}
     */
    boolean isOfInterest(int upid) {
        return options.process() == null || isProcess(upid, options.process());
    }

    private boolean isProcess(int upid, String wanted) {
        return upid >= 0
                && (wanted.equals(processes.name(upid)) || wanted.equals(Integer.toString(processes.pid(upid))));
    }

    private boolean fitsThread(int utid) {
        String wanted = options.thread();
        return switch (wanted) {
            case DoctorOptions.ALL_THREADS -> true;
            case DoctorOptions.MAIN_THREADS -> threads.isMain(utid) || isInJvm(utid);
            default ->
                wanted.equals(Integer.toString(threads.tid(utid)))
                        || ThreadNames.agree(wanted, threads.name(utid))
                        || (threads.isMain(utid) && isProcess(threads.upid(utid), wanted));
        };
    }

    /** A Java virtual machine has no thread that draws: whoever waits there may be the one that somebody waits for. */
    private boolean isInJvm(int utid) {
        return threads.upid(utid) >= 0 && processes.isJvm(threads.upid(utid));
    }

    /**
     * {@return why no thread fits, in one line}
     */
    String whyNone() {
        Set<String> similar = new TreeSet<>();
        String process = options.process();
        if (process != null && IntStream.range(0, processes.size()).noneMatch(upid -> isProcess(upid, process))) {
            for (int upid = 0; upid < processes.size(); upid++) {
                addIfSimilar(similar, processes.name(upid), process);
            }
            return "the trace shows no process \"" + process + "\"" + hint(similar);
        }
        String where = process == null ? "the trace" : "process " + process;
        if (options.thread().equals(DoctorOptions.MAIN_THREADS)) {
            return where + " shows no main thread";
        }
        for (int utid = 1; utid < threads.size(); utid++) {
            if (fitsProcess(utid)) {
                addIfSimilar(similar, threads.name(utid), options.thread());
            }
        }
        return where + " shows no thread \"" + options.thread() + "\"" + hint(similar);
    }

    private static void addIfSimilar(Set<String> similar, @Nullable String name, String wanted) {
        if (name != null
                && !wanted.isEmpty()
                && name.toLowerCase(Locale.ROOT).contains(wanted.toLowerCase(Locale.ROOT))) {
            similar.add(name);
        }
    }

    private static String hint(Set<String> similar) {
        return similar.isEmpty()
                ? ""
                : similar.stream().limit(MOST_HINTS).collect(Collectors.joining(", ", "; similar names: ", ""));
    }
}
