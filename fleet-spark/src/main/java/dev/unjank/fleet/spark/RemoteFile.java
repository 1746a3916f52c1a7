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
 * A file on any file system that Hadoop's interface reaches.
 *
 * @param uri where it is
 * @param bytes how large it is
 * @param isFound whether it was found in a folder or by a pattern, and not named
 * @param isFolder whether it is a folder that could not be looked into
 * @param done the names that an earlier run has rows of, if it is an archive
 */
record RemoteFile(String uri, long bytes, boolean isFound, boolean isFolder, Set<String> done) implements Serializable {
    private static final long serialVersionUID = 1;

    RemoteFile(String uri, long bytes, boolean isFound) {
        this(uri, bytes, isFound, false, Set.of());
    }

    /** A folder that could not be looked into. */
    static RemoteFile folder(String uri, long bytes) {
        return new RemoteFile(uri, bytes, false, true, Set.of());
    }

    /** The same, some of whose traces are not to be asked again. */
    RemoteFile without(Set<String> others) {
        return new RemoteFile(uri, bytes, isFound, isFolder, Set.copyOf(others));
    }

    /**
     * By which name its rows know it: a file of this machine by its path, as when it is read without Spark, others as Hadoop's commands
     * take them, which do not know {@code %20}.
     */
    String name() {
        URI where = URI.create(uri);
        return "file".equals(where.getScheme()) ? where.getPath() : new org.apache.hadoop.fs.Path(where).toString();
    }

    /** The file, to be had with some settings. */
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
