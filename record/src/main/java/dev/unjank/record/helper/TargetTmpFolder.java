package dev.unjank.record.helper;

import dev.unjank.linux.Errno;
import dev.unjank.record.linux.FileCalls;
import dev.unjank.record.linux.LibcException;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The target's {@code /tmp}, held open by the helper, and the folders in it that recorder and target share. All access
 * is relative to open directories, by single names, without following symbolic links. Thread-safe.
 *
 * <p><b>Ownership.</b> The helper creates a folder as the target's user; the owner of the folder never changes. The
 * helper holds the folder's lock while it runs, so an unlocked folder of this user belongs to a killed helper.
 */
final class TargetTmpFolder {
    private static final String PREFIX = "unjank-";
    private static final Pattern FOLDER = Pattern.compile(PREFIX + "[0-9]+-[0-9a-f]{16}");
    private static final int MOST_TRIES = 100;

    /** The number of folders of killed helpers that one helper takes over. */
    private static final int MOST_FOLDERS = 1_000;

    /**
     * The number of entries of {@code /tmp} that are looked at: another user may have filled it. They take about 3 s,
     * much less than the recorder waits for an answer at the start.
     */
    private static final int MOST_ENTRIES = 300_000;

    private static final String NO_ROOM = "cannot create files in the target's /tmp: ";

    private final int directory;
    private final int pid;
    private final int uid;
    private final List<SharedFolder> folders = new ArrayList<>();

    /** Wraps an open directory; this process already runs as the target's user. */
    TargetTmpFolder(int directory, int pid, int uid) {
        this.directory = directory;
        this.pid = pid;
        this.uid = uid;
    }

    /**
     * Opens the {@code /tmp} of a process, relative to its root directory. Fails if there is none, or it is a symbolic
     * link.
     */
    static int open(int pid) throws IOException {
        try {
            return FileCalls.open("/proc/" + pid + "/root/tmp", FileCalls.PATH | FileCalls.DIRECTORY);
        } catch (LibcException e) {
            boolean isLink = Files.isSymbolicLink(Path.of("/proc/" + pid + "/root/tmp"));
            throw new IOException(
                    isLink ? "the target's /tmp is a symbolic link" : "the target's /tmp: " + e.getMessage(), e);
        }
    }

    /** Refuses a directory in which users other than the target's could replace files. */
    void requireSafe(int rootOfTarget) throws IOException {
        FileCalls.Stat stat = FileCalls.stat(directory);
        if (stat.letsOthersReplace()) {
            throw new UserFixableException(
                    "the target's /tmp is writable for other users and has no sticky bit, so they could replace files",
                    "set the sticky bit: chmod +t /tmp");
        }
        if (stat.uid() != 0 && stat.uid() != uid && stat.uid() != rootOfTarget) {
            throw new UserFixableException(
                    "the target's /tmp belongs to user " + stat.uid() + ", who could replace files in it",
                    "change its owner: chown root /tmp");
        }
    }

    /** The directory's descriptor. */
    int descriptor() {
        return directory;
    }

    /** Creates a folder. */
    SharedFolder makeFolder() throws IOException {
        for (int attempt = 1; ; attempt++) {
            String name = PREFIX + pid + "-"
                    + String.format("%016x", ThreadLocalRandom.current().nextLong());
            try {
                FileCalls.makeDirectory(directory, name);
                SharedFolder made = opened(name);
                if (made.tryLock()) {
                    synchronized (folders) {
                        folders.add(made);
                    }
                    return made;
                }
                made.close();
            } catch (LibcException e) {
                boolean mayBeAnothers = e.error() == Errno.EEXIST || e.error() == Errno.ENOENT;
                if (!mayBeAnothers || attempt == MOST_TRIES) {
                    throw new IOException(NO_ROOM + reason(e) + "; free some space there", e);
                }
            }
        }
    }

    static String reason(LibcException e) {
        String message = String.valueOf(e.getMessage());
        return message.substring(message.lastIndexOf(": ") + 2);
    }

    private SharedFolder opened(String name) throws IOException {
        int descriptor = FileCalls.openAt(directory, name, FileCalls.READ | FileCalls.DIRECTORY);
        try {
            if (FileCalls.stat(descriptor).uid() != uid) {
                throw new IOException("/tmp/" + name + " belongs to another user");
            }
            return new SharedFolder(directory, name, descriptor, uid);
        } catch (IOException e) {
            FileCalls.close(descriptor);
            throw e;
        }
    }

    /**
     * Takes over the folders of killed helpers: those of this target, and of targets that have ended. Another target
     * that still runs may still write to its folder; its next recorder stops that first.
     */
    List<SharedFolder> takeStale() throws IOException {
        List<SharedFolder> stale = new ArrayList<>();
        int count = 0;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(FileCalls.named(directory))) {
            for (Path entry : entries) {
                if (++count > MOST_ENTRIES || stale.size() == MOST_FOLDERS) {
                    break;
                }
                String name = String.valueOf(entry.getFileName());
                SharedFolder found = FOLDER.matcher(name).matches() && !isOfAnotherTarget(name) ? locked(name) : null;
                if (found != null) {
                    stale.add(found);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        synchronized (folders) {
            folders.addAll(stale);
        }
        return stale;
    }

    private boolean isOfAnotherTarget(String name) {
        String target = name.substring(PREFIX.length(), name.lastIndexOf('-'));
        return !target.equals(Integer.toString(pid)) && Files.exists(Path.of("/proc", target));
    }

    /** A folder, locked; null if it is another user's, a running helper's, or not a directory. */
    private @Nullable SharedFolder locked(String name) {
        try {
            SharedFolder found = opened(name);
            if (found.tryLock()) {
                return found;
            }
            found.close();
        } catch (IOException e) {
            // another user's, or not a directory
        }
        return null;
    }

    /** Removes all remaining folders. */
    void removeAll() {
        synchronized (folders) {
            for (SharedFolder folder : folders) {
                try (folder) {
                    folder.remove();
                } catch (IOException e) {
                    // removed before, or in use by the target: the next helper tries again
                }
            }
            folders.clear();
        }
    }

    /** Deletes a file of the helper, such as the one that requests the attach listener. */
    static void delete(int directory, String name) {
        try {
            FileCalls.unlink(directory, name);
        } catch (IOException e) {
            // the target has deleted it
        }
    }

    /** Creates an empty file; false if the name exists. */
    static boolean create(int directory, String name) throws IOException {
        try {
            FileCalls.close(
                    FileCalls.openAt(directory, name, FileCalls.WRITE | FileCalls.CREATE | FileCalls.EXCLUSIVE));
            return true;
        } catch (LibcException e) {
            if (e.error() == Errno.EEXIST) {
                return false;
            }
            throw e;
        }
    }
}
