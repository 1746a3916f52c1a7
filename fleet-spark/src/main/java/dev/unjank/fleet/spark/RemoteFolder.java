package dev.unjank.fleet.spark;

import dev.unjank.fleet.folder.CompletedTraces;
import dev.unjank.fleet.folder.FleetFolder;
import dev.unjank.fleet.folder.FolderLock;
import dev.unjank.fleet.task.TaskQuery;
import dev.unjank.fleet.task.TraceTask;
import dev.unjank.trace.model.UnusableTraceException;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** {@link FleetFolder} on a file system that can rename folders atomically. Only the driver uses it. */
final class RemoteFolder implements AutoCloseable {
    private static final Pattern PART = Pattern.compile("part=[0-9]{6,9}");
    private static final String ATTEMPTS = ".part-";

    /** The files that list the names of finished traces. */
    private static final Pattern NAMES = Pattern.compile(
            "(%s|%s|%s)[.].*parquet".formatted(TaskQuery.TRACES, TaskQuery.FAILURES, TaskQuery.SKIPPED));

    private final FileSystem system;
    private final Path folder;
    private final Closeable lock;
    private int nextPart;

    /** Whether this run owns the folder, after all checks. */
    private boolean isOurs;

    private RemoteFolder(FileSystem system, Path folder, Closeable lock) {
        this.system = system;
        this.folder = folder;
        this.lock = lock;
    }

    static RemoteFolder open(String out, TraceTask task, boolean resume, Configuration configuration)
            throws IOException {
        FileSystem system = new Path(out).getFileSystem(configuration);
        Path folder = system.makeQualified(new Path(out));
        system.setWriteChecksum(false);
        if (!system.mkdirs(folder)) {
            throw new IOException(out + ": cannot be created");
        }
        FleetFolder.refuseOtherContent(folder.toString(), names(system, folder)); // before anything is written
        RemoteFolder opened = new RemoteFolder(system, folder, lock(system, folder));
        try {
            opened.begin(FleetFolder.description(task), resume);
            return opened;
        } catch (Throwable e) {
            opened.close();
            throw e;
        }
    }

    private static List<String> names(FileSystem system, Path folder) throws IOException {
        return Arrays.stream(system.listStatus(folder))
                .map(status -> status.getPath().getName())
                .toList();
    }

    private static Closeable lock(FileSystem system, Path folder) throws IOException {
        return system.getUri().getScheme().equals("file")
                ? FolderLock.take(java.nio.file.Path.of(folder.toUri().getPath()))
                : RemoteLock.take(system, folder);
    }

    private void begin(String description, boolean resume) throws IOException {
        Path file = new Path(folder, FleetFolder.DESCRIPTION);
        if (system.exists(file)) {
            String there;
            try (var in = system.open(file)) {
                there = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
            FleetFolder.refuseUnlessSame(folder.toString(), there, description, resume);
        } else {
            Path unfinished = new Path(folder, "." + FleetFolder.DESCRIPTION);
            try (OutputStream stream = system.create(unfinished)) {
                stream.write(description.getBytes(StandardCharsets.UTF_8));
            }
            rename(unfinished, file);
        }
        for (String name : names(system, folder)) {
            if (PART.matcher(name).matches()) {
                nextPart = Math.max(nextPart, Integer.parseInt(name.substring(name.indexOf('=') + 1)) + 1);
            }
        }
        clearUp();
        boolean _ = system.delete(new Path(folder, FleetFolder.TEMPORARY), true); // the temporary folder of a local run
        isOurs = true;
    }

    String uri() {
        return folder.toString();
    }

    /** The names of the finished traces, read from local copies of the files. */
    CompletedTraces known() throws IOException {
        try (ScratchFolder scratch = ScratchFolder.make()) {
            java.nio.file.Path here = scratch.folder();
            for (String name : names(system, folder)) {
                if (PART.matcher(name).matches()) {
                    copyNames(new Path(folder, name), Files.createDirectory(here.resolve(name)));
                }
            }
            return CompletedTraces.of(here);
        }
    }

    private void copyNames(Path part, java.nio.file.Path here) throws IOException {
        for (FileStatus file : system.listStatus(part)) {
            String name = file.getPath().getName();
            if (NAMES.matcher(name).matches()) {
                system.copyToLocalFile(
                        false, file.getPath(), new Path(here.resolve(name).toUri()), true);
            }
        }
    }

    /** Renames the output of an attempt to a part. */
    synchronized void add(PartitionFunction.Done done) throws IOException {
        Path part = new Path(folder, String.format(Locale.ROOT, "part=%06d", nextPart));
        if (system.exists(part)) { // on some file systems rename() moves into an existing folder
            throw new UnusableTraceException(folder + ": another run is writing to it");
        }
        rename(new Path(folder, done.part()), part);
        nextPart++;
    }

    private void rename(Path from, Path to) throws IOException {
        if (!system.rename(from, to)) {
            throw new IOException(folder + ": " + from.getName() + " could not be renamed to " + to.getName());
        }
    }

    /** Deletes the output of failed and duplicate attempts. */
    void clearUp() throws IOException {
        for (String name : names(system, folder)) {
            if (name.startsWith(ATTEMPTS)) {
                boolean _ = system.delete(new Path(folder, name), true);
            }
        }
    }

    /**
     * Releases the lock. If the folder has no part, deletes the file that describes the task, so that the next run may
     * have another task.
     */
    @Override
    public void close() throws IOException {
        try {
            if (isOurs && nextPart == 0) {
                boolean _ = system.delete(new Path(folder, FleetFolder.DESCRIPTION), false);
            }
        } finally {
            lock.close();
        }
    }
}
