package dev.unjank.fleet.spark;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.SparkEnv;
import org.apache.spark.util.Utils;

/** A folder for temporary files, among Spark's own: who cleans up there after a process that was killed does so with these, too. */
final class ScratchFolder implements AutoCloseable {
    private final Path folder;

    private ScratchFolder(Path folder) {
        this.folder = folder;
    }

    /** Makes one, on a worker or the driver. */
    static ScratchFolder make() throws IOException {
        Path all = Path.of(Utils.getLocalDir(SparkEnv.get().conf()));
        return new ScratchFolder(Files.createTempDirectory(all, "unjank-fleet").toRealPath());
    }

    /** Where it is, by its real name. */
    Path folder() {
        return folder;
    }

    /** Deletes it, and what is in it. */
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
