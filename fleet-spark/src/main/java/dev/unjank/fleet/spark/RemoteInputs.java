package dev.unjank.fleet.spark;

import dev.unjank.fleet.folder.FleetFolder;
import dev.unjank.fleet.input.Inputs;
import dev.unjank.fleet.input.NonTraceFiles;
import dev.unjank.trace.model.UnusableTraceException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;

/**
 * Lists input files: those of this machine with {@link Inputs}, others with Hadoop's patterns, which have no {@code
 * **}.
 */
final class RemoteInputs {
    /**
     * The scheme of a file of this machine. It is removed here, since Hadoop would resolve {@code ..} without following
     * links.
     */
    private static final Pattern SCHEME = Pattern.compile("^file:(//[^/]*)?");

    private final Configuration configuration;
    private final Map<String, RemoteFile> files = new LinkedHashMap<>();

    private RemoteInputs(Configuration configuration) {
        this.configuration = configuration;
    }

    /** All files of some names, each once. */
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
        if (system.getUri().getScheme().equals("file")) {
            addLocal(SCHEME.matcher(name).replaceFirst(""));
        } else if (system.exists(path)) {
            FileStatus status = system.getFileStatus(path);
            add(system, status, false);
        } else {
            addMatches(name, path, system);
        }
    }

    private void addLocal(String name) throws IOException {
        Inputs inputs = new Inputs(List.of(name), null);
        try {
            inputs.check();
            inputs.forEach((file, isFound) -> {
                URI uri = file.toUri();
                long bytes = file.toFile().length();
                add(Files.isDirectory(file) ? folder(uri, bytes) : new RemoteFile(uri.toString(), bytes, isFound));
            });
        } catch (NoSuchFileException _) {
            throw nothing(name);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e); // never blocks
        }
    }

    private void addMatches(String name, Path pattern, FileSystem system) throws IOException {
        if (name.contains("**")) {
            throw new UnusableTraceException(name + ": ** only works for files of this machine; give a folder");
        }
        FileStatus[] found = system.globStatus(pattern);
        if (found == null || found.length == 0) {
            throw nothing(name);
        }
        for (FileStatus status : found) {
            add(system, status, true);
        }
    }

    private static FileNotFoundException nothing(String name) {
        return new FileNotFoundException(name + ": no such file or folder, and no file matches it");
    }

    private void add(RemoteFile file) {
        files.putIfAbsent(file.uri(), file);
    }

    /** Returns a folder that could not be listed; a slash at the end of its URI is removed. */
    static RemoteFile folder(URI uri, long bytes) {
        String name = uri.toString();
        return RemoteFile.folder(name.endsWith("/") ? name.substring(0, name.length() - 1) : name, bytes);
    }

    private void add(FileSystem system, FileStatus file, boolean isFound) throws IOException {
        if (file.isDirectory()) {
            FileStatus[] all;
            try {
                all = system.listStatus(file.getPath());
            } catch (AccessControlException | AccessDeniedException e) {
                if (!isFound) {
                    throw e;
                }
                add(folder(file.getPath().toUri(), file.getLen()));
                return;
            }
            if (Arrays.stream(all).anyMatch(each -> each.getPath().getName().equals(FleetFolder.DESCRIPTION))) {
                return; // a fleet's folder
            }
            for (FileStatus inside : all) {
                String name = inside.getPath().getName();
                if (!name.startsWith(".") && (inside.isDirectory() || !NonTraceFiles.isNamedSo(name))) {
                    add(system, inside, true);
                }
            }
        } else {
            add(new RemoteFile(file.getPath().toUri().toString(), file.getLen(), isFound));
        }
    }
}
