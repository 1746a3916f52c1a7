package dev.unjank.fleet.spark;

import dev.unjank.fleet.Inputs;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Lists files as {@link Inputs} does, wherever they are: by Hadoop's patterns, which know no {@code **}. */
final class RemoteInputs {
    private final Configuration configuration;
    private final Map<String, RemoteFile> files = new LinkedHashMap<>();

    private RemoteInputs(Configuration configuration) {
        this.configuration = configuration;
    }

    /** All files that some names stand for, each once. */
    static List<RemoteFile> list(List<String> names, Configuration configuration) throws IOException {
        RemoteInputs inputs = new RemoteInputs(configuration);
        for (String name : names) {
            inputs.add(name);
        }
        return new ArrayList<>(inputs.files.values());
    }

    private void add(String name) throws IOException {
        Path path = new Path(name);
        FileSystem system = path.getFileSystem(configuration);
        FileStatus[] found =
                system.exists(path) ? new FileStatus[] {system.getFileStatus(path)} : system.globStatus(path);
        if (found == null || found.length == 0) {
            throw new FileNotFoundException(name + ": there is no such file or folder, and no file fits it");
        }
        for (FileStatus status : found) {
            if (status.isDirectory()) {
                addAll(system, status.getPath());
            } else {
                add(status);
            }
        }
    }

    private void addAll(FileSystem system, Path folder) throws IOException {
        for (FileStatus status : system.listStatus(folder)) {
            String name = status.getPath().getName();
            if (name.startsWith(".")) {
                continue;
            }
            if (status.isDirectory()) {
                addAll(system, status.getPath());
            } else if (!Inputs.isBesideTraces(name)) {
                add(status);
            }
        }
    }

    private void add(FileStatus file) {
        String uri = file.getPath().toUri().toString();
        files.putIfAbsent(uri, new RemoteFile(uri, file.getLen()));
    }
}
