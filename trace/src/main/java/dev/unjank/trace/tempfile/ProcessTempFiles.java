package dev.unjank.trace.tempfile;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
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
 * and the process is of this host and PID namespace and has ended. Links within a folder are deleted, not followed:
 * each name is removed relative to its open folder, so another user who exchanges a folder by a link cannot redirect
 * it. On systems other than Linux nothing is deleted, since the start time of other processes is unreliable there.
 */
public final class ProcessTempFiles {
    private static final String PROCESS = "([0-9]{1,10})-([0-9]{1,20})-([0-9a-f]{8})(?:-[0-9a-f]{16})?";
    private static final String BEGIN = "unjank-";

    /** Folders of any kind in the system's temporary folder. */
    private static final Pattern FOLDERS = Pattern.compile(BEGIN + "[a-z]+-" + PROCESS);

    /** Files of any kind there, with a type. */
    private static final Pattern FILES = Pattern.compile(BEGIN + "[a-z]+-" + PROCESS + "\\.[a-z]+");

    /** The number of entries of a folder that are looked at: another user may have filled it. */
    private static final int MOST_ENTRIES = 100_000;

    private static final Path PROC = Path.of("/proc");

    private static final String SCOPE = scope();
    private static final String OWN = token(ProcessHandle.current().pid());

    private ProcessTempFiles() {}

    /**
     * Creates a folder of a kind, in lower case, in the system's temporary folder, and deletes what ended processes
     * have left there. The folder is deleted at the end of the process.
     */
    public static Path folder(String kind) throws IOException {
        Path folder = ownFolder(kind);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
        return folder;
    }

    /** The same, but the caller deletes the folder. Only this user may read it. */
    public static Path ownFolder(String kind) throws IOException {
        deleteLeftovers();
        return Files.createDirectory(
                temporary().resolve(uniqueName(BEGIN + kind + "-", "")),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    /**
     * Creates a file of a kind in the system's temporary folder, which the caller deletes. Only this user may read it.
     */
    public static Path ownFile(String kind, String suffix) throws IOException {
        deleteLeftovers();
        return Files.createFile(
                temporary().resolve(uniqueName(BEGIN + kind + "-", suffix)),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    /**
     * Deletes the folders and files that ended processes have left in the system's temporary folder. Failures are
     * ignored.
     */
    public static void deleteLeftovers() {
        deleteLeftovers(temporary(), FOLDERS, true);
        deleteLeftovers(temporary(), FILES, false);
    }

    private static Path temporary() {
        return Path.of(System.getProperty("java.io.tmpdir"));
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
        deleteLeftovers(folder, pattern(prefix, suffix), true);
    }

    /** The same, but only files, in a folder where another user may have given a folder such a name. */
    public static void deleteLeftoverFiles(Path folder, String prefix, String suffix) {
        deleteLeftovers(folder, pattern(prefix, suffix), false);
    }

    private static Pattern pattern(String prefix, String suffix) {
        return Pattern.compile(Pattern.quote(prefix) + PROCESS + Pattern.quote(suffix));
    }

    private static void deleteLeftovers(Path folder, Pattern names, boolean folders) {
        deleteLeftovers(folder, names, folders, MOST_ENTRIES);
    }

    /** Deletes leftovers among the first {@code most} entries of a folder, in no order. */
    static void deleteLeftovers(Path folder, Pattern names, boolean folders, int most) {
        if (SCOPE.isEmpty()) {
            return;
        }
        int count = 0;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                if (++count > most) {
                    return;
                }
                Path file = entry.getFileName();
                Matcher name = names.matcher(file.toString());
                if (name.matches()
                        && name.group(3).equals(SCOPE)
                        && new ProcessIdentity(name.group(1), name.group(2)).hasEnded()
                        && entries instanceof SecureDirectoryStream<Path> open
                        && isOurs(open, file, folders)) {
                    delete(open, file, folders);
                }
            }
        } catch (IOException | RuntimeException _) {
            // a later run may succeed; this one does not depend on it
        }
    }

    /** Whether it is a file or a folder, not a link, of this process's user. */
    private static boolean isOurs(SecureDirectoryStream<Path> folder, Path name, boolean folders) throws IOException {
        PosixFileAttributes attributes = folder.getFileAttributeView(
                        name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes();
        return (attributes.isRegularFile() || (folders && attributes.isDirectory()))
                && attributes.owner().equals(Files.getOwner(PROC.resolve("self")));
    }

    /** Deletes a file, or a folder with its content. Failures are ignored, links are not followed. */
    public static void delete(Path file) {
        Path path = file.toAbsolutePath();
        try (DirectoryStream<Path> folder = Files.newDirectoryStream(path.getParent())) {
            if (folder instanceof SecureDirectoryStream<Path> open) {
                delete(open, path.getFileName(), true);
            } else {
                deleteByPath(path);
            }
        } catch (IOException | RuntimeException _) {
            // already deleted, or cannot be
        }
    }

    private static void delete(SecureDirectoryStream<Path> folder, Path name, boolean folders) throws IOException {
        try {
            folder.deleteFile(name);
        } catch (IOException _) {
            if (folders) {
                deleteFolder(folder, name);
            }
        }
    }

    private static void deleteFolder(SecureDirectoryStream<Path> folder, Path name) throws IOException {
        try (SecureDirectoryStream<Path> content = folder.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            for (Path each : content) {
                try {
                    delete(content, each.getFileName(), true);
                } catch (IOException _) {
                    // cannot be deleted
                }
            }
        }
        folder.deleteDirectory(name);
    }

    /** On systems without access relative to an open folder. */
    private static void deleteByPath(Path file) throws IOException {
        Files.walkFileTree(file, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path each, BasicFileAttributes attributes) throws IOException {
                Files.delete(each);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path each, @Nullable IOException e) throws IOException {
                Files.delete(each);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** The part of a name that identifies the process. */
    static String token(long pid) {
        String start = SCOPE.isEmpty() ? "0" : ProcessIdentity.of(pid).start();
        return pid + "-" + start + "-" + (SCOPE.isEmpty() ? "00000000" : SCOPE);
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
