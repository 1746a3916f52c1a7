package dev.unjank.record.session;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;

/**
 * Checks of the owners of files and folders. A program that runs as root must not replace a file that another user has
 * put into a folder that others can write: any user can create a file, a link or a pipe there under the expected name.
 */
public final class FileOwnership {
    private static final Path PROCESS = Path.of("/proc/self");

    private static final int STICKY = 0x200;

    private FileOwnership() {}

    /** The user that this process runs as. */
    public static UserPrincipal self() throws IOException {
        if (Files.exists(PROCESS)) {
            return Files.getOwner(PROCESS);
        }
        Path probe = Files.createTempFile("unjank", null);
        try {
            return Files.getOwner(probe);
        } finally {
            Files.delete(probe);
        }
    }

    /** Whether this process runs as root; also false if the file system has no Unix users. */
    public static boolean isRoot() throws IOException {
        return isUnix() && self().equals(root());
    }

    private static boolean isUnix() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("unix");
    }

    private static UserPrincipal root() throws IOException {
        return FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName("0");
    }

    /**
     * Whether other users can create, rename or delete files in a folder, root excepted: its group or others may write
     * to it, or another user owns it. Access control lists are not read.
     */
    public static boolean canOthersWrite(PosixFileAttributes folder) throws IOException {
        Set<PosixFilePermission> permissions = folder.permissions();
        return permissions.contains(PosixFilePermission.GROUP_WRITE)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)
                || !(folder.owner().equals(self()) || folder.owner().equals(root()));
    }

    /**
     * Whether a file, or a link itself, belongs to another user and is in a folder that others can write, so that root
     * must not replace it.
     */
    public static boolean isForeign(PosixFileAttributes file, PosixFileAttributes folder) throws IOException {
        return !file.owner().equals(self()) && canOthersWrite(folder);
    }

    /**
     * Whether other users can rename or delete a file of this user in a folder, root excepted. In a sticky folder such
     * as {@code /tmp} only its owner can. Also false if the file system has no Unix users.
     */
    public static boolean canOthersSwap(Path folder) throws IOException {
        if (!isUnix()) {
            return false;
        }
        PosixFileAttributes attributes = Files.readAttributes(folder, PosixFileAttributes.class);
        boolean isSticky = ((int) Files.getAttribute(folder, "unix:mode") & STICKY) != 0;
        boolean isOwnedByAnother =
                !attributes.owner().equals(self()) && !attributes.owner().equals(root());
        return isOwnedByAnother || (canOthersWrite(attributes) && !isSticky);
    }
}
