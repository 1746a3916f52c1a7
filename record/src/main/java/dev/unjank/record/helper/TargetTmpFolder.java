package dev.unjank.record.helper;

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

/**
 * The target's {@code /tmp}, held open by the helper, and the folders in it that recorder and target share. All access is relative
 * to open directories, by single names, and follows no symbolic link. Any thread.
 *
 * <p><b>Ownership.</b> The helper makes a folder as the target's user; nothing changes its owner. While the helper lives it holds
 * the folder's lock. A folder of this user without a lock was left by a helper that was killed.
 */
final class TargetTmpFolder {
    private static final String PREFIX = "unjank-";
    private static final Pattern FOLDER = Pattern.compile(PREFIX + "[0-9]+-[0-9a-f]{16}");
    private static final int MOST_TRIES = 100;
    private static final int MOST_FOLDERS = 1_000;
    private static final String NO_ROOM = "the target's /tmp takes no file: ";

    private final int directory;
    private final int pid;
    private final int uid;
    private final List<SharedFolder> folders = new ArrayList<>();

    /**
     * Takes over an open directory.
     *
     * @param directory its descriptor
     * @param pid the target's number
     * @param uid the target's user, which is this process's by now
     */
    TargetTmpFolder(int directory, int pid, int uid) {
        this.directory = directory;
        this.pid = pid;
        this.uid = uid;
    }

    /**
     * Opens that of a process, through the root directory that the process has.
     *
     * @throws IOException if it has none, or it is a symbolic link
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

    /** Refuses a directory in which users other than the target's could put other files in place of ours. */
    void requireSafe(int rootOfTarget) throws IOException {
        FileCalls.Stat stat = FileCalls.stat(directory);
        if (stat.letsOthersReplace()) {
            throw new UserFixableException(
                    "the target's /tmp lets every user replace the files of others",
                    "give it the sticky bit: chmod +t");
        }
        if (stat.uid() != 0 && stat.uid() != uid && stat.uid() != rootOfTarget) {
            throw new UserFixableException(
                    "the target's /tmp belongs to user " + stat.uid() + ", who could replace files in it",
                    "give it to root");
        }
    }

    /** The directory's descriptor. */
    int descriptor() {
        return directory;
    }

    /** Makes a folder. */
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
                boolean mayBeAnothers = e.error() == LibcException.EEXIST || e.error() == LibcException.ENOENT;
                if (!mayBeAnothers || attempt == MOST_TRIES) {
                    throw new IOException(NO_ROOM + reason(e) + "; make room there", e);
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

    /** Takes over the folders that killed helpers have left. */
    List<SharedFolder> takeStale() throws IOException {
        List<SharedFolder> stale = new ArrayList<>();
        for (String name : names()) {
            try {
                SharedFolder found = opened(name);
                if (found.tryLock()) {
                    stale.add(found);
                } else {
                    found.close();
                }
            } catch (IOException e) {
                // another user's, or not a directory
            }
        }
        synchronized (folders) {
            folders.addAll(stale);
        }
        return stale;
    }

    /** The names that folders of recorders have, whoever made them. */
    private List<String> names() throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries =
                Files.newDirectoryStream(Path.of("/proc/self/fd/" + directory), PREFIX + "*")) {
            for (Path entry : entries) {
                String name = String.valueOf(entry.getFileName());
                if (names.size() < MOST_FOLDERS && FOLDER.matcher(name).matches()) {
                    names.add(name);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return names;
    }

    /** Removes all folders that are left. */
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

    /** Deletes the file that asks a virtual machine to listen, or any other name of the helper's own. */
    void delete(String name) {
        try {
            FileCalls.unlink(directory, name);
        } catch (IOException e) {
            // the target was quicker
        }
    }

    /**
     * Creates an empty file.
     *
     * @return false if the name exists
     */
    boolean create(String name) throws IOException {
        try {
            FileCalls.close(
                    FileCalls.openAt(directory, name, FileCalls.WRITE | FileCalls.CREATE | FileCalls.EXCLUSIVE));
            return true;
        } catch (LibcException e) {
            if (e.error() == LibcException.EEXIST) {
                return false;
            }
            throw e;
        }
    }
}
