package dev.unjank.record.linux;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The library of a process that is its Java virtual machine.
 *
 * <p>The file of that name may be another one by now, or be none: the process may live in a container, and its JDK may have been replaced
 * while it ran. So the file that the process has mapped is taken ({@code /proc/PID/map_files}), which only root may; others get the one
 * that the process would find under the name, if it is the same.
 *
 * @param file as this process sees it
 * @param base where in the process's memory it begins
 */
public record JvmLibrary(Path file, long base) {
    private static final int HEXADECIMAL = 16;

    /** A line of {@code /proc/PID/maps}: its range, the file's device and number, and the file, which may have been deleted since. */
    private static final Pattern LINE =
            Pattern.compile("(([0-9a-f]+)-[0-9a-f]+) \\S+ \\S+ (\\S+) (\\d+) +(/.*/libjvm\\.so)( \\(deleted\\))?");

    /**
     * Whether a process has one.
     *
     * @param maps lines of its {@code /proc/PID/maps}
     * @return whether one of them is of such a library, be it of one that has been replaced since
     */
    public static boolean isIn(Stream<String> maps) {
        return maps.anyMatch(LINE.asMatchPredicate());
    }

    /**
     * Finds it.
     *
     * @param pid the process
     * @return the library
     * @throws IOException if the process has none, or may not be looked into
     */
    public static JvmLibrary of(int pid) throws IOException {
        return of(pid, Path.of("/proc").resolve(Integer.toString(pid)));
    }

    static JvmLibrary of(int pid, Path folder) throws IOException {
        try (Stream<String> lines = Files.lines(folder.resolve("maps"), StandardCharsets.ISO_8859_1)) {
            Matcher line = lines.map(LINE::matcher)
                    .filter(Matcher::matches)
                    .findFirst()
                    .orElseThrow(() -> new IOException("process " + pid + " is no Java virtual machine"));
            return new JvmLibrary(file(folder, line), Long.parseUnsignedLong(line.group(2), 16));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /**
     * Refuses a library on a file system that an ordinary user may serve: a read there waits for as long as that user likes, and cannot
     * be interrupted. Looks at the table of mounts only.
     */
    private static void requireOrdinaryFileSystem(Path folder, Matcher line) throws IOException {
        Path table = folder.resolve("mountinfo");
        if (!Files.exists(table)) {
            return;
        }
        String[] device = line.group(3).split(":", 2); // hexadecimal there, decimal in the table
        String number = Integer.parseInt(device[0], HEXADECIMAL) + ":" + Integer.parseInt(device[1], HEXADECIMAL);
        try (Stream<String> mounts = Files.lines(table, StandardCharsets.ISO_8859_1)) {
            if (mounts.anyMatch(mount -> mount.contains(" " + number + " ") && mount.contains(" - fuse"))) {
                throw new IOException(line.group(5) + " is on a FUSE file system, which its user may hold up");
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static Path file(Path folder, Matcher line) throws IOException {
        requireOrdinaryFileSystem(folder, line);
        Path mapped = folder.resolve("map_files").resolve(line.group(1));
        if (Files.isReadable(mapped)) {
            return mapped;
        }
        // Not resolved further: what /proc/PID/root is a link to is the process's own root by another name only.
        Path named = folder.resolve("root").resolve(line.group(5).substring(1));
        boolean isSame = line.group(6) == null
                && Files.exists(named)
                && Files.getAttribute(named, "unix:ino").toString().equals(line.group(4));
        if (!isSame) {
            throw new IOException(line.group(5) + " has been replaced since the program was started");
        }
        return named;
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
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ElfFile elf = new ElfFile(new FileWindow(channel));
            if (elf.isReadable()) {
                elf.symbols(prefix).forEach((name, address) -> symbols.put(name, base + address));
            }
        } catch (IndexOutOfBoundsException e) {
            throw new IOException(file + " is damaged", e);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return symbols;
    }
}
