package dev.unjank.fleet;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of a fleet, one after another, however many: files and archives as named, all files below folders, and what matches a
 * pattern. What lies in a folder counts unless it is hidden, or its name says that it is something else ({@link OtherFiles}); what is
 * named counts in any case.
 */
public final class Inputs {
    private static final Pattern PATTERN = Pattern.compile("[*?\\[{]");

    private final List<String> named;
    private final @Nullable BufferedReader list;

    /**
     * Inputs as somebody names them.
     *
     * @param named files, folders and patterns ({@code "traces/**.pftrace"})
     * @param list more of them, one to a line; null for none
     */
    public Inputs(List<String> named, @Nullable BufferedReader list) {
        this.named = List.copyOf(named);
        this.list = list;
    }

    /** Where files go. */
    @FunctionalInterface
    public interface Sink {
        /**
         * Takes a file.
         *
         * @param file its absolute name
         * @param isFound whether it was found in a folder or by a pattern, and not named
         * @throws IOException if it cannot be handed on
         * @throws InterruptedException if nobody wants more
         */
        void accept(Path file, boolean isFound) throws IOException, InterruptedException;
    }

    /**
     * Makes sure that what is named is there, as a slip of the finger should not show as a failure among thousands.
     *
     * @throws NoSuchFileException if something is not, or a pattern fits nothing
     * @throws IOException if a folder cannot be looked into
     */
    public void check() throws IOException {
        for (String name : named) {
            try (Stream<Path> files = files(name)) {
                if (files.findFirst().isEmpty() && isPattern(name)) {
                    throw new NoSuchFileException(name);
                }
            }
        }
    }

    /**
     * Counts the files named, but not those on a list, which can be read only once.
     *
     * @return how many; -1 if nobody can say, since there is a list, or an archive among them
     * @throws IOException if a folder cannot be looked into
     */
    public long count() throws IOException {
        if (list != null) {
            return -1;
        }
        long count = 0;
        for (String name : named) {
            try (Stream<Path> files = files(name)) {
                for (Iterator<Path> each = files.iterator(); each.hasNext(); ) {
                    if (Archive.isNamedLikeOne(each.next())) {
                        return -1;
                    }
                    count++;
                }
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }
        return count;
    }

    /**
     * Hands over every file.
     *
     * @param sink where to
     * @throws IOException if a folder or the list cannot be read
     * @throws InterruptedException from the sink
     */
    public void forEach(Sink sink) throws IOException, InterruptedException {
        for (String name : named) {
            forEach(name, sink);
        }
        if (list != null) {
            for (String line = list.readLine(); line != null; line = list.readLine()) {
                if (!line.isBlank()) {
                    forEach(line, sink);
                }
            }
        }
    }

    private static void forEach(String name, Sink sink) throws IOException, InterruptedException {
        Path path = path(name);
        boolean isFound = path == null || Files.isDirectory(path) || !Files.exists(path);
        try (Stream<Path> files = files(name)) {
            for (Iterator<Path> each = files.iterator(); each.hasNext(); ) {
                sink.accept(each.next(), isFound);
            }
        } catch (NoSuchFileException _) {
            // on a list, it is a failure among others
            sink.accept(Path.of(name.replace('\0', '?')).toAbsolutePath().normalize(), false);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** The files that a name stands for. */
    @SuppressWarnings("StreamResourceLeak") // closed with the stream that is returned
    private static Stream<Path> files(String name) throws IOException {
        Path path = path(name);
        if (path != null && Files.isDirectory(path)) {
            Path folder = path.toAbsolutePath().normalize();
            return Files.walk(folder).filter(file -> isTrace(folder, file));
        }
        if (path != null && Files.exists(path)) {
            return Stream.of(path.toAbsolutePath().normalize());
        }
        if (!isPattern(name)) {
            throw new NoSuchFileException(name);
        }
        return matches(name);
    }

    private static @Nullable Path path(String name) {
        try {
            return Path.of(name);
        } catch (InvalidPathException _) {
            return null;
        }
    }

    private static boolean isPattern(String name) {
        return PATTERN.matcher(name).find();
    }

    @SuppressWarnings("StreamResourceLeak") // closed with the stream that is returned
    private static Stream<Path> matches(String pattern) throws IOException {
        String absolute = pattern.startsWith("/") ? pattern : Path.of("").toAbsolutePath() + "/" + pattern;
        var first = PATTERN.matcher(absolute);
        boolean _ = first.find();
        Path folder = Path.of(absolute.substring(0, absolute.lastIndexOf('/', first.start()) + 1))
                .normalize();
        if (!Files.isDirectory(folder)) {
            throw new NoSuchFileException(pattern);
        }
        PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + absolute);
        return Files.walk(folder).filter(file -> Files.isRegularFile(file) && matcher.matches(file));
    }

    private static boolean isTrace(Path folder, Path file) {
        for (Path part : folder.relativize(file)) {
            if (part.toString().startsWith(".")) {
                return false;
            }
        }
        return !OtherFiles.isNamedSo(file.toString()) && Files.isRegularFile(file);
    }
}
