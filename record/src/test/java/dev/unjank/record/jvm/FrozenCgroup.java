package dev.unjank.record.jvm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A control group with one process, to be frozen as a container is paused. */
final class FrozenCgroup implements AutoCloseable {
    private static final Path GROUPS = Path.of("/sys/fs/cgroup");

    private final Path folder;
    private final int pid;
    private final Version version;

    /** The files and values that freeze a group, and that report it, for each cgroup version. */
    enum Version {
        FIRST("freezer.state", "FROZEN", "THAWED", "freezer.state", "FROZEN"),
        SECOND("cgroup.freeze", "1", "0", "cgroup.events", "frozen 1");

        private final String file;
        private final String freeze;
        private final String thaw;
        private final String state;
        private final String frozen;

        Version(String file, String freeze, String thaw, String state, String frozen) {
            this.file = file;
            this.freeze = freeze;
            this.thaw = thaw;
            this.state = state;
            this.frozen = frozen;
        }

        private @Nullable Path root() {
            List<Path> places =
                    this == FIRST ? List.of(GROUPS.resolve("freezer")) : List.of(GROUPS.resolve("unified"), GROUPS);
            String file = this == FIRST ? "cgroup.procs" : "cgroup.controllers";
            return places.stream()
                    .filter(place -> Files.exists(place.resolve(file)) && Files.isWritable(place))
                    .findFirst()
                    .orElse(null);
        }
    }

    private FrozenCgroup(Path folder, int pid, Version version) {
        this.folder = folder;
        this.pid = pid;
        this.version = version;
    }

    /** Puts a process into a group of its own; null where that cannot be done. */
    static @Nullable FrozenCgroup of(int pid, Version version) {
        Path root = version.root();
        if (root == null) {
            return null;
        }
        try {
            FrozenCgroup group =
                    new FrozenCgroup(Files.createDirectory(root.resolve("unjank-test-" + pid)), pid, version);
            group.set("cgroup.procs", Integer.toString(pid));
            return group;
        } catch (IOException e) {
            return null;
        }
    }

    String name() {
        return "/" + folder.getFileName();
    }

    void freeze() throws IOException {
        set(version.file, version.freeze);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!Files.readString(folder.resolve(version.state)).contains(version.frozen)) {
            if (System.nanoTime() - end > 0) {
                throw new IOException(folder + " does not freeze");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    void thaw() throws IOException {
        set(version.file, version.thaw);
    }

    private void set(String file, String value) throws IOException {
        Files.writeString(folder.resolve(file), value);
    }

    /** Lets the process go on, and leave. */
    @Override
    public void close() throws IOException {
        thaw();
        Files.writeString(folder.resolveSibling("cgroup.procs"), Integer.toString(pid));
        Files.delete(folder);
    }
}
