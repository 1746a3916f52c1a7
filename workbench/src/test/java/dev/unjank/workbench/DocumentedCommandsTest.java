package dev.unjank.workbench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.cli.Unjank;
import dev.unjank.cli.command.RootCommand;
import dev.unjank.cli.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each {@code unjank} command in README and docs: the command line is accepted, and a command that reads traces runs,
 * with the project's examples in place of the files it names. Commands that record a process, open a shell or need a
 * cluster are parsed only.
 */
class DocumentedCommandsTest {
    private static final Path ROOT = Path.of(System.getProperty("unjank.root"));
    private static final Set<String> DEVELOPERS = Set.of("bench", "lab", "verify");
    private static final Set<String> READERS = Set.of("doctor", "query", "fleet", "convert");

    private static final String ADDED = "--added-by-the-test";
    private static final String ONLY_ADDED = "unknown option '" + ADDED + "'";

    private static final Pattern BLOCK =
            Pattern.compile("^```(?:sh|console)?\\n(.*?)^```", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern IN_BLOCK = Pattern.compile("^(?:\\$ )?((?:sudo )?\\./unjank .*)$", Pattern.MULTILINE);
    private static final Pattern IN_TEXT = Pattern.compile("`((?:sudo )?(?:\\./)?unjank [^`]+)`");
    private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(&&|[|>&#;])|([^\\s'\"|>&;]+)");
    private static final Pattern NUMBER = Pattern.compile("SEED|PID|[NST]");
    private static final Pattern FILE = Pattern.compile(
            "(?:TRACE|FILE|IN|OUT|DIR|A|B)(?:\\.\\w+|\\.{3})?|traces/|week\\d+|[\\w./-]+\\.(?:pftrace|jfr|jfr\\.gz|html|parquet|csv|sql)");

    @TempDir
    private static Path folder;

    /** A command with its page. */
    record Documented(String page, List<String> words) {
        @Override
        public String toString() {
            return page + ": unjank " + String.join(" ", words);
        }

        boolean isOption() {
            return command().startsWith("-");
        }

        String command() {
            return words.getFirst();
        }

        /** Whether it reads traces and ends by itself. */
        boolean isRun() {
            boolean isShell = command().equals("query")
                    && words.stream().noneMatch(word -> word.contains(" ") || word.equals("-f"));
            return READERS.contains(command())
                    && !isShell
                    && words.stream().noneMatch(word -> word.equals("--master") || word.contains("*"))
                    && words.stream()
                                    .filter(word -> word.matches(".*\\.(?:pftrace|jfr)"))
                                    .count()
                            < 2; // unrelated ones
        }
    }

    @BeforeAll
    static void files() throws IOException {
        Path trace = ROOT.resolve("examples/launcher-jank.pftrace");
        Files.createDirectories(folder.resolve("traces"));
        Files.copy(trace, folder.resolve("traces/a.pftrace"));
        Files.copy(trace, folder.resolve("traces/b.pftrace"));
        for (String fleet : List.of("week11", "week12", "A", "B", "DIR")) {
            assertThat(run(
                            "fleet",
                            folder.resolve("traces").toString(),
                            "--out",
                            folder.resolve(fleet).toString()))
                    .isEmpty();
        }
    }

    /** The commands in the order of their pages. */
    static List<Documented> commands() throws IOException {
        List<Documented> commands = new ArrayList<>();
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            List<Path> pages =
                    new ArrayList<>(docs.filter(page -> page.toString().endsWith(".md"))
                            .sorted()
                            .toList());
            pages.addFirst(ROOT.resolve("README.md"));
            for (Path page : pages) {
                String text = Files.readString(page);
                Matcher block = BLOCK.matcher(text);
                while (block.find()) {
                    add(commands, page, IN_BLOCK.matcher(block.group(1).replaceAll("\\\\\\n\\s*", " ")));
                }
                add(commands, page, IN_TEXT.matcher(block.replaceAll("")));
            }
        }
        return commands;
    }

    static List<Documented> readers() throws IOException {
        return commands().stream().filter(Documented::isRun).toList();
    }

    private static void add(List<Documented> commands, Path page, Matcher lines) {
        while (lines.find()) {
            for (List<String> words : split(lines.group(1))) {
                boolean isMention = words.size() == 1 && !words.getFirst().startsWith("-");
                boolean isSynopsis = words.stream().anyMatch(word -> word.startsWith("["));
                if (!isMention && !isSynopsis) {
                    commands.add(new Documented(ROOT.relativize(page).toString(), words));
                }
            }
        }
    }

    /** The commands of a line, each without the word {@code unjank}, as a shell splits them. */
    static List<List<String>> split(String line) {
        List<List<String>> commands = new ArrayList<>();
        List<String> words = new ArrayList<>();
        boolean isOurs = false;
        Matcher matcher = WORD.matcher(line);
        while (matcher.find()) {
            String separator = matcher.group(3);
            String word = matcher.group(4);
            if (separator != null || (word != null && word.startsWith("#"))) {
                if ("#".equals(separator) || word != null) {
                    break;
                }
                isOurs = false;
            } else if (!isOurs) {
                isOurs = word != null && (word.equals("./unjank") || word.equals("unjank"));
                if (isOurs) {
                    words = new ArrayList<>();
                    commands.add(words);
                }
            } else {
                String quoted = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
                words.add(quoted != null ? quoted : NUMBER.matcher(word).matches() ? "1" : word);
            }
        }
        commands.removeIf(List::isEmpty);
        return commands;
    }

    @Test
    void aLineIsSplitLikeAShellDoes() {
        assertThat(
                        split(
                                "sudo ./unjank query a.pftrace \"SELECT 1 > 0\" > out.csv && ./unjank fleet report week12  # text"))
                .containsExactly(List.of("query", "a.pftrace", "SELECT 1 > 0"), List.of("fleet", "report", "week12"));
        assertThat(split("./unjank explain --for 30s -- java -jar app.jar"))
                .containsExactly(List.of("explain", "--for", "30s", "--", "java", "-jar", "app.jar"));
        assertThat(split("java -jar app.jar")).isEmpty();
    }

    @Test
    void thereAreCommandsOfEachKind() throws IOException {
        assertThat(commands())
                .extracting(Documented::command)
                .contains("doctor", "query", "fleet", "record", "bench", "lab");
        assertThat(readers()).hasSizeGreaterThan(15);
    }

    /** Of all words only the option that the test adds is unknown; the others are parsed before that is said. */
    @ParameterizedTest
    @MethodSource("commands")
    void theCommandLineIsAccepted(Documented documented) {
        if (documented.isOption()) {
            assertThat(run(documented.command())).isEmpty();
        } else {
            assertThat(parsed(documented.words())).contains(ONLY_ADDED);
        }
    }

    @Test
    void anUnknownWordIsRefused() {
        assertThat(parsed(List.of("doctor", "TRACE", "--no-such-option"))).doesNotContain(ONLY_ADDED);
        assertThat(parsed(List.of("doctor", "TRACE", "--min-ms", "many"))).doesNotContain(ONLY_ADDED);
        assertThat(parsed(List.of("bench", "no-such-bench"))).doesNotContain(ONLY_ADDED);
        assertThat(parsed(List.of("no-such-command", "TRACE"))).doesNotContain(ONLY_ADDED);
    }

    private static String parsed(List<String> words) {
        List<String> more = new ArrayList<>(words);
        int end = words.indexOf("--");
        more.add(end < 0 ? words.size() : end, ADDED);
        return run(more.toArray(String[]::new));
    }

    @ParameterizedTest
    @MethodSource("readers")
    void aReaderRuns(Documented documented) throws IOException {
        List<String> words = new ArrayList<>();
        for (String word : documented.words()) {
            words.add(FILE.matcher(word).matches() ? file(word).toString() : word);
        }
        if (words.contains("--out")) {
            words.set(
                    words.indexOf("--out") + 1,
                    Files.createTempDirectory(folder, "out").resolve("run").toString());
        }
        assertThat(run(words.toArray(String[]::new))).isEmpty();
    }

    /** A file of the project, or one in the folder, which has an example of its kind. */
    private static Path file(String name) throws IOException {
        Path path = ROOT.resolve(name);
        if (Files.isRegularFile(path)) {
            return path;
        }
        path = folder.resolve(name);
        if (Files.exists(path) || name.equals("OUT")) {
            return path;
        }
        Files.createDirectories(path.getParent());
        if (name.endsWith(".sql")) {
            Files.writeString(path, "SELECT count(*) FROM slice");
        } else if (name.endsWith(".jfr")) {
            Files.copy(ROOT.resolve("examples/causes/ExhaustedPool.jfr.gz"), path);
        } else if (!name.matches(".*\\.(html|parquet|csv)")) {
            Files.copy(ROOT.resolve("examples/launcher-jank.pftrace"), path);
        }
        return path;
    }

    /** Runs a command line in this JVM; what it wrote to stderr, empty if it succeeded. */
    private static String run(String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Terminal terminal = Terminal.of(out, err, false, Map.of());
        int code = DEVELOPERS.contains(args[0])
                ? RootCommand.run(new Workbench(), terminal, args)
                : Unjank.run(terminal, args);
        return code == 0 ? "" : "exit code " + code + ": " + err.toString(UTF_8);
    }
}
