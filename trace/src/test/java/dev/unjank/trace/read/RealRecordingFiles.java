package dev.unjank.trace.read;

import dev.unjank.trace.model.Trace;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** Recordings of real programs, which lie beside a checkout as {@link LoadedRealTraces} do. */
public final class RealRecordingFiles {
    private RealRecordingFiles() {}

    /** A recording, read; once for all tests. */
    public static Trace load(String name) {
        return LoadedRealTraces.load(name);
    }

    /** The bytes of a recording, unpacked. */
    public static byte[] bytes(String name) throws IOException {
        byte[] bytes = Files.readAllBytes(LoadedRealTraces.file(name));
        if (!name.endsWith(".gz")) {
            return bytes;
        }
        try (GZIPInputStream unpacked = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return unpacked.readAllBytes();
        }
    }

    /** A file with the bytes of a recording, unpacked, in a folder. */
    public static Path unpacked(String name, Path folder) throws IOException {
        return Files.write(folder.resolve("unpacked.jfr"), bytes(name));
    }
}
