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
 * Many traces made of a few: each is a stretch of one of them, at another time, with its apps renamed. The same number makes the
 * same bytes, so they need not be kept.
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

    /** Of some traces in Perfetto's format; each of the set has such a share of the events of one of them. */
    TraceSet(List<Path> traces, double share) throws IOException {
        this.share = share;
        for (Path trace : traces) {
            sources.add(new Source(new TraceCutter(Files.readAllBytes(trace)), apps(TraceReader.read(trace))));
        }
    }

    /** Of the project's example, which is written to a folder, over and over until it is as large as that. */
    static TraceSet ofExample(Path folder, long bytes) throws IOException {
        Path trace = Files.createTempFile(folder, "example", ".pftrace");
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(trace))) {
            TraceRepeater.repeat(LauncherExample.trace(), bytes, out);
        }
        return new TraceSet(List.of(trace), 1);
    }

    /** The names of the processes that say most of themselves. */
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

    /** About how many bytes {@link #write} will write, by its first traces. */
    long bytes(int count) throws IOException {
        long sampled = 0;
        for (int number = 0; number < SAMPLED; number++) {
            sampled += trace(number).length;
        }
        return sampled * count / SAMPLED;
    }

    /** Writes the first traces of the set; returns how many bytes they are. */
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

    /** The first traces of a set that has been written, as a set of its own; the files are the same. */
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

    /** Puts a number into the last two letters of a name, which stays as long as it was. */
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
