package dev.unjank.record.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a process is not running: a signal or a debugger has stopped it, or its control group is frozen, as in
 * a paused container.
 *
 * @param reason the reason, as a predicate of the process
 */
public record StoppedProcess(String reason, String remedy) {
    private static final Path PROC = Path.of("/proc");
    private static final Path GROUPS = Path.of("/sys/fs/cgroup");

    /** The mount points of cgroup v2: alone, or beside v1. */
    private static final List<String> SECOND = List.of("", "/unified");

    /**
     * The reason why a process is stopped or frozen; null if it may run, has ended, or its control group is not visible
     * here.
     */
    public static @Nullable StoppedProcess of(int pid) {
        return of(pid, PROC, GROUPS);
    }

    /** Checks with other mount points, for tests. */
    static @Nullable StoppedProcess of(int pid, Path proc, Path groups) {
        char state = new Proc(proc).state(pid);
        if (state == 'T' || state == 't') {
            return new StoppedProcess("is stopped, by a signal or a debugger", "resume it: kill -CONT " + pid);
        }
        try {
            for (String line : ProcFile.text(proc.resolve(Integer.toString(pid)).resolve("cgroup"))
                    .split("\n", -1)) {
                String[] fields = line.split(":", 3); // number, controllers, path
                if (fields.length == 3 && isBelowRoot(fields[2]) && isFrozen(fields[1], fields[2], groups)) {
                    return new StoppedProcess(
                            "is frozen with its control group " + fields[2],
                            "unfreeze the control group; for a container use docker unpause");
                }
            }
        } catch (IOException e) {
            return null; // the process has ended
        }
        return null;
    }

    /** The reason why the process does not answer, for users. */
    public String message(int pid) {
        return "process " + pid + " " + reason + ", and does not answer";
    }

    /**
     * Whether a group is in this process's cgroup namespace. Others have paths that begin with {@code /..}, which would
     * lead out of the cgroup file system, perhaps to a pipe.
     */
    private static boolean isBelowRoot(String group) {
        return !List.of(group.split("/", -1)).contains("..");
    }

    private static boolean isFrozen(String controllers, String group, Path groups) throws IOException {
        if (controllers.isEmpty()) {
            for (String mount : SECOND) {
                if (text(Path.of(groups + mount + group, "cgroup.events")).contains("frozen 1\n")) {
                    return true;
                }
            }
            return false;
        }
        return List.of(controllers.split(",", -1)).contains("freezer")
                && text(Path.of(groups + "/freezer" + group, "freezer.state")).equals("FROZEN\n");
    }

    private static String text(Path file) throws IOException {
        return Files.isReadable(file) ? ProcFile.text(file) : "";
    }
}
