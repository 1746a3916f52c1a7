package dev.unjank.record.kernel;

import dev.unjank.record.linux.FileCalls;
import dev.unjank.record.linux.Libc;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's tracing file system (tracefs). If it is not mounted, it is mounted for the time of the recording, if
 * permitted. Such a mount has the recorder's name as its source. The last of several recorders unmounts it; the mount
 * of a killed recorder is unmounted by the next recorder.
 */
class TraceFs {
    /** The usual mount point since Linux 4.1. */
    static final Path USUAL = Path.of("/sys/kernel/tracing");

    private static final Path MOUNTS = Path.of("/proc/self/mounts");
    private static final String TYPE = "tracefs";

    /** The source of a recorder's mount. */
    static final String RECORDER = "unjank";

    final Path root;

    /** The number of attempts, since recorders may mount and unmount it concurrently. */
    private static final int MOST_LOOKS = 10;

    private static final int NONE = -1;

    /** Whether a recorder has mounted it. */
    private boolean isOurs;

    /** An open file in it, which prevents other recorders from unmounting it. */
    private int held = NONE;

    /** A file system that is mounted already. */
    TraceFs(Path root) {
        this.root = root;
    }

    /** Reads the table of mounts. */
    interface Mounts {
        String read() throws IOException;
    }

    /** Finds the file system, or mounts it. It stays mounted until {@link #release}. */
    static TraceFs find() throws IOException {
        return find(() -> Files.readString(MOUNTS));
    }

    static TraceFs find(Mounts mounts) throws IOException {
        for (int look = 1; ; look++) {
            try {
                TraceFs mounted = mounted(mounts.read());
                TraceFs fs = mounted == null ? mount() : mounted;
                fs.hold();
                return fs;
            } catch (IOException e) {
                if (look == MOST_LOOKS) { // otherwise another recorder may have mounted or unmounted it meanwhile
                    throw e;
                }
            }
        }
    }

    private static TraceFs mount() throws IOException {
        if (!Files.isDirectory(USUAL)) {
            throw new IOException(
                    USUAL + " not found: the kernel was built without tracing, or tracefs is not visible here");
        }
        Libc.mount(RECORDER, TYPE, USUAL.toString());
        TraceFs fs = new TraceFs(USUAL);
        fs.isOurs = true;
        return fs;
    }

    private void hold() throws IOException {
        if (isOurs) {
            held = Libc.openForReading(root.resolve("README").toString());
        }
    }

    /** The file system in a mount table, null if there is none. */
    static @Nullable TraceFs mounted(String mounts) {
        for (String line : mounts.split("\n", -1)) {
            String[] fields = line.split(" ", -1);
            if (fields.length > 2 && fields[2].equals(TYPE)) {
                TraceFs fs = new TraceFs(Path.of(fields[1].replace("\\040", " ")));
                fs.isOurs = fields[0].equals(RECORDER);
                return fs;
            }
        }
        return null;
    }

    /** Whether this recorder or another one has mounted it. */
    boolean isOurs() {
        return isOurs;
    }

    /** Unmounts the file system if a recorder mounted it and it is no longer in use. */
    void release() {
        if (held != NONE) {
            FileCalls.close(held);
            held = NONE;
        }
        if (isOurs) {
            isOurs = !Libc.unmount(root.toString());
        }
    }

    /** Whether the kernel has an event. */
    boolean has(String event) {
        return Files.exists(formatFile(event));
    }

    /** The layout of an event. */
    EventFormat format(String event) throws IOException {
        return EventFormat.parse(Files.readString(formatFile(event)));
    }

    private Path formatFile(String event) {
        return root.resolve("events").resolve(event).resolve("format");
    }

    /** The layout of ring buffer pages. */
    PageLayout pageLayout() throws IOException {
        return PageLayout.parse(readAtOnce(root.resolve("events").resolve("header_page")));
    }

    /** Reads a short file with one call: for this file the kernel returns nothing to a second read. */
    private static String readAtOnce(Path file) throws IOException {
        byte[] bytes = new byte[4096];
        try (InputStream in = Files.newInputStream(file)) {
            int length = in.read(bytes);
            return new String(bytes, 0, Math.max(0, length), StandardCharsets.UTF_8);
        }
    }

    Path createInstance(String name) throws IOException {
        return Files.createDirectory(root.resolve("instances").resolve(name));
    }

    /** Removes an instance. A missing folder is an error if the file system has been unmounted. */
    void removeInstance(Path folder) throws IOException {
        if (!Files.deleteIfExists(folder) && !Files.isDirectory(root.resolve("instances"))) {
            throw new IOException("the tracing file system has been unmounted");
        }
    }

    /** Whether this process may create instances. */
    boolean isWritable() {
        return Files.isWritable(root.resolve("instances"));
    }

    /**
     * Removes instances and probes of killed recorders. The kernel refuses to remove an instance with open files, so
     * the instance of a running recorder in another pid namespace is safe, too.
     */
    void removeStale() throws IOException {
        removeStaleInstances();
        Uprobes.removeStale(this);
    }

    private void removeStaleInstances() throws IOException {
        try (DirectoryStream<Path> instances = Files.newDirectoryStream(root.resolve("instances"))) {
            for (Path instance : instances) {
                if (TraceInstance.NAMES.isStale(instance.getFileName().toString())) {
                    try {
                        Files.delete(instance);
                    } catch (IOException e) {
                        // in use, or already removed
                    }
                }
            }
        }
    }
}
