package dev.unjank.fleet.input;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Lists the input files of a fleet without keeping them in memory: named files and archives, all files below folders,
 * and matches of patterns. In folders, hidden files, files with other extensions ({@link NonTraceFiles}) and fleet
 * folders are left out; named files always count.
 */
public final class Inputs {
    private static final Pattern PATTERN = Pattern.compile("[*?\\[{]");

    private final List<String> named;
    private final @Nullable BufferedReader list;

    /**
     * Creates inputs: files, folders and patterns ({@code "traces/**.pftrace"}), and a list with further ones, one per
     * line; null for none.
     */
    public Inputs(List<String> named, @Nullable BufferedReader list) {
        this.named = List.copyOf(named);
        this.list = list;
    }

    /** Receives the files. */
    @FunctionalInterface
    public interface Sink {
        /**
         * Receives a file by its absolute path; {@code isFound} is true if it was found in a folder or by a pattern,
         * false if it was named explicitly.
         */
        void accept(Path file, boolean isFound) throws IOException, InterruptedException;
    }

    /**
     * Checks that all named inputs exist, so that a mistyped name is reported at once.
     *
     * @throws NoSuchFileException if one does not exist, or a pattern has no match
     */
    public void check() throws IOException {
        for (String name : named) {
            Path path = path(name);
            if (path != null && Files.isDirectory(path)) {
                open(path, true).close();
            } else if ((path == null || !Files.exists(path)) && !hasMatch(name)) {
                throw new NoSuchFileException(name);
            }
        }
    }

    private static boolean hasMatch(String pattern) throws IOException {
        Visitor<RuntimeException> first = (_, _) -> false;
        return isPattern(pattern) && !match(pattern, first);
    }

    /** The number of files; -1 if unknown, since there is a list or an archive. */
    public long count() throws IOException {
        if (list != null) {
            return -1;
        }
        AtomicLong count = new AtomicLong();
        Visitor<RuntimeException> counter = (file, _) -> {
            count.incrementAndGet();
            return !TraceArchive.isNamedLikeOne(file.toString());
        };
        for (String name : named) {
            if (!forEach(name, counter)) {
                return -1;
            }
        }
        return count.get();
    }

    /**
     * Lists all files. A missing file of the list and a folder that cannot be listed are passed on as well, so that
     * they are reported.
     */
    public void forEach(Sink sink) throws IOException, InterruptedException {
        Visitor<InterruptedException> visitor = (file, isFound) -> {
            sink.accept(file, isFound);
            return true;
        };
        for (String name : named) {
            forEach(name, visitor);
        }
        if (list != null) {
            for (String line = list.readLine(); line != null; line = list.readLine()) {
                if (!line.isBlank()) {
                    forEach(line, visitor);
                }
            }
        }
    }

    /** Receives a file; returns false to end the listing. */
    private interface Visitor<X extends Exception> {
        boolean visit(Path file, boolean isFound) throws IOException, X;
    }

    /** Lists the files of a name; false if the visitor stopped. */
    private static <X extends Exception> boolean forEach(String name, Visitor<X> visitor) throws IOException, X {
        Path path = path(name);
        if (path != null && Files.isDirectory(path)) {
            return walk(path, file -> !NonTraceFiles.isNamedSo(file.toString()), false, visitor);
        }
        if (path == null || !Files.exists(path)) {
            if (hasMatch(name)) {
                return match(name, visitor);
            }
            path = absolute(Path.of(name.replace('\0', '?')));
        }
        return visitor.visit(path, false);
    }

    private static @Nullable Path path(String name) {
        try {
            return absolute(Path.of(name));
        } catch (InvalidPathException _) {
            return null;
        }
    }

    /**
     * The absolute path without dots. After a symbolic link, {@code ..} is the parent of the link's target, as in the
     * kernel. A path that does not exist keeps its dots.
     */
    private static Path absolute(Path path) {
        Path named = path.toAbsolutePath();
        Path way = named.getRoot();
        for (Path step : named) {
            Path next = switch (step.toString()) {
                case "." -> way;
                case ".." -> above(way);
                default -> way.resolve(step);
            };
            if (next == null) {
                return named;
            }
            way = next;
        }
        return way;
    }

    /** The parent of a folder; null for a root. */
    private static @Nullable Path above(Path folder) {
        try {
            Path real = Files.isSymbolicLink(folder) ? folder.toRealPath() : folder;
            return Files.isDirectory(real) ? Objects.requireNonNullElse(real.getParent(), real) : null;
        } catch (IOException _) {
            return null;
        }
    }

    private static boolean isPattern(String name) {
        return PATTERN.matcher(name).find();
    }

    /** The matches of a pattern. As in a shell, hidden files need an explicit dot. */
    private static <X extends Exception> boolean match(String pattern, Visitor<X> visitor) throws IOException, X {
        Matcher first = PATTERN.matcher(pattern);
        boolean _ = first.find();
        int cut = pattern.lastIndexOf('/', first.start()) + 1;
        String rest = pattern.substring(cut);
        PathMatcher matcher;
        try {
            matcher = FileSystems.getDefault().getPathMatcher("glob:" + rest);
        } catch (PatternSyntaxException _) {
            return true; // no match
        }
        Path folder = absolute(Path.of(pattern.substring(0, cut)));
        boolean hidden = rest.startsWith(".") || rest.contains("/.");
        return !Files.isDirectory(folder)
                || walk(folder, file -> matcher.matches(folder.relativize(file)), hidden, visitor);
    }

    /**
     * The files below a folder, including pipes and broken links. Links to folders are not followed, and fleet folders
     * are left out.
     */
    private static <X extends Exception> boolean walk(
            Path folder, Predicate<Path> wanted, boolean hidden, Visitor<X> visitor) throws IOException, X {
        if (Files.exists(folder.resolve(NonTraceFiles.FLEET_DESCRIPTION))) {
            return true;
        }
        DirectoryStream<Path> entries;
        try {
            entries = open(folder, hidden);
        } catch (IOException _) {
            return visitor.visit(folder, false);
        }
        try (entries) {
            for (Path entry : entries) {
                boolean goOn = Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)
                        ? walk(entry, wanted, hidden, visitor)
                        : !wanted.test(entry) || Files.isDirectory(entry) || visitor.visit(entry, true);
                if (!goOn) {
                    return false;
                }
            }
            return true;
        } catch (DirectoryIteratorException _) {
            return visitor.visit(folder, false);
        }
    }

    @SuppressWarnings("StreamResourceLeak") // closed by the caller
    private static DirectoryStream<Path> open(Path folder, boolean hidden) throws IOException {
        return Files.newDirectoryStream(
                folder, entry -> hidden || !entry.getFileName().toString().startsWith("."));
    }
}
