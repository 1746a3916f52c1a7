package dev.unjank.record.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.unjank.linux.Errno;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * System calls on files without a JDK API: relative to an open directory, and without following symbolic links.
 * Descriptors are closed on exec. Thread-safe.
 */
public final class FileCalls {
    /** Opens a name for reading. */
    public static final int READ = 0;

    /** Opens a name for writing. */
    public static final int WRITE = 1;

    /** Opens a name for reading and writing. */
    public static final int READ_WRITE = 2;

    /** Creates the file; with {@link #EXCLUSIVE} it must be new. */
    public static final int CREATE = 0x40;

    /** Fails if the file exists. */
    public static final int EXCLUSIVE = 0x80;

    /** Does not wait for the other end of a FIFO, or for the holder of a lease on the file. */
    public static final int NONBLOCK = 0x800;

    /** Must be a directory. */
    public static final int DIRECTORY = isArm() ? 0x4000 : 0x10000;

    /** Opens a file without access to its content: neither reads nor waits. */
    public static final int PATH = 0x200000;

    private static final int NOFOLLOW = isArm() ? 0x8000 : 0x20000;
    private static final int CLOEXEC = 0x80000;
    private static final int AT_FDCWD = -100;
    private static final int AT_REMOVEDIR = 0x200;
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final long FUSE_MAGIC = 0x65735546;
    private static final long STATFS_BYTES = 256;
    private static final String MOUNT = "mnt_id:";
    private static final int LONGEST_LINK = 1 << 12;
    private static final int LOCK_EX_NB = 2 | 4;
    private static final int F_SETFL = 4;
    private static final int STATX_BASIC = 0x7ff;
    private static final long STATX_BYTES = 256;

    private FileCalls() {}

    private static boolean isArm() {
        return System.getProperty("os.arch").equals("aarch64");
    }

    /** The functions; looked up at the first call. */
    private static final class C {
        static final LibcFunction OPENAT = LibcFunction.variadic("openat", 4, 3);
        static final LibcFunction MKDIRAT = new LibcFunction("mkdirat", 3);
        static final LibcFunction UNLINKAT = new LibcFunction("unlinkat", 3);
        static final LibcFunction STATX = new LibcFunction("statx", 5);
        static final LibcFunction FSTATFS = new LibcFunction("fstatfs", 2);
        static final LibcFunction READLINKAT = new LibcFunction("readlinkat", 4);
        static final LibcFunction FLOCK = new LibcFunction("flock", 2);
        static final LibcFunction FCNTL = LibcFunction.variadic("fcntl", 3, 2);
        static final LibcFunction READ = new LibcFunction("read", 3);
        static final LibcFunction WRITE = new LibcFunction("write", 3);
        static final LibcFunction CLOSE = new LibcFunction("close", 1);
    }

    /**
     * The attributes of a file.
     *
     * @param mode type and permissions, as {@code st_mode}
     * @param uid its owner, in this process's user namespace
     * @param size bytes
     */
    public record Stat(int mode, int uid, long size) {
        private static final int TYPE = 0xf000;
        private static final int SOCKET = 0xc000;
        private static final int REGULAR = 0x8000;
        private static final int DIRECTORY = 0x4000;
        private static final int LINK = 0xa000;
        private static final int PIPE = 0x1000;
        private static final int GROUP_OR_OTHERS_WRITE = 022;
        private static final int STICKY = 01000;

        public boolean isSocket() {
            return (mode & TYPE) == SOCKET;
        }

        public boolean isRegular() {
            return (mode & TYPE) == REGULAR;
        }

        public boolean isPipe() {
            return (mode & TYPE) == PIPE;
        }

        public boolean isDirectory() {
            return (mode & TYPE) == DIRECTORY;
        }

        public boolean isLink() {
            return (mode & TYPE) == LINK;
        }

        /** Whether its group or others may write to it; also true for a sticky directory. */
        public boolean mayOthersWrite() {
            return (mode & GROUP_OR_OTHERS_WRITE) != 0;
        }

        /**
         * Whether users other than its owner may rename and delete other users' files in this directory; false if it is
         * sticky.
         */
        public boolean letsOthersReplace() {
            return mayOthersWrite() && (mode & STICKY) == 0;
        }
    }

    /** Opens a path that the recorder chooses. Its last name must not be a symbolic link. */
    public static int open(String path, int flags) throws IOException {
        return openAt(AT_FDCWD, path, flags);
    }

