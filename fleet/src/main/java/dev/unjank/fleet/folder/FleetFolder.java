package dev.unjank.fleet.folder;

import dev.unjank.fleet.input.NonTraceFiles;
import dev.unjank.fleet.task.TaskQuery;
import dev.unjank.fleet.task.TraceResult;
import dev.unjank.fleet.task.TraceTask;
import dev.unjank.trace.model.UnusableTraceException;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The folder that a run of {@code fleet} writes. A part is a folder {@code part=000017} with the rows of some traces,
 * one Parquet file per table. Parts are written under a temporary name and renamed atomically. So at any time, even
 * after a kill, a trace has either all of its rows or none. The list of finished traces is derived from the parts.
 *
 * <p>{@code fleet.json} describes the task; a run can only be resumed with the same task. Only one process at a time
 * can write.
 */
public final class FleetFolder implements AutoCloseable {
    /** The version of the tables; older versions have other columns. */
    private static final int FORMAT = 4;

    private static final String FORMAT_FIELD = "format";

    /** The file that describes the task. */
    public static final String DESCRIPTION = NonTraceFiles.FLEET_DESCRIPTION;

    /** The folder of traces extracted from archives. */
    public static final String TEMPORARY = ".traces";

    private static final Pattern PATTERN_CHARACTER = Pattern.compile("[*?\\[]");
    private static final Pattern PART = Pattern.compile("part=[0-9]{6,9}");
    private static final Pattern UNFINISHED = Pattern.compile("[.]part-.*");

    /**
     * Files that a run without finished parts may leave: its lock, its description, a folder of the engine, and the
     * output of a Spark worker that was still writing when the driver ended.
     */
    private static final Pattern LEFTOVER =
            Pattern.compile("[.](lock|fleet[.]json.*|unjank-[0-9a-f-]+[.]tmp|part-([0-9]{6,9}|.+-[0-9]{13}-[0-9]+))");

    private final Path folder;
    private final FolderLock lock;
    private final DurableFiles disk;
    private int nextPart;

    /** Whether this run owns the folder, after all checks. */
    private boolean isOurs;

    private FleetFolder(Path folder, FolderLock lock, DurableFiles disk) {
        this.folder = folder;
        this.lock = lock;
        this.disk = disk;
    }

    /**
     * Opens a folder for writing.
     *
     * @param folder the folder, created if missing
     * @return the folder, which the caller closes
     * @throws UnusableTraceException if the folder has an earlier run, and {@code resume} is false or the task differs
     */
    public static FleetFolder open(Path folder, TraceTask task, boolean resume) throws IOException {
        return open(folder, task, resume, DurableFiles.REAL);
    }

