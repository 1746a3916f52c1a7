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
 * Where a run's rows go. A part holds the rows of some traces, a Parquet file for each table, in a folder {@code part=000017}. It is
 * written under another name and then renamed, which the file system does whole or not at all: whoever looks, at any time and
 * whatever was killed when, finds each trace either with all its rows or not at all. So the parts themselves are the record of what
 * has been done.
 *
 * <p>{@code fleet.json} says what was asked; a run can only be gone on with by the same questions. One process at a time writes.
 */
public final class FleetFolder implements AutoCloseable {
    /** Of the rows; older ones have other columns. */
    private static final int FORMAT = 3;

    private static final String FORMAT_FIELD = "format";

    /** Says what was asked. */
    public static final String DESCRIPTION = NonTraceFiles.FLEET_DESCRIPTION;

    /** Where traces lie that came out of archives; of a run that was killed nobody needs them. */
    public static final String TEMPORARY = ".traces";

    private static final Pattern MEANS_SOMETHING = Pattern.compile("[*?\\[]");
    private static final Pattern PART = Pattern.compile("part=[0-9]{6,9}");
    private static final Pattern UNFINISHED = Pattern.compile("[.]part-.*");

    /**
     * What a run may leave that ended before it had a part: its lock, its description, a folder of the engine's, or what a worker of Spark
     * still wrote when the driver had ended, by the name of its attempt.
     */
    private static final Pattern BEGUN =
            Pattern.compile("[.](lock|fleet[.]json.*|unjank-[0-9a-f-]+[.]tmp|part-([0-9]{6,9}|.+-[0-9]{13}-[0-9]+))");

    private final Path folder;
    private final FolderLock lock;
    private final DurableFiles disk;
    private int nextPart;

    /** Whether this run may write here, and not only looked what there is. */
    private boolean isOurs;

    private FleetFolder(Path folder, FolderLock lock, DurableFiles disk) {
        this.folder = folder;
        this.lock = lock;
        this.disk = disk;
    }

    /**
     * Opens a folder to write to.
     *
     * @param folder where; made if it is not there
     * @param task what will be asked
     * @param resume whether to go on with a run that is there
     * @return the folder, to be closed
     * @throws UnusableTraceException if there is a run already and it is not to be gone on with, or asked other things
     * @throws IOException if it cannot be written to
     */
    public static FleetFolder open(Path folder, TraceTask task, boolean resume) throws IOException {
        return open(folder, task, resume, DurableFiles.REAL);
    }

    /** The same, on a disk. */
    static FleetFolder open(Path folder, TraceTask task, boolean resume, DurableFiles disk) throws IOException {
        if (MEANS_SOMETHING.matcher(folder.toAbsolutePath().toString()).find()) {
            throw new UnusableTraceException(
                    folder + ": has a *, ? or [ in its name, which readers of Parquet take for a pattern");
        }
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new UnusableTraceException(folder + ": is no folder; name another one");
        }
        Files.createDirectories(folder);
        refuseStrangers(folder.toString(), names(folder)); // before anything of ours is in it
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
     * Refuses to go on with a run that is there, unless that is wanted and makes sense.
     *
     * @param folder where it is, for people
     * @param there the run's {@link #description}
     * @param description what is to be asked now
     * @param resume whether it is wanted
     * @throws UnusableTraceException if not
     */
    public static void refuseUnlessSame(String folder, String there, String description, boolean resume)
            throws UnusableTraceException {
        if (!resume) {
            throw new UnusableTraceException(
                    folder + ": holds a run already; go on with it (--resume), or name another folder");
        }
        refuseOtherFormat(folder, there);
        if (!there.equals(description)) {
            throw new UnusableTraceException(
                    folder + ": its run asked something else (see " + DESCRIPTION + "); name another folder");
        }
    }

    /**
     * Refuses what another version of this program has written.
     *
     * @param folder where it is, for people
     * @param there the run's {@link #description}
     */
    static void refuseOtherFormat(String folder, String there) throws UnusableTraceException {
        boolean same;
        try (JsonParser json = new JsonFactory().createParser(ObjectReadContext.empty(), there)) {
            same = json.nextToken() == JsonToken.START_OBJECT
                    && FORMAT_FIELD.equals(json.nextName())
                    && json.nextIntValue(0) == FORMAT;
        } catch (JacksonException _) {
            same = false; // it is not even JSON
        }
        if (!same) {
            throw new UnusableTraceException(
                    folder + ": was written by another version of unjank; ask the traces again, into another folder");
        }
    }

    /**
     * Refuses a folder of others, in which nothing is to be written or deleted.
     *
     * @param folder where it is, for people
     * @param names what is in it
     * @throws UnusableTraceException if it has anything but a run or what is left of the beginning of one
     */
    public static void refuseStrangers(String folder, List<String> names) throws UnusableTraceException {
        boolean isRun = names.contains(DESCRIPTION);
        if (!isRun && !names.stream().allMatch(name -> BEGUN.matcher(name).matches())) {
            throw new UnusableTraceException(folder + ": is neither empty nor a run's; name another folder");
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

    /**
     * {@return where it is}
     */
    public Path path() {
        return folder;
    }

    /** Where traces go that come out of archives, until this is closed; what a killed run leaves there, the next one deletes. */
    public Path temporary() throws IOException {
        return Files.createDirectories(folder.resolve(TEMPORARY));
    }

    /** The tables that parts have rows of. */
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

    /** A table's files, as a text in the engine's SQL. */
    public static String glob(Path folder, String table) {
        return "'" + (folder + "/part=*/" + table + ".*parquet").replace("'", "''") + "'";
    }

    /**
     * Adds a part. When this returns, it is there for good.
     *
     * @param outcomes what became of some traces
     * @param writer writes it
     * @throws IOException if it cannot be written
     */
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

    /** In this order, as a machine that goes down may otherwise leave a new name whose content it has lost. */
    private void publish(Path unfinished, Path there) throws IOException {
        disk.sync(unfinished);
        disk.rename(unfinished, there);
        disk.sync(folder);
    }

    /** How many parts there are. */
    int parts() {
        return nextPart;
    }

    /**
     * {@return what a task asks, in words that are the same if and only if it is; of labels from a file only whether there are any, as
     * it may have come to know more traces}
     *
     * @param task the task
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

    /** Nobody waits for the thread that unpacks: once interrupted it may have made one more file, but not two. */
    private static void deleteTemporary(Path temporary) throws IOException {
        try {
            deleteFolder(temporary);
        } catch (DirectoryNotEmptyException _) {
            deleteFolder(temporary);
        }
    }

    /** Others may delete what is in it at the same time. */
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

    /** Lets others write. If there are no rows, nothing was asked, and the next run may ask what it likes. */
    @Override
    public void close() throws IOException {
        try {
            deleteTemporary(folder.resolve(TEMPORARY)); // while the description tells whose it is
            if (isOurs && nextPart == 0) {
                Files.deleteIfExists(folder.resolve(DESCRIPTION));
            }
        } finally {
            lock.close();
        }
    }
}
