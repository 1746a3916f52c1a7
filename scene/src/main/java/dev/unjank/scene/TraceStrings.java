package dev.unjank.scene;

import dev.unjank.trace.model.Strings;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** Extracts the strings of a trace, such as names of slices and threads, as input for tests of name parsers. */
public final class TraceStrings {
    private TraceStrings() {}

    /** All distinct strings of a trace. */
    public static List<String> of(Path file) throws IOException {
        Strings strings = TraceReader.read(file).strings();
        return IntStream.range(0, strings.size()).mapToObj(strings::get).toList();
    }
}