    /** Opens a folder on a given disk. */
    static FleetFolder open(Path folder, TraceTask task, boolean resume, DurableFiles disk) throws IOException {
        if (PATTERN_CHARACTER.matcher(folder.toAbsolutePath().toString()).find()) {
            throw new UnusableTraceException(folder
                    + ": the folder name contains *, ? or [, which Parquet readers interpret as a pattern;"
                    + " choose another folder");
        }
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new UnusableTraceException(folder + ": is not a folder; choose another one");
        }
        Files.createDirectories(folder);
        refuseOtherContent(folder.toString(), names(folder)); // before anything is written
        FleetFolder opened = new FleetFolder(folder.toRealPath(), FolderLock.take(folder), disk);
        try {
            opened.begin(description(task), resume);
            return opened;
        } catch (Throwable e) {
            opened.close();
            throw e;
        }
    }

    private void begin(String description, boolean resume) throws IOException {
        Path file = folder.resolve(DESCRIPTION);
        if (Files.exists(file)) {
            refuseUnlessSame(folder.toString(), Files.readString(file), description, resume);
        } else {
            Path unfinished = folder.resolve("." + DESCRIPTION);
            Files.writeString(unfinished, description);
            publish(unfinished, file);
        }
        for (String name : names(folder)) {
            if (UNFINISHED.matcher(name).matches() || name.equals(TEMPORARY)) {
                deleteFolder(folder.resolve(name));
            } else if (PART.matcher(name).matches()) {
                nextPart = Math.max(nextPart, number(name) + 1);
            }
        }
        isOurs = true;
    }

    /**
     * Refuses a folder with an earlier run, unless {@code resume} is true and the {@link #description} of the earlier
     * run is that of the same task.
     */
    public static void refuseUnlessSame(String folder, String earlier, String description, boolean resume)
            throws UnusableTraceException {
        if (!resume) {
            throw new UnusableTraceException(
                    folder + ": contains an earlier run; continue it with --resume, or choose another folder");
        }
        refuseOtherFormat(folder, earlier);
        if (!earlier.equals(description)) {
            throw new UnusableTraceException(
                    folder + ": the earlier run had other options (see " + DESCRIPTION + "); choose another folder");
        }
    }

    /** Refuses a folder whose {@link #description} is of another version of this program. */
    static void refuseOtherFormat(String folder, String there) throws UnusableTraceException {
        boolean same;
        try (JsonParser json = new JsonFactory().createParser(ObjectReadContext.empty(), there)) {
            same = json.nextToken() == JsonToken.START_OBJECT
                    && FORMAT_FIELD.equals(json.nextName())
                    && json.nextIntValue(0) == FORMAT;
        } catch (JacksonException _) {
            same = false; // not JSON
        }
        if (!same) {
            throw new UnusableTraceException(
                    folder + ": was written by another version of unjank; run the fleet again, into another folder");
        }
    }

    /**
     * Refuses a folder that contains anything except a run or its leftovers, so that other files are not overwritten or
     * deleted.
     */
    public static void refuseOtherContent(String folder, List<String> names) throws UnusableTraceException {
        boolean isRun = names.contains(DESCRIPTION);
        if (!isRun && !names.stream().allMatch(name -> LEFTOVER.matcher(name).matches())) {
            throw new UnusableTraceException(
                    folder + ": is neither empty nor an output folder of unjank fleet; choose another one");
        }
    }

    private static int number(String part) {
        return Integer.parseInt(part.substring(part.indexOf('=') + 1));
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.map(entry -> entry.getFileName().toString()).toList();
        }
    }

    /** {@return the folder} */
    public Path path() {
        return folder;
    }

    /** The folder for traces extracted from archives, deleted by {@link #close} or by the next run. */
    public Path temporary() throws IOException {
        return Files.createDirectories(folder.resolve(TEMPORARY));
    }

    /** The tables that the parts have. */
    static Set<String> tables(Path folder) throws IOException {
        Set<String> tables = new TreeSet<>();
        try (DirectoryStream<Path> parts = Files.newDirectoryStream(folder, FleetFolder::isPart)) {
            for (Path part : parts) {
                try (DirectoryStream<Path> files = Files.newDirectoryStream(part, "*.parquet")) {
                    for (Path file : files) {
                        String name = file.getFileName().toString();
                        tables.add(name.substring(0, name.indexOf('.')));
                    }
                }
            }
        }
        return tables;
    }

    private static boolean isPart(Path entry) {
        return PART.matcher(entry.getFileName().toString()).matches();
    }

    /** The pattern of a table's files, as an SQL string. */
    public static String glob(Path folder, String table) {
        return "'" + (folder + "/part=*/" + table + ".*parquet").replace("'", "''") + "'";
    }

    /** Adds a part. When this returns, it survives a crash. */
    public void add(List<TraceResult> outcomes, ParquetPartWriter writer) throws IOException {
        String number = String.format(Locale.ROOT, "%06d", nextPart);
        Path unfinished = folder.resolve(".part-" + number);
        writer.write(outcomes, unfinished);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(unfinished)) {
            for (Path file : files) {
                disk.sync(file);
            }
        }
        publish(unfinished, folder.resolve("part=" + number));
        nextPart++;
    }

    /**
     * Syncs the unfinished file or folder, renames it, and syncs its parent. In another order a crash could leave a
     * file name without its content.
     */
    private void publish(Path unfinished, Path there) throws IOException {
        disk.sync(unfinished);
        disk.rename(unfinished, there);
        disk.sync(folder);
    }

    /**
     * {@return the description of a task as JSON, equal if and only if the tasks are equal, except that of the labels
     * it records only whether there are any, since the label file may grow between runs}
     */
    public static String description(TraceTask task) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
            json.writeStartObject();
            json.writeNumberProperty(FORMAT_FIELD, FORMAT);
            writeNullable(json, "app", task.app());
            json.writeBooleanProperty("labels", !task.labels().byFile().isEmpty());
            json.writeObjectPropertyStart("questions");
            for (TaskQuery question : task.questions()) {
                json.writeStringProperty(question.table(), question.sql());
            }
            json.writeEndObject();
            json.writeEndObject();
        }
        return text + "\n";
    }

    private static void writeNullable(JsonGenerator json, String name, @Nullable String value) {
        if (value == null) {
            json.writeNullProperty(name);
        } else {
            json.writeStringProperty(name, value);
        }
    }

    /** Deletes the temporary folder. After its interruption the extracting thread may create at most one more file. */
    private static void deleteTemporary(Path temporary) throws IOException {
        try {
            deleteFolder(temporary);
        } catch (DirectoryNotEmptyException _) {
            deleteFolder(temporary);
        }
    }

    /** Deletes a folder with its content; tolerates concurrent deletion. */
    private static void deleteFolder(Path unfinished) throws IOException {
        List<Path> inside = new ArrayList<>();
        Files.walkFileTree(unfinished, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                inside.add(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path gone, IOException e) {
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path left, @Nullable IOException e) {
                inside.add(left);
                return FileVisitResult.CONTINUE;
            }
        });
        for (Path path : inside) {
            Files.deleteIfExists(path);
        }
    }

    /** Releases the lock. If there is no part, deletes the description, so that the next run may have another task. */
    @Override
    public void close() throws IOException {
        try {
            deleteTemporary(folder.resolve(TEMPORARY)); // before the description is deleted
            if (isOurs && nextPart == 0) {
                Files.deleteIfExists(folder.resolve(DESCRIPTION));
            }
        } finally {
            lock.close();
        }
    }
}
