package dev.unjank.fleet.spark;

import java.net.URI;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** {@code elsewhere:/path}: this machine's files, but of a file system that only Hadoop's interface knows. */
public final class ElsewhereFileSystem extends RawLocalFileSystem {
    static final String SETTING = "fs.elsewhere.impl";

    @Override
    public URI getUri() {
        return URI.create("elsewhere:///");
    }

    @Override
    public String getScheme() {
        return "elsewhere";
    }
}
