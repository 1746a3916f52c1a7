package dev.unjank.record.linux;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The {@code libjvm.so} of a process, held open: the content that is read and the {@link #file} for the kernel are the
 * same file, regardless of what the process maps or renames meanwhile.
 *
 * <p>The path may lead to another file by now, or to none: the process may be in a container, and its JDK may have been
 * replaced. So root opens the mapped file itself ({@code /proc/PID/map_files}). Other users, who have no access to that
 * folder, open the path as the process sees it, and check that it is the mapped file.
 *
 * <p>The process controls which file is mapped. The file is accepted only if it is a regular file of root, of the
 * process's user or of the root of the process's user namespace, and not on a FUSE file system. Until this is checked,
 * the file is open without access to its content ({@code O_PATH}). Not thread-safe.
 */
public final class JvmLibrary implements AutoCloseable {
    /**
     * A line of {@code /proc/PID/maps}: its range, the file's device and inode, and the path of the file, which may
     * have been deleted.
     */
    private static final Pattern LINE =
            Pattern.compile("(([0-9a-f]+)-([0-9a-f]+)) \\S+ \\S+ (\\S+ \\d+) +(/.*/libjvm\\.so)( \\(deleted\\))?");

    private static final Pattern ANY_LINE = Pattern.compile("(([0-9a-f]+)-([0-9a-f]+)) \\S+ \\S+ (\\S+ \\d+)\\b.*");
    private static final int HEXADECIMAL = 16;

    private final int descriptor;
    private final FileChannel content;
    private final Mapping mapping;

    private JvmLibrary(int descriptor, FileChannel content, Mapping mapping) {
        this.descriptor = descriptor;
        this.content = content;
        this.mapping = mapping;
    }

    /** A line of the table of mappings, with the file's device and inode as the kernel writes them. */
    private record Mapping(String range, long base, long end, String file, String name) {
        static @Nullable Mapping of(String line, Pattern pattern) {
            Matcher fields = pattern.matcher(line);
            return fields.matches()
                    ? new Mapping(
                            fields.group(1),
                            Long.parseUnsignedLong(fields.group(2), HEXADECIMAL),
                            Long.parseUnsignedLong(fields.group(3), HEXADECIMAL),
                            fields.group(4),
                            fields.groupCount() > 4 ? fields.group(5) : "")
                    : null;
        }
    }

    private static @Nullable Mapping found(Path maps) throws IOException {
        return ProcFile.first(maps, line -> Mapping.of(line, LINE));
    }

    /**
     * Whether a process is a JVM, by its {@code /proc/PID/maps}, even if the file of the library has been replaced
     * since.
     */
    public static boolean isIn(Path maps) throws IOException {
        return found(maps) != null;
    }

    /**
     * Finds and opens the library. Fails if the process has none, may not be inspected, or blocks that, or if the file
     * is not trusted.
     *
     * @param isEnding whether the recording is to end, which ends the wait for a process that blocks it
     */
    public static JvmLibrary of(int pid, BooleanSupplier isEnding) throws IOException {
        return of(pid, Path.of("/proc").resolve(Integer.toString(pid)), Proc.isRoot(), TimedRead.LONGEST, isEnding);
    }

    static JvmLibrary of(int pid, Path folder, boolean isRoot, Duration longest, BooleanSupplier isEnding)
            throws IOException {
        return TimedRead.within(longest, isEnding, folder + "/maps", () -> of(pid, folder, isRoot));
    }

    static JvmLibrary of(int pid, Path folder, boolean isRoot) throws IOException {
        Mapping mapping = found(folder.resolve("maps"));
        if (mapping == null) {
            throw new IOException("process " + pid + " is not a JVM");
        }
        int descriptor = opened(folder, mapping, isRoot);
        try {
            requireOrdinary(folder, descriptor, mapping.name);
            FileChannel content = FileChannel.open(FileCalls.named(descriptor), StandardOpenOption.READ);
            try {
                requireMapped(content, mapping);
                return new JvmLibrary(descriptor, content, mapping);
            } catch (IOException | RuntimeException e) {
                content.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            FileCalls.close(descriptor);
            throw e;
        }
    }

    private static int opened(Path folder, Mapping mapping, boolean isRoot) throws IOException {
        try {
            return FileCalls.follow(folder.resolve("map_files").resolve(mapping.range), FileCalls.PATH);
        } catch (LibcException e) {
            if (isRoot) {
                throw new IOException(mapping.name + " cannot be opened: " + e.getMessage(), e);
            }
        }
        try {
            // not resolved further: the target of the link /proc/PID/root is only a name within the process's root
            return FileCalls.follow(folder.resolve("root").resolve(mapping.name.substring(1)), FileCalls.PATH);
        } catch (LibcException e) {
            throw replaced(mapping, e);
        }
    }

    private static IOException replaced(Mapping mapping, @Nullable Throwable cause) {
        return new IOException(mapping.name + " has been replaced since the program was started", cause);
    }

    /**
     * Refuses files on which a read may block, and files of other users. The first check does not call the file system.
     */
    private static void requireOrdinary(Path folder, int descriptor, String name) throws IOException {
        String mount = mount(folder, FileCalls.mountOf(descriptor));
        if (mount == null) {
            throw new IOException(name + " is on a file system outside of the mount namespace of the process");
        }
        if (mount.contains(" - fuse") || FileCalls.isOnFuse(descriptor)) {
            throw new IOException(name + " is on a FUSE file system, whose owner could block reads");
        }
        FileCalls.Stat file = FileCalls.stat(descriptor);
        if (!file.isRegular()) {
            throw new IOException(name + " is not a regular file");
        }
        int user = ProcessCredentials.of(folder.resolve("status")).uid();
        if (file.uid() != 0
                && file.uid() != user
                && file.uid() != ProcessCredentials.rootOf(folder.resolve("uid_map"))) {
            throw new IOException(name + " belongs to user " + Integer.toUnsignedString(file.uid())
                    + ", who is neither root nor the user of the process; change its owner with chown root");
        }
    }

    /** The line of a mount in the process's mount table; null if it is missing, as after a lazy unmount. */
    private static @Nullable String mount(Path folder, String id) throws IOException {
        return ProcFile.first(folder.resolve("mountinfo"), line -> line.startsWith(id + " ") ? line : null);
    }

    /**
     * Compares the open file with the mapped one. Overlay and volume file systems report other device numbers for open
     * files than for mapped ones, so this process maps the file as well, and compares the entries of both tables of
     * mappings.
     */
    private static void requireMapped(FileChannel content, Mapping mapping) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            long address =
                    content.map(FileChannel.MapMode.READ_ONLY, 0, 1, arena).address();
            Mapping own = ProcFile.first(Path.of("/proc/self/maps"), line -> {
                Mapping each = Mapping.of(line, ANY_LINE);
                return each != null && each.base <= address && address < each.end ? each : null;
            });
            if (own == null || !own.file.equals(mapping.file)) {
                throw replaced(mapping, null);
            }
        }
    }

    /**
     * The path of the file for the kernel, in {@code /proc/self/fd}: it leads to no other file while this is open, in
     * this process only.
     */
    public Path file() {
        return FileCalls.named(descriptor);
    }

    /** The USDT probes of the library, in file order. */
    public List<UsdtProbes.Probe> probes() throws IOException {
        return UsdtProbes.read(content);
    }

    /**
     * The addresses in the process's memory of dynamic symbols with a prefix, by name; empty for a file of another
     * type.
     */
    public Map<String, Long> symbols(String prefix) throws IOException {
        Map<String, Long> symbols = new HashMap<>();
        try {
            ElfFile elf = new ElfFile(new FileWindow(content));
            if (elf.isReadable()) {
                elf.symbols(prefix).forEach((name, address) -> symbols.put(name, mapping.base + address));
            }
        } catch (IndexOutOfBoundsException e) {
            throw new IOException(mapping.name + " is damaged", e);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return symbols;
    }

    @Override
    public void close() throws IOException {
        FileCalls.close(descriptor);
        content.close();
    }
}
