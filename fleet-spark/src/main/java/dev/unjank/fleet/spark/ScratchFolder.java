package dev.unjank.fleet.spark;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.SparkEnv;
import org.apache.spark.util.Utils;

/** A temporary folder in Spark's local folder, where the files of killed processes are cleaned up. */
final class ScratchFolder implements AutoCloseable {
    private final Path folder;

    private ScratchFolder(Path folder) {
        this.folder = folder;
    }

    /** Creates a folder, on a worker or the driver. */
    static ScratchFolder make() throws IOException {
        Path all = Path.of(Utils.getLocalDir(SparkEnv.get().conf()));
        return new ScratchFolder(Files.createTempDirectory(all, "unjank-fleet").toRealPath());
    }

    /** Its real path. */
    Path folder() {
        return folder;
    }

    /** Deletes it with its content. */
    @Override
    public void close() {
        delete(folder.toFile());
    }

    private static void delete(File file) {
        File[] inside = file.listFiles();
        if (inside != null) {
            for (File each : inside) {
                delete(each);
            }
        }
        boolean _ = file.delete();
    }
}
