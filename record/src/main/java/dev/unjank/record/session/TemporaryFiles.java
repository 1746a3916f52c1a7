package dev.unjank.record.session;

import dev.unjank.trace.tempfile.ProcessTempFiles;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Creates the recorder's own files and folders in the system's temporary folder. Only this user may read them; the next
 * recorder deletes those of killed ones. As root, a temporary folder is refused in which other users could exchange
 * them, such as one without the sticky bit.
 */
public final class TemporaryFiles {
    private TemporaryFiles() {}

    /** Creates a folder of a kind, in lower case. The caller deletes it. */
    public static Path folder(String kind) throws IOException {
        requireSafe();
        return ProcessTempFiles.ownFolder(kind);
    }

    /** The same; it is deleted at the end of the process. */
    public static Path folderUntilExit(String kind) throws IOException {
        requireSafe();
        return ProcessTempFiles.folder(kind);
    }

    /** Creates a file of a kind, in lower case, with a suffix such as {@code .jar}. The caller deletes it. */
    public static Path file(String kind, String suffix) throws IOException {
        requireSafe();
        return ProcessTempFiles.ownFile(kind, suffix);
    }

    private static void requireSafe() throws IOException {
        Path all = Path.of(System.getProperty("java.io.tmpdir"));
        if (FileOwnership.isRoot() && FileOwnership.canOthersSwap(all)) {
            throw new IOException("other users can exchange root's files in the temporary folder " + all
                    + "; set its sticky bit with chmod +t, or choose another folder with"
                    + " JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=FOLDER");
        }
    }
}
