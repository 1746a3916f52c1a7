package dev.unjank.record.linux;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The library of a process that is its Java virtual machine, held open: what is read of it and what the kernel is given as {@link #file}
 * are the same file, whatever the process maps or renames meanwhile.
 *
 * <p>The file of that name may be another one by now, or be none: the process may live in a container, and its JDK may have been replaced
 * while it ran. So root takes the file that the process has mapped ({@code /proc/PID/map_files}), and none other. The others, who may not,
 * take the one that the process would find under the name, if it is the same.
 *
 * <p>The process decides which file that is. It is taken only if it is a regular file of root, of the process's user or of the root of the
 * process's user namespace, and on no file system that an ordinary user serves (FUSE). The file is opened without access to its
 * content ({@code O_PATH}) until all this is known. For one thread.
 */
public final class JvmLibrary implements AutoCloseable {
    /** A line of {@code /proc/PID/maps}: its range, the file's device and number, and the file, which may have been deleted since. */
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

    /**
     * A line of the table of mappings.
     *
     * @param range as the kernel writes it
     * @param base its first address
     * @param end the address behind it
     * @param file the file's device and number, as the kernel writes them
     * @param name the file's name in the process
     */
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
     * Whether a process has one.
     *
     * @param maps its {@code /proc/PID/maps}
     * @return whether one of the lines is of such a library, be it of one that has been replaced since
     * @throws IOException if it cannot be read
     */
    public static boolean isIn(Path maps) throws IOException {
        return found(maps) != null;
    }

    /**
     * Finds it, and opens it.
     *
     * @param pid the process
     * @return the library, to be closed
     * @throws IOException if the process has none, or may not be looked into, or the file is not to be trusted
     */
    public static JvmLibrary of(int pid) throws IOException {
        return of(pid, Path.of("/proc").resolve(Integer.toString(pid)), Proc.isRoot());
    }

    static JvmLibrary of(int pid, Path folder, boolean isRoot) throws IOException {
        Mapping mapping = found(folder.resolve("maps"));
        if (mapping == null) {
            throw new IOException("process " + pid + " is no Java virtual machine");
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
            // Not resolved further: what /proc/PID/root is a link to is the process's own root by another name only.
            return FileCalls.follow(folder.resolve("root").resolve(mapping.name.substring(1)), FileCalls.PATH);
        } catch (LibcException e) {
            throw replaced(mapping, e);
        }
    }

    private static IOException replaced(Mapping mapping, @Nullable Throwable cause) {
        return new IOException(mapping.name + " has been replaced since the program was started", cause);
    }

    /** Refuses what a read may wait for, and what belongs to a third user. The first test asks the file system nothing. */
    private static void requireOrdinary(Path folder, int descriptor, String name) throws IOException {
        String mount = mount(folder, FileCalls.mountOf(descriptor));
        if (mount == null) {
            throw new IOException(name + " is on a file system that is not mounted where the process is");
        }
        if (mount.contains(" - fuse") || FileCalls.isOnFuse(descriptor)) {
            throw new IOException(name + " is on a FUSE file system, which its user may hold up");
        }
        FileCalls.Stat file = FileCalls.stat(descriptor);
        if (!file.isRegular()) {
            throw new IOException(name + " is no regular file");
        }
        int user = ProcessCredentials.of(folder.resolve("status")).uid();
        if (file.uid() != 0
                && file.uid() != user
                && file.uid() != ProcessCredentials.rootOf(folder.resolve("uid_map"))) {
            throw new IOException(name + " belongs to user " + Integer.toUnsignedString(file.uid())
                    + ", who is neither root nor the user of the process; give it to root");
        }
    }

    /** The line of a mount in the process's table; null if it is not there, as after a lazy unmount. */
    private static @Nullable String mount(Path folder, String id) throws IOException {
        return ProcFile.first(folder.resolve("mountinfo"), line -> line.startsWith(id + " ") ? line : null);
    }

    /**
     * Compares the file that is open with the one that is mapped. File systems in layers, and those with volumes, have other numbers for
     * a file that is asked for its own than for one that is mapped. So this process maps it, too, and looks into its own table.
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
     * The file, for the kernel: a name that leads to it and to no other as long as this is open, in this process only.
     *
     * @return a name in {@code /proc/self/fd}
     */
    public Path file() {
        return FileCalls.named(descriptor);
    }

    /**
     * The probes that its authors have left in it.
     *
     * @return them, in their order
     * @throws IOException if it cannot be read
     */
    public List<UsdtProbes.Probe> probes() throws IOException {
        return UsdtProbes.read(content);
    }

    /**
     * What the library has for others.
     *
     * @param prefix how their names begin
     * @return addresses in the process's memory, by name; empty for a file of another kind
     * @throws IOException if the library cannot be read
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
