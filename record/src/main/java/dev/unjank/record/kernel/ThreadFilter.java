package dev.unjank.record.kernel;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Sets event filters in the kernel, so that events of other processes' threads do not cost time or fill the buffers.
 * The length of a filter is limited: with hundreds of threads all events are recorded, and filtered when they are read.
 * Events of a new thread are recorded from the next round on.
 */
final class ThreadFilter {
    private static final String CONDITION = "common_pid == ";
    private static final String SEPARATOR = " || ";

    /** The maximum length of a filter, which must fit into a page. */
    private static final int LONGEST = 4000;

    /** The maximum number of threads in such a filter, if their ids have one digit. */
    private static final int MOST_THREADS = (LONGEST + SEPARATOR.length()) / (CONDITION + "1" + SEPARATOR).length();

    /** The kernel's value for no filter. */
    private static final String NONE = "0";

    private final TraceInstance instance;
    private final TracedThreads traced;
    private final List<String> events;
    private String current = NONE;
    private int seen = -1;

    ThreadFilter(TraceInstance instance, TracedThreads traced, List<String> events) {
        this.instance = instance;
        this.traced = traced;
        this.events = events;
    }

    /** Updates the filters after a change of the threads. */
    void update() throws IOException {
        if (seen == traced.changes() || events.isEmpty()) {
            return;
        }
        seen = traced.changes();
        String filter = filter();
        if (!filter.equals(current)) {
            current = filter;
            for (String event : events) {
                instance.filter(event, filter);
            }
        }
    }

    private String filter() {
        if (traced.threads().size() > MOST_THREADS) {
            return NONE; // a target with thousands of threads may start some in every round
        }
        String text =
                traced.threads().stream().sorted().map(tid -> CONDITION + tid).collect(Collectors.joining(SEPARATOR));
        return text.isEmpty() || text.length() > LONGEST ? NONE : text;
    }
}
