package dev.unjank.workbench.bench.comparison;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/**
 * The list of met targets: a file of this project, one target per line. Missing a listed target is a regression.
 */
final class MetTargetsFile {
    private static final String FILE = "met-targets.txt";
    private static final String RESOURCES = "workbench/src/main/resources";

    private MetTargetsFile() {}

    private static String resource(String contest) {
        return "/dev/unjank/workbench/bench/" + contest + "/" + FILE;
    }

    /** Reads the list of a set of benchmarks from this build. */
    static Set<String> known(String contest) {
        try (InputStream in = MetTargetsFile.class.getResourceAsStream(resource(contest))) {
            if (in == null) {
                throw new IllegalStateException(resource(contest) + " is missing from this build");
            }
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Set<String> parse(String text) {
        Set<String> targets = new TreeSet<>();
        text.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).forEach(targets::add);
        return targets;
    }

    /** Writes the file into a checkout and returns its path. */
    static Path record(Path root, String contest, Collection<String> targets) throws IOException {
        Path file = root.resolve(RESOURCES + resource(contest));
        StringBuilder text = new StringBuilder("""
            # The targets that are met with a margin: the whole spread of the measured ratio was within the limit.
            # ./unjank bench %s fails if one of them is lost; with --record it writes this file anew.
            """.formatted(contest));
        new TreeSet<>(targets).forEach(target -> text.append(target).append('\n'));
        return Files.writeString(file, text);
    }
}
