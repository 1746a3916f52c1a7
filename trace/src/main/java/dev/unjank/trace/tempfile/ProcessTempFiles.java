package dev.unjank.trace.tempfile;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Manages temporary files and folders of a process in shared places. A killed process cannot delete them, so their
 * names contain the owner: process id, start time, and a checksum of host and PID namespace. The next run deletes
 * those of ended processes.
 *
 * <p>A file is deleted only if its name has this form, it belongs to this process's user, it is not a symbolic link,
 * and the process is of this host and PID namespace and has ended. Links within a folder are deleted, not followed.
 * On systems other than Linux nothing is deleted, since the start time of other processes is unreliable there.
 */
public final class ProcessTempFiles {
    private static final String PROCESS = "([0-9]{1,10})-([0-9]{1,20})-([0-9a-f]{8})(?:-[0-9a-f]{16})?";
    private static final String FOLDER = "unjank-";

    /** Any kind, and a unique suffix. */
    private static final Pattern FOLDERS = Pattern.compile(FOLDER + "[a-z]+-" + PROCESS + "-[0-9]+");

    private static final Path PROC = Path.of("/proc");

    /** The index of the start time among the fields of /proc/PID/stat after the command name. */
    private static final int START_FIELD = 19;

    private static final String SCOPE = scope();
    private static final String OWN = token(ProcessHandle.current().pid());

    private ProcessTempFiles() {}

    /**
     * Creates a folder of a kind, in lower case, in the system's temporary folder, and deletes those of ended
     * processes. The folder is deleted at the end of the process.
     */
    public static Path folder(String kind) throws IOException {
        Path all = Path.of(System.getProperty("java.io.tmpdir"));
        deleteLeftovers(all, FOLDERS);
        Path folder = Files.createTempDirectory(all, FOLDER + kind + "-" + OWN + "-");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
        return folder;
    }

    /**
     * {@return a name for a file or folder of this process, the same at each call} {@link #deleteLeftovers(Path,
     * String, String)} deletes leftovers with such a name.
     */
    public static String name(String prefix, String suffix) {
        return prefix + OWN + suffix;
    }

    /** {@return a unique name for a file or folder of this process, with random digits} */
    public static String uniqueName(String prefix, String suffix) {
        return prefix + OWN + "-" + HexFormat.of().toHexDigits(new SecureRandom().nextLong()) + suffix;
    }

    /** Deletes files and folders of ended processes with such a name. Failures are ignored. */
    public static void deleteLeftovers(Path folder, String prefix, String suffix) {
        deleteLeftovers(folder, Pattern.compile(Pattern.quote(prefix) + PROCESS + Pattern.quote(suffix)));
    }

    private static void deleteLeftovers(Path folder, Pattern names) {
        if (SCOPE.isEmpty()) {
            return;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(
                folder, entry -> names.matcher(entry.getFileName().toString()).matches())) {
            for (Path entry : entries) {
                Matcher name = names.matcher(entry.getFileName().toString());
                if (name.matches()
                        && name.group(3).equals(SCOPE)
                        && !isAlive(name.group(1), name.group(2))
                        && isOurs(entry)) {
                    delete(entry);
                }
            }
        } catch (IOException | RuntimeException _) {
            // a later run may succeed; this one does not depend on it
        }
    }

    /** Whether it is a file or folder, not a link, of this process's user. */
    private static boolean isOurs(Path entry) throws IOException {
        boolean isKnown = Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)
                || Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS);
        return isKnown
                && Files.getAttribute(entry, "unix:uid", LinkOption.NOFOLLOW_LINKS)
                        .equals(Files.getAttribute(PROC.resolve("self"), "unix:uid"));
    }

    /** Deletes a file, or a folder with its content. Failures are ignored, links are not followed. */
    public static void delete(Path file) {
        try {
            Files.walkFileTree(file, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path each, BasicFileAttributes attributes) {
                    return remove(each);
                }

                @Override
                public FileVisitResult visitFileFailed(Path each, IOException e) {
                    return remove(each);
                }

                @Override
                public FileVisitResult postVisitDirectory(Path each, @Nullable IOException e) {
                    return remove(each);
                }
            });
        } catch (IOException _) {
            // already deleted, or cannot be
        }
    }

    private static FileVisitResult remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException _) {
            // cannot be deleted
        }
        return FileVisitResult.CONTINUE;
    }

    /** The part of a name that identifies the process. */
    static String token(long pid) {
        String start = SCOPE.isEmpty() ? null : start(Long.toString(pid));
        return pid + "-" + (start == null ? "0" : start) + "-" + (SCOPE.isEmpty() ? "00000000" : SCOPE);
    }

    /** Also true if unknown. */
    private static boolean isAlive(String pid, String start) {
        String now = start(pid);
        return now == null ? Files.exists(PROC.resolve(pid)) : now.equals(start);
    }

    /** The start time of a process, in clock ticks since boot; null if it has ended or the time cannot be read. */
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

    /** An id of the host and the PID namespace; empty if unknown. */
    private static String scope() {
        try {
            String host = Files.readString(PROC.resolve("sys/kernel/hostname"));
            String namespace =
                    Files.readSymbolicLink(PROC.resolve("self/ns/pid")).toString();
            CRC32 sum = new CRC32();
            sum.update((host + namespace).getBytes(StandardCharsets.UTF_8));
            return String.format("%08x", sum.getValue());
        } catch (IOException | RuntimeException _) {
            return "";
        }
    }
}
