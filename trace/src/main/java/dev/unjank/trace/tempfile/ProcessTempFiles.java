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
 * Temporary files and folders of a process in places that other processes use too. A process that is killed cannot delete them, so their names
 * say whose they are: process id, start time, and a checksum of host and PID namespace. The next run deletes what belongs to a process that has
 * ended.
 *
 * <p>A file is deleted only if its name has this form, its owner is this process's user, it is no symbolic link, and the process is of this host and PID
 * namespace and has ended. In a folder, links are deleted and not followed. Elsewhere than on Linux nothing is deleted: the start time of
 * other processes is not reliable there.
 */
public final class ProcessTempFiles {
    private static final String PROCESS = "([0-9]{1,10})-([0-9]{1,20})-([0-9a-f]{8})(?:-[0-9a-f]{16})?";
    private static final String FOLDER = "unjank-";

    /** Any kind, and what makes the name unique. */
    private static final Pattern FOLDERS = Pattern.compile(FOLDER + "[a-z]+-" + PROCESS + "-[0-9]+");

    private static final Path PROC = Path.of("/proc");

    /** Fields of /proc/PID/stat behind the name of the command: the state is the first, the start time the 20th. */
    private static final int START_FIELD = 19;

    private static final String SCOPE = scope();
    private static final String OWN = token(ProcessHandle.current().pid());

    private ProcessTempFiles() {}

    /**
     * Makes a folder in the system's temporary folder, and deletes those of processes that have ended.
     *
     * @param kind what it is for, in small letters
     * @return the folder, which is deleted at the end of the process if it is still there
     * @throws IOException if it cannot be made
     */
    public static Path folder(String kind) throws IOException {
        Path all = Path.of(System.getProperty("java.io.tmpdir"));
        deleteLeftovers(all, FOLDERS);
        Path folder = Files.createTempDirectory(all, FOLDER + kind + "-" + OWN + "-");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
        return folder;
    }

    /**
     * Names a file or folder of this process. Leftovers with such a name are deleted by {@link #deleteLeftovers(Path, String, String)}.
     *
     * @param prefix the start of the name
     * @param suffix the end of the name
     * @return the name
     */
    public static String name(String prefix, String suffix) {
        return prefix + OWN + suffix;
    }

    /**
     * Names a file or folder of this process as no other is named.
     *
     * @param prefix the start of the name
     * @param suffix the end of the name
     * @return the name, with random digits
     */
    public static String uniqueName(String prefix, String suffix) {
        return prefix + OWN + "-" + HexFormat.of().toHexDigits(new SecureRandom().nextLong()) + suffix;
    }

    /**
     * Deletes what has such a name and belongs to a process that has ended, as far as that is possible.
     *
     * @param folder where
     * @param prefix as of {@link #name}
     * @param suffix as of {@link #name}
     */
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

    /** Whether it is a file or folder, and no link, of this process's user. */
    private static boolean isOurs(Path entry) throws IOException {
        boolean isKnown = Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)
                || Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS);
        return isKnown
                && Files.getAttribute(entry, "unix:uid", LinkOption.NOFOLLOW_LINKS)
                        .equals(Files.getAttribute(PROC.resolve("self"), "unix:uid"));
    }

    /**
     * Deletes a file, or a folder with all that is in it, as far as that is possible. Links are not followed.
     *
     * @param file what to delete
     */
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
            // it is gone, or stays
        }
    }

    private static FileVisitResult remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException _) {
            // it stays
        }
        return FileVisitResult.CONTINUE;
    }

    /** The part of a name that says which process it belongs to. */
    static String token(long pid) {
        String start = SCOPE.isEmpty() ? null : start(Long.toString(pid));
        return pid + "-" + (start == null ? "0" : start) + "-" + (SCOPE.isEmpty() ? "00000000" : SCOPE);
    }

    /** Also if that is unknown. */
    private static boolean isAlive(String pid, String start) {
        String now = start(pid);
        return now == null ? Files.exists(PROC.resolve(pid)) : now.equals(start);
    }

    /** When a process started, in clock ticks since the system's start; null if it has ended, or that cannot be read. */
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

    /** Host and PID namespace, within which process ids mean something; empty if that is unknown. */
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
