package dev.unjank.record.kernel;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Has the kernel itself pass over events of threads that are none of the target's, so that these cost nobody anything and do not fill
 * the buffers. The threads are told to it one by one, which has a limit: of a target with hundreds of threads all events are taken, and sorted
 * out when they are read. A new thread's are taken from the next round on, a few hundredths of a second later.
 */
final class ThreadFilter {
    /** The kernel takes a page of text. */
    private static final int LONGEST = 4000;

    /** What the kernel takes for no filter. */
    private static final String NONE = "0";

    private final TraceInstance instance;
    private final TracedThreads watched;
    private final List<String> events;
    private String current = NONE;
    private int seen = -1;

    ThreadFilter(TraceInstance instance, TracedThreads watched, List<String> events) {
        this.instance = instance;
        this.watched = watched;
        this.events = events;
    }

    /** Tells the kernel of threads that have come and gone. */
    void update() throws IOException {
        if (seen == watched.changes()) {
            return;
        }
        seen = watched.changes();
        String text = watched.threads().stream()
                .sorted()
                .map(tid -> "common_pid == " + tid)
                .collect(Collectors.joining(" || "));
        String filter = text.isEmpty() || text.length() > LONGEST ? NONE : text;
        if (!filter.equals(current)) {
            current = filter;
            for (String event : events) {
                instance.filter(event, filter);
            }
        }
    }
}
