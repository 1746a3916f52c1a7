package dev.unjank.record.kernel;

import dev.unjank.record.lifecycle.Cleanup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Places in a library at which the kernel notes who comes by: each becomes an event of its tracing, in a group of this recording's own.
 * The list of them is the whole machine's; lines are only added to it, and those added are taken out again.
 *
 * <p>While somebody has such an event switched on, every process that uses the library stops there for a microsecond or two, whoever is
 * recorded.
 */
final class Uprobes implements AutoCloseable {
    private static final String LIST = "uprobe_events";
    private static final String PREFIX = "unjank_";
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final TraceFs fs;
    private final String group;
    private final List<String> names = new ArrayList<>();

    /** A group without any place. */
    Uprobes(TraceFs fs) {
        this.fs = fs;
        group = PREFIX + ProcessHandle.current().pid() + "_" + COUNT.incrementAndGet();
    }

    /** Whether this kernel has such events, and this process may make them. */
    static boolean areAvailable(TraceFs fs) {
        return Files.isWritable(fs.root.resolve(LIST));
    }

    /**
     * Adds a place.
     *
     * @param name of the event
     * @param library the file, as this process sees it
     * @param offset of the instruction in the file
     * @return the event, as {@link TraceInstance#enable} takes it
     */
    String add(String name, Path library, long offset) throws IOException {
        tell(fs, "p:%s/%s %s:0x%x".formatted(group, name, library, offset));
        names.add(name);
        return group + "/" + name;
    }

    /** Takes all out again. The kernel refuses that as long as somebody has one switched on. */
    @Override
    public void close() throws IOException {
        Cleanup ending = new Cleanup();
        for (String name : names) {
            ending.then(() -> tell(fs, "-:" + group + "/" + name));
        }
        names.clear();
        ending.finish();
    }

    /** A write that does not append would take out everybody's. */
    private static void tell(TraceFs fs, String line) throws IOException {
        try {
            Files.writeString(fs.root.resolve(LIST), line + "\n", StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new IOException("the kernel refuses \"" + line + "\": " + e.getMessage(), e);
        }
    }

    /** Takes out what recorders left behind that were killed. */
    static void removeStale(TraceFs fs) throws IOException {
        if (!areAvailable(fs)) {
            return;
        }
        for (String line : Files.readAllLines(fs.root.resolve(LIST))) {
            int colon = line.indexOf(':');
            int space = line.indexOf(' ');
            if (colon >= 0 && space > colon && line.startsWith(PREFIX, colon + 1)) {
                String event = line.substring(colon + 1, space);
                int pidEnds = Math.max(PREFIX.length(), event.indexOf('_', PREFIX.length()));
                if (!TraceFs.isAlive(event.substring(PREFIX.length(), pidEnds))) {
                    try {
                        tell(fs, "-:" + event);
                    } catch (IOException e) {
                        // somebody uses it after all, or was quicker
                    }
                }
            }
        }
    }
}
