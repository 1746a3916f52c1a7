package dev.unjank.fleet.spark;

import dev.unjank.fleet.run.PartitionRun;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.net.URI;
import java.nio.file.Path;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.jspecify.annotations.Nullable;

/**
 * A file on a file system that Hadoop supports.
 *
 * @param bytes its size
 * @param isFound true if it was found in a folder or by a pattern, false if it was named explicitly
 * @param isFolder whether it is a folder that could not be listed
 * @param done for an archive, the names of the traces in it that an earlier run has already processed
 */
record RemoteFile(String uri, long bytes, boolean isFound, boolean isFolder, Set<String> done) implements Serializable {
    private static final long serialVersionUID = 1;

    RemoteFile(String uri, long bytes, boolean isFound) {
        this(uri, bytes, isFound, false, Set.of());
    }

    /** A folder that could not be listed. */
    static RemoteFile folder(String uri, long bytes) {
        return new RemoteFile(uri, bytes, false, true, Set.of());
    }

    /** A copy that skips some traces in the archive. */
    RemoteFile without(Set<String> others) {
        return new RemoteFile(uri, bytes, isFound, isFolder, Set.copyOf(others));
    }

    /**
     * Its name in the rows: the path for a file of this machine, as without Spark; otherwise the URI in the form that
     * Hadoop's commands accept, without {@code %20}.
     */
    String name() {
        URI where = URI.create(uri);
        return "file".equals(where.getScheme()) ? where.getPath() : new org.apache.hadoop.fs.Path(where).toString();
    }

    /** The file as a source, with Hadoop's settings. */
    PartitionRun.Source source(Configuration configuration) {
        return new PartitionRun.Source() {
            @Override
            public String name() {
                return RemoteFile.this.name();
            }

            @Override
            public long bytes() {
                return bytes;
            }

            @Override
            public boolean isFound() {
                return isFound;
            }

            @Override
            public boolean isFolder() {
                return isFolder;
            }

            @Override
            public Set<String> done() {
                return done;
            }

            @Override
            public @Nullable Path here() {
                URI where = URI.create(uri);
                return "file".equals(where.getScheme()) ? Path.of(where) : null;
            }

            @Override
            public InputStream open() throws IOException {
                URI where = URI.create(uri);
                return FileSystem.get(where, configuration).open(new org.apache.hadoop.fs.Path(where));
            }
        };
    }
}