    /** Opens one name, without a slash, in a directory. It must not be a symbolic link. A new file has mode 0644. */
    public static int openAt(int directory, String name, int flags) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            return C.OPENAT.call(name, directory, arena.allocateFrom(name).address(), flags | NOFOLLOW | CLOEXEC, 0644);
        }
    }

    /** Opens the file at a path and follows symbolic links. */
    public static int follow(Path path, int flags) throws LibcException {
        try (Arena arena = Arena.ofConfined()) {
            String name = path.toString();
            return C.OPENAT.call(name, AT_FDCWD, arena.allocateFrom(name).address(), flags | CLOEXEC, 0);
        }
    }

    /** The path that a symbolic link contains, by its descriptor of {@link #PATH}. */
    public static String readLink(int link) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(LONGEST_LINK);
            long length = C.READLINKAT.callLong(
                    "readlink", link, arena.allocateFrom("").address(), buffer.address(), LONGEST_LINK);
            return new String(buffer.asSlice(0, length).toArray(JAVA_BYTE), StandardCharsets.UTF_8);
        }
    }

    /** The id in {@code mountinfo} of the mount through which a file was opened. Does not call the file system. */
    static String mountOf(int descriptor) throws IOException {
        String id = ProcFile.first(
                Path.of("/proc/self/fdinfo/" + descriptor),
                line -> line.startsWith(MOUNT) ? line.substring(MOUNT.length()).strip() : null);
        if (id == null) {
            throw new IOException("the kernel does not report the mounts of files");
        }
        return id;
    }

    /** Whether a file is on a FUSE file system. */
    static boolean isOnFuse(int descriptor) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment statfs = arena.allocate(STATFS_BYTES, Long.BYTES);
            C.FSTATFS.call("statfs", descriptor, statfs.address());
            return statfs.get(JAVA_LONG, 0) == FUSE_MAGIC;
        }
    }

    /** Creates a directory in {@code directory} that only its owner may access. Fails if the name exists. */
    public static void makeDirectory(int directory, String name) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            C.MKDIRAT.call(name, directory, arena.allocateFrom(name).address(), 0700);
        }
    }

    /** Removes a name; if it is a link, its target is kept. */
    public static void unlink(int directory, String name) throws IOException {
        unlink(directory, name, 0);
    }

    /** Removes an empty directory in {@code directory}. */
    public static void removeDirectory(int directory, String name) throws IOException {
        unlink(directory, name, AT_REMOVEDIR);
    }

    private static void unlink(int directory, String name, int flags) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            C.UNLINKAT.call(name, directory, arena.allocateFrom(name).address(), flags);
        }
    }

    /** Returns the attributes of an open file. */
    public static Stat stat(int descriptor) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment statx = arena.allocate(STATX_BYTES, Long.BYTES);
            C.STATX.call(
                    "statx", descriptor, arena.allocateFrom("").address(), AT_EMPTY_PATH, STATX_BASIC, statx.address());
            return new Stat(
                    Short.toUnsignedInt(statx.get(JAVA_SHORT, 28)), statx.get(JAVA_INT, 20), statx.get(JAVA_LONG, 40));
        }
    }

    /** Locks a file or directory until it is closed; false if another descriptor holds the lock. */
    public static boolean tryLock(int descriptor) throws IOException {
        try {
            C.FLOCK.call("flock", descriptor, LOCK_EX_NB);
            return true;
        } catch (LibcException e) {
            if (e.error() == Errno.EAGAIN) {
                return false;
            }
            throw e;
        }
    }

    /** From now on reading and writing wait, although the descriptor was opened with {@link #NONBLOCK}. */
    public static void letWait(int descriptor) throws IOException {
        C.FCNTL.call("fcntl", descriptor, F_SETFL, 0);
    }

    /** Reads available bytes into the start of the array; waits if there are none yet. Returns 0 at the end. */
    public static int read(int descriptor, byte[] into) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(into.length);
            int count = (int) C.READ.callLong("read", descriptor, buffer.address(), into.length);
            MemorySegment.copy(buffer, JAVA_BYTE, 0, into, 0, count);
            return count;
        }
    }

    /** Writes all bytes. */
    public static void write(int descriptor, byte[] bytes) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocateFrom(JAVA_BYTE, bytes);
            for (long at = 0; at < bytes.length; ) {
                at += C.WRITE.callLong("write", descriptor, buffer.address() + at, bytes.length - at);
            }
        }
    }

    /** Closes a descriptor. A failure is ignored: the descriptor is gone in any case. */
    public static void close(int descriptor) {
        try {
            C.CLOSE.call("close", descriptor);
        } catch (LibcException e) {
            // ignored: the descriptor is closed in any case
        }
    }

    /** A path in {@code /proc} that always leads to this open file. */
    static byte[] path(int descriptor) {
        return named(descriptor).toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** The path in {@code /proc} of an open file, for JDK methods. */
    public static Path named(int descriptor) {
        return Path.of("/proc/self/fd/" + descriptor);
    }
}
