package dev.unjank.fleet.spark;

import dev.unjank.fleet.Portion;
import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import java.nio.file.Path;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * A file on any file system that Hadoop's interface reaches.
 *
 * @param uri where it is
 * @param bytes how large it is
 * @param isFound whether it was found in a folder or by a pattern, and not named
 * @param done the names of the traces in it that an earlier run has asked, if it is an archive
 */
record RemoteFile(String uri, long bytes, boolean isFound, Set<String> done) implements Serializable {
    private static final long serialVersionUID = 1;

    RemoteFile(String uri, long bytes, boolean isFound) {
        this(uri, bytes, isFound, Set.of());
    }

    /** The same, some of whose traces are not to be asked again. */
    RemoteFile without(Set<String> others) {
        return new RemoteFile(uri, bytes, isFound, Set.copyOf(others));
    }

    /** By which name its rows know it: a file of this machine by its path, as when it is read without Spark. */
    String name() {
        URI where = URI.create(uri);
        return "file".equals(where.getScheme()) ? where.getPath() : uri;
    }

    /** The file, to be had with some settings. */
    Portion.Source source(Configuration configuration) {
        return new Portion.Source() {
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
            public Set<String> done() {
                return done;
            }

            @Override
            public Path fetch(Path folder) throws IOException {
                URI where = URI.create(uri);
                if ("file".equals(where.getScheme())) {
                    return Path.of(where);
                }
                org.apache.hadoop.fs.Path there = new org.apache.hadoop.fs.Path(where);
                Path here = folder.resolve(there.getName()); // the end of its name says whether it is an archive
                FileSystem.get(where, configuration)
                        .copyToLocalFile(false, there, new org.apache.hadoop.fs.Path(here.toUri()), true);
                return here;
            }
        };
    }
}
