package dev.unjank.workbench.bench.fleet;

import dev.unjank.scene.LauncherExample;
import dev.unjank.scene.TraceCutter;
import dev.unjank.scene.TraceRepeater;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A set of many traces that are generated from a few: each is a segment of one of them, shifted in time and with
 * renamed apps. The same index generates the same bytes, so the traces do not have to be kept.
 */
final class TraceSet {
    private static final int FILES_IN_FOLDER = 1_000;
    private static final int SAMPLED = 30;
    private static final int APPS = 4;
    private static final int LEAST_NAME = 10;
    private static final int RADIX = 36;
    private static final long SEED = 7;
    private static final long DAY_NANOS = 86_400_000_000_000L;

    private final List<Source> sources = new ArrayList<>();
    private final double share;

    private record Source(TraceCutter cutter, List<byte[]> apps) {}

    /**
     * Creates a set from traces in Perfetto's format; each generated trace has the given share of the events of one of
     * them.
     */
    TraceSet(List<Path> traces, double share) throws IOException {
        this.share = share;
        for (Path trace : traces) {
            sources.add(new Source(new TraceCutter(Files.readAllBytes(trace)), apps(TraceReader.read(trace))));
        }
    }

    /** Creates a set from the project's example, which is repeated up to the given size and written to a folder. */
    static TraceSet ofExample(Path folder, long bytes) throws IOException {
        Path trace = Files.createTempFile(folder, "example", ".pftrace");
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(trace))) {
            TraceRepeater.repeat(LauncherExample.trace(), bytes, out);
        }
        return new TraceSet(List.of(trace), 1);
    }

    /** The names of the apps with the most slices. */
    private static List<byte[]> apps(Trace trace) {
        long[] slices = new long[trace.processes().size()];
        for (int utid = 0; utid < trace.threads().size(); utid++) {
            int upid = trace.threads().upid(utid);
            if (upid >= 0) {
                slices[upid] += trace.slices().end(utid) - trace.slices().first(utid);
            }
        }
        return IntStream.range(0, slices.length)
                .filter(upid -> isApp(trace.processes().name(upid)))
                .boxed()
                .sorted((a, b) -> Long.compare(slices[b], slices[a]))
                .limit(APPS)
                .map(upid -> String.valueOf(trace.processes().name(upid)).getBytes(StandardCharsets.UTF_8))
                .toList();
    }

    private static boolean isApp(@Nullable String name) {
        return name != null && name.indexOf('.') > 0 && name.length() >= LEAST_NAME;
    }

    /** An estimate of the bytes that {@link #write} will write, based on the first traces. */
    long bytes(int count) throws IOException {
        long sampled = 0;
        for (int number = 0; number < SAMPLED; number++) {
            sampled += trace(number).length;
        }
        return sampled * count / SAMPLED;
    }

    /** Writes the first traces of the set; returns their size in bytes. */
    long write(Path folder, int count) throws IOException {
        long bytes = 0;
        for (int number = 0; number < count; number++) {
            Path file = file(folder, number);
            if (number % FILES_IN_FOLDER == 0) {
                Files.createDirectories(file.getParent());
            }
            byte[] trace = trace(number);
            Files.write(file, trace);
            bytes += trace.length;
        }
        return bytes;
    }

    /** A folder with links to the first traces of a written set. */
    static Path firstOf(Path set, int count, Path folder) throws IOException {
        for (int number = 0; number < count; number++) {
            Path file = file(folder, number);
            Files.createDirectories(file.getParent());
            Files.createLink(file, file(set, number));
        }
        return folder;
    }

    private static Path file(Path folder, int number) {
        return folder.resolve(String.format(Locale.ROOT, "%03d/t%06d.pftrace", number / FILES_IN_FOLDER, number));
    }

    byte[] trace(int number) throws IOException {
        SplittableRandom random = new SplittableRandom(SEED + number);
        Source source = sources.get(number % sources.size());
        double from = random.nextDouble(1.0001 - share);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        source.cutter.write(random.nextLong(DAY_NANOS), from, from + share, out);
        byte[] bytes = out.toByteArray();
        source.apps.forEach(app -> rename(bytes, app, number));
        return bytes;
    }

    /** Encodes a number in the last two letters of a name; its length stays the same. */
    private static void rename(byte[] bytes, byte[] name, int number) {
        int last = bytes.length - name.length;
        for (int at = 0; at <= last; at++) {
            if (bytes[at] == name[0] && matches(bytes, at, name)) {
                bytes[at + name.length - 2] = (byte) Character.forDigit(number / RADIX % RADIX, RADIX);
                bytes[at + name.length - 1] = (byte) Character.forDigit(number % RADIX, RADIX);
            }
        }
    }

    private static boolean matches(byte[] bytes, int at, byte[] name) {
        for (int i = 1; i < name.length; i++) {
            if (bytes[at + i] != name[i]) {
                return false;
            }
        }
        return true;
    }
}
