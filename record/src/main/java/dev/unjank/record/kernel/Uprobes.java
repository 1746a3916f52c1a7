package dev.unjank.record.kernel;

import dev.unjank.record.lifecycle.Cleanup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The kernel's uprobes of this recording: each is an event for an instruction of a library, in an event group of the
 * recording. The kernel's list of uprobes is global: lines are only appended, and only lines of this recording are
 * removed.
 *
 * <p>While such an event is enabled, it costs every process that uses the library a microsecond or two per execution of
 * the instruction.
 */
final class Uprobes implements AutoCloseable {
    private static final String LIST = "uprobe_events";
    private static final RecorderNames NAMES = new RecorderNames("_");

    private final TraceFs fs;
    private final String group;
    private final List<String> names = new ArrayList<>();

    Uprobes(TraceFs fs) {
        this.fs = fs;
        group = NAMES.next();
    }

    /** Whether this kernel has uprobes, and this process may add them. */
    static boolean areAvailable(TraceFs fs) {
        return Files.isWritable(fs.root.resolve(LIST));
    }

    /**
     * Adds a uprobe in a file of this process's namespace. Returns the event, as {@link TraceInstance#enable} takes it.
     */
    String add(String name, Path library, long offset) throws IOException {
        append(fs, "p:%s/%s %s:0x%x".formatted(group, name, library, offset));
        names.add(name);
        return group + "/" + name;
    }

    /** Removes the uprobes. The kernel refuses to do this while a uprobe is enabled in any instance. */
    @Override
    public void close() throws IOException {
        Cleanup cleanup = new Cleanup();
        for (String name : names) {
            cleanup.then(() -> append(fs, "-:" + group + "/" + name));
        }
        names.clear();
        cleanup.finish();
    }

    /** Appends a line: a truncating write would remove the uprobes of all tracers. */
    private static void append(TraceFs fs, String line) throws IOException {
        try {
            Files.writeString(fs.root.resolve(LIST), line + "\n", StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new IOException("cannot write \"" + line + "\" to uprobe_events: " + e.getMessage(), e);
        }
    }

    /** Removes the uprobes of killed recorders. */
    static void removeStale(TraceFs fs) throws IOException {
        if (!areAvailable(fs)) {
            return;
        }
        for (String line : Files.readAllLines(fs.root.resolve(LIST))) {
            int colon = line.indexOf(':');
            int slash = line.indexOf('/');
            int space = line.indexOf(' ');
            if (colon >= 0 && slash > colon && space > slash && NAMES.isStale(line.substring(colon + 1, slash))) {
                try {
                    append(fs, "-:" + line.substring(colon + 1, space));
                } catch (IOException e) {
                    // in use, or already removed
                }
            }
        }
    }
}
