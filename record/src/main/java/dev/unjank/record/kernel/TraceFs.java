package dev.unjank.record.kernel;

import dev.unjank.record.linux.Libc;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's tracing file system. It is used where it is mounted; where it is not, and this process may, it is mounted for as
 * long as the recording lasts. Such a mount bears the recorder's name, so that of several recorders the last one removes it, and the next one
 * that of a recorder that was killed.
 */
class TraceFs {
    /** Where Linux has it since 4.1. */
    static final Path USUAL = Path.of("/sys/kernel/tracing");

    private static final Path MOUNTS = Path.of("/proc/self/mounts");
    private static final String TYPE = "tracefs";

    /** Stands where other mounts have a device. */
    static final String RECORDER = "unjank";

    final Path root;

    /** One that recorders mount and unmount at the same moment is looked for this often. */
    private static final int MOST_LOOKS = 10;

    private static final int NONE = -1;

    /** Whether a recorder has mounted it. */
    private boolean isOurs;

    /** Of a file in it: while that is open, the kernel lets no other recorder unmount it. */
    private int held = NONE;

    /** A file system that is mounted already. */
    TraceFs(Path root) {
        this.root = root;
    }

    /** Reads the table of mounts. */
    interface Mounts {
        String read() throws IOException;
    }

    /**
     * Finds it, or mounts it. It stays until it is released, though another recorder may have mounted it.
     *
     * @throws IOException if it is not there and cannot be mounted, with a message that says so
     */
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
                if (look == MOST_LOOKS) { // else another recorder may have mounted or unmounted it in the meantime
                    throw e;
                }
            }
        }
    }

    private static TraceFs mount() throws IOException {
        if (!Files.isDirectory(USUAL)) {
            throw new IOException("this kernel has no tracing, or hides it: there is no " + USUAL);
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

    /** The one that a table of mounts has, null if there is none. */
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

    /** Whether a recorder has mounted it, this one or another. */
    boolean isOurs() {
        return isOurs;
    }

    /** Unmounts it again if a recorder mounted it and nobody uses it any more. */
    void release() {
        if (held != NONE) {
            Libc.close(held);
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

    /** Where the fields of an event are. */
    EventFormat format(String event) throws IOException {
        return EventFormat.parse(Files.readString(formatFile(event)));
    }

    private Path formatFile(String event) {
        return root.resolve("events").resolve(event).resolve("format");
    }

    /** How the pages of the buffers are laid out. */
    PageLayout pageLayout() throws IOException {
        return PageLayout.parse(readAtOnce(root.resolve("events").resolve("header_page")));
    }

    /** Reads a short file in one go: the kernel gives this one's text to the first read and nothing to a second. */
    private static String readAtOnce(Path file) throws IOException {
        byte[] bytes = new byte[4096];
        try (InputStream in = Files.newInputStream(file)) {
            int length = in.read(bytes);
            return new String(bytes, 0, Math.max(0, length), StandardCharsets.UTF_8);
        }
    }

    /** Makes an instance: the kernel fills its folder at once. */
    Path createInstance(String name) throws IOException {
        return Files.createDirectory(root.resolve("instances").resolve(name));
    }

    /**
     * Removes one: for the kernel its folder is empty. One that is not there may be out of reach only.
     */
    void removeInstance(Path folder) throws IOException {
        if (!Files.deleteIfExists(folder) && !Files.isDirectory(root.resolve("instances"))) {
            throw new IOException("the tracing file system has been unmounted");
        }
    }

    /** Whether instances can be made by this process. */
    boolean isWritable() {
        return Files.isWritable(root.resolve("instances"));
    }

    /**
     * Removes what recorders left behind that were killed. The kernel refuses to remove an instance whose files somebody has open,
     * so that of a living recorder is safe whatever its process is called here.
     */
    void removeStale() throws IOException {
        removeStaleInstances();
        Uprobes.removeStale(this);
    }

    private void removeStaleInstances() throws IOException {
        try (DirectoryStream<Path> instances =
                Files.newDirectoryStream(root.resolve("instances"), TraceInstance.PREFIX + "*")) {
            for (Path instance : instances) {
                if (!isOfALivingProcess(instance.getFileName().toString())) {
                    try {
                        Files.delete(instance);
                    } catch (IOException e) {
                        // somebody uses it after all, or was quicker
                    }
                }
            }
        }
    }

    private static boolean isOfALivingProcess(String name) {
        int dash = name.indexOf('-', TraceInstance.PREFIX.length());
        return isAlive(name.substring(TraceInstance.PREFIX.length(), dash < 0 ? name.length() : dash));
    }

    /** Whether there is a process of a number; of what is no number nothing is known, and it is left alone. */
    static boolean isAlive(String pid) {
        try {
            return ProcessHandle.of(Long.parseLong(pid)).isPresent();
        } catch (NumberFormatException e) {
            return true;
        }
    }
}
