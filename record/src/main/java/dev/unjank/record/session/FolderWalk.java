package dev.unjank.record.session;

import dev.unjank.linux.Errno;
import dev.unjank.record.linux.FileCalls;
import dev.unjank.record.linux.LibcException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Opens a folder for root, name by name, each relative to the open folder before. A symbolic link on the path is
 * followed only if no other user can have created it: its folder is root's, and only root may write it, or the folder
 * is sticky and the link is root's. The kernel has a similar rule for sticky folders ({@code fs.protected_symlinks});
 * the rule of this class applies to all folders, and even if the kernel's rule is off.
 */
final class FolderWalk {
    /** The maximum number of links, as in the kernel. */
    private static final int MOST_LINKS = 40;

    private final Path path;
    private final Deque<String> names = new ArrayDeque<>();
    private int current;
    private int links;

    private FolderWalk(Path path) throws IOException {
        this.path = path;
        current = FileCalls.open("/", FileCalls.PATH | FileCalls.DIRECTORY);
        path.forEach(name -> names.add(name.toString()));
    }

    /**
     * Opens a folder with {@link FileCalls#PATH} by its absolute path. Fails if it does not exist, or a link on the
     * path must not be followed.
     */
    static int open(Path path) throws IOException {
        FolderWalk walk = new FolderWalk(path);
        try {
            while (!walk.names.isEmpty()) {
                walk.step(walk.names.removeFirst());
            }
            return walk.current;
        } catch (LibcException e) {
            FileCalls.close(walk.current);
            throw walk.named(e);
        } catch (IOException | RuntimeException e) {
            FileCalls.close(walk.current);
            throw e;
        }
    }

    private void step(String name) throws IOException {
        int next = FileCalls.openAt(current, name, FileCalls.PATH);
        try {
            FileCalls.Stat stat = FileCalls.stat(next);
            if (stat.isLink()) {
                follow(name, next, stat);
            } else if (stat.isDirectory()) {
                int left = current;
                current = next;
                next = left;
            } else {
                throw new NotDirectoryException(path.toString());
            }
        } finally {
            FileCalls.close(next);
        }
    }

    private void follow(String name, int link, FileCalls.Stat stat) throws IOException {
        FileCalls.Stat folder = FileCalls.stat(current);
        boolean isOfRoot =
                folder.uid() == 0 && (!folder.mayOthersWrite() || (!folder.letsOthersReplace() && stat.uid() == 0));
        if (!isOfRoot) {
            throw new FileSystemException(
                    path.toString(),
                    null,
                    "\"" + name
                            + "\" is a symbolic link in a folder that other users can write; use the link's target"
                            + " instead");
        }
        if (++links > MOST_LINKS) {
            throw new FileSystemException(path.toString(), null, "too many symbolic links");
        }
        String target = FileCalls.readLink(link);
        Arrays.stream(target.split("/", -1))
                .filter(each -> !each.isEmpty())
                .toList()
                .reversed()
                .forEach(names::addFirst);
        if (target.startsWith("/")) {
            int root = FileCalls.open("/", FileCalls.PATH | FileCalls.DIRECTORY);
            FileCalls.close(current);
            current = root;
        }
    }

    private FileSystemException named(LibcException e) {
        return switch (e.error()) {
            case Errno.ENOENT -> new NoSuchFileException(path.toString());
            case Errno.ENOTDIR -> new NotDirectoryException(path.toString());
            case Errno.EACCES -> new AccessDeniedException(path.toString());
            default -> new FileSystemException(path.toString(), null, e.getMessage());
        };
    }
}
