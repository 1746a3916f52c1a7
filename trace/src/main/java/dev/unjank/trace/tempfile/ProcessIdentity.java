package dev.unjank.trace.tempfile;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A process of this PID namespace. The start time distinguishes it from a later process with the same pid. For names of
 * things that a killed process leaves behind.
 *
 * @param pid the process id
 * @param start the start time, in clock ticks since boot; 0 if unknown
 */
public record ProcessIdentity(String pid, String start) {
    private static final Path PROC = Path.of("/proc");

    /** The index of the start time among the fields of /proc/PID/stat after the command name. */
    private static final int START_FIELD = 19;

    /** {@return the process with a pid} */
    public static ProcessIdentity of(long pid) {
        String start = start(Long.toString(pid));
        return new ProcessIdentity(Long.toString(pid), start == null ? "0" : start);
    }

    /** {@return whether the process has ended; false if unknown} */
    public boolean hasEnded() {
        String now = start(pid);
        return now == null ? !Files.exists(PROC.resolve(pid)) : !now.equals(start);
    }

    /** The start time of a process; empty if it has ended, null if there is none or the time cannot be read. */
    private static @Nullable String start(String pid) {
        try {
            String stat = Files.readString(PROC.resolve(pid).resolve("stat"), StandardCharsets.ISO_8859_1);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            boolean hasEnded = fields[0].equals("Z") || fields[0].equals("X");
            return hasEnded ? "" : fields[START_FIELD];
        } catch (IOException | RuntimeException _) {
            return null;
        }
    }
}
