package dev.unjank.fleet.input;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Reads archives of traces: {@code .zip}, {@code .tar}, {@code .tar.gz}, {@code .tgz}. Each file within is a separate
 * trace, unlike in {@code unjank doctor}, where an archive has several recordings of one machine.
 */
public final class TraceArchive {
    private static final List<String> TARS = List.of(".tar", ".tar.gz", ".tgz");

    /** The separator between the names of an archive and of a file in it. */
    public static final String WITHIN = "!/";

    private static final Pattern PART_OF_NAME = Pattern.compile("/");

    private TraceArchive() {}

    /** A file within an archive. Its content can be read until the next entry is requested. */
    public interface Entry {
        String name();

        /** The size according to the archive's directory; it may be wrong. */
        long bytes();

        /** Whether other entries can be read after a failure to read this one. */
        boolean isApart();

        /** The reason why its content cannot be read; null if it can. */
        default @Nullable String whyNot() {
            return null;
        }

        InputStream content() throws IOException;
    }

    /** Receives the entries. */
    @FunctionalInterface
    public interface Sink {
        void accept(Entry entry) throws IOException, InterruptedException;
    }

    /** Whether a file has an archive's extension. */
    public static boolean isNamedLikeOne(String file) {
        return isNamedLikeZip(file) || isNamedLikeTar(file);
    }

    public static boolean isNamedLikeZip(String file) {
        return file.toLowerCase(Locale.ROOT).endsWith(".zip");
    }

    public static boolean isNamedLikeTar(String file) {
        return TARS.stream().anyMatch(file.toLowerCase(Locale.ROOT)::endsWith);
    }

    /**
     * The end of the archive's name in a trace's name: the first {@code !/} after an archive's extension, since the
     * name of a folder may also end in {@code !}. -1 if the trace is in no archive.
     */
    public static int endOfName(String trace) {
        int end = trace.indexOf(WITHIN);
        while (end >= 0 && !isNamedLikeOne(trace.substring(trace.lastIndexOf('/', end) + 1, end))) {
            end = trace.indexOf(WITHIN, end + 1);
        }
        return end;
    }

    /** The reason why reading an archive failed. */
    public static String reason(IOException e) {
        String message = e.getMessage();
        return message != null ? message : e instanceof EOFException ? "is truncated" : e.toString();
    }

    /**
     * Reads all entries. Names are kept unchanged, even with {@code ../}: they never become file names. The time limit
     * applies to each entry.
     */
    public static void forEach(TraceFile archive, ReadTimeLimit limit, Sink sink)
            throws IOException, InterruptedException {
        if (Files.size(archive.path()) == 0) {
            throw new IOException("is empty");
        }
        if (isNamedLikeZip(archive.name())) {
            inZip(archive.path(), limit, sink);
        } else {
            inTar(archive, limit, sink);
        }
    }

    private static void inZip(Path archive, ReadTimeLimit limit, Sink sink) throws IOException, InterruptedException {
        try (ZipFile zip = open(archive)) {
            for (Enumeration<? extends ZipEntry> all = zip.entries(); all.hasMoreElements(); ) {
                ZipEntry entry = all.nextElement();
                if (!entry.isDirectory() && isTrace(entry.getName())) {
                    sink.accept(new Entry() {
                        @Override
                        public String name() {
                            return entry.getName();
                        }

                        @Override
                        public long bytes() {
                            return Math.max(0, entry.getSize());
                        }

                        @Override
                        public boolean isApart() {
                            return true;
                        }

                        @Override
                        public InputStream content() throws IOException {
                            limit.begin();
                            return limit.on(zip.getInputStream(entry));
                        }
                    });
                }
            }
        }
    }

    /** Opens an archive. The JDK's reader keeps the directory in memory. */
    private static ZipFile open(Path archive) throws IOException {
        try {
            return openWithAnyNames(archive);
        } catch (OutOfMemoryError e) {
            throw new IOException("out of memory: its directory is too large", e);
        }
    }

    /**
     * Opens an archive, with names in ISO 8859-1 if one is not UTF-8, since the JDK's reader would refuse the archive.
     */
    private static ZipFile openWithAnyNames(Path archive) throws IOException {
        try {
            return new ZipFile(archive.toFile());
        } catch (ZipException _) {
            return new ZipFile(archive.toFile(), StandardCharsets.ISO_8859_1);
        }
    }

    private static void inTar(TraceFile archive, ReadTimeLimit limit, Sink sink)
            throws IOException, InterruptedException {
        boolean packed = !archive.name().toLowerCase(Locale.ROOT).endsWith(".tar");
        limit.begin();
        try (InputStream file = new BufferedInputStream(limit.on(Files.newInputStream(archive.path())), 1 << 16);
                InputStream plain = packed ? new GZIPInputStream(file, 1 << 16) : file) {
            TarReader tar = new TarReader(plain);
            for (TarReader.@Nullable Member member = tar.next(); member != null; member = tar.next()) {
                if (isTrace(member.name())) {
                    sink.accept(member);
                    limit.begin();
                }
            }
        }
    }

    private static boolean isTrace(String name) {
        for (String part : PART_OF_NAME.split(name, -1)) {
            boolean hidden = part.startsWith(".") && !part.equals(".") && !part.equals("..");
            if (hidden || part.equals("__MACOSX")) {
                return false;
            }
        }
        return !NonTraceFiles.isNamedSo(name);
    }
}
