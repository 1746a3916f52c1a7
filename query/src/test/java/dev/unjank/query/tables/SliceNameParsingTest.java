package dev.unjank.query.tables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.fixture.ArbitraryNames;
import dev.unjank.fixture.StringParsingClasses;
import dev.unjank.query.Engine;
import dev.unjank.query.EngineOptions;
import dev.unjank.query.QuerySession;
import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.ResultWriter;
import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.trace.text.TerminalText;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;
import org.junit.jupiter.api.Test;

/** Classes that parse names in a trace accept any string, and all tables load with any names. */
class SliceNameParsingTest {
    private static final Map<String, Consumer<String>> READERS = new TreeMap<>();

    /** Classes that parse names of a trace, see {@link #tablesLoadWithAnyNames}. */
    private static final Set<String> OF_A_TRACE =
            Set.of("RenderedFrames", "MetadataTables", "PerfettoStartupFinder", "TableResultWriter");

    /** Classes that parse statements, or output of the engine or of the project. */
    private static final Set<String> OF_STATEMENTS = Set.of(
            "UnsupportedNames",
            "SqliteComparison",
            "DuckDbErrors",
            "EngineMessages",
            "ExpressionParser",
            "ExpressionResolver",
            "PrintfFunction",
            "Lexer",
            "StandardLibrary",
            "AliasNames",
            "OperatorResolver",
            "PatternMatching",
            "PrimaryParser",
            "QueryParser",
            "QueryResolver",
            "ReadOnlyCheck",
            "SourceText",
            "StatementParser",
            "StatementText",
            "NameSuggestion",
            "TableDefinition",
            "Token",
            "TokenStream");

    static {
        READERS.put("MonitorContentionName", MonitorContentionName::of);
        READERS.put("LeadingInteger", LeadingInteger::parse);
    }

    private static List<String> names;

    private static synchronized List<String> names() {
        if (names == null) {
            names = ArbitraryNames.withReal(file -> {
                Trace trace = TraceReader.read(file);
                return IntStream.range(0, trace.strings().size())
                        .mapToObj(trace.strings()::get)
                        .toList();
            });
        }
        return names;
    }

    @Provide
    static Arbitrary<String> damaged() {
        return Arbitraries.frequencyOf(
                Tuple.of(9, Arbitraries.randomValue(random -> ArbitraryNames.damaged(random, names()))),
                Tuple.of(1, Arbitraries.strings().ofMaxLength(60)));
    }

    @Property(tries = 20_000, shrinking = ShrinkingMode.OFF)
    void anyNameIsParsed(@ForAll("damaged") String name) {
        READERS.values().forEach(reader -> reader.accept(name));
    }

    /** Each class that parses strings must be in one of the lists above. */
    @Test
    void everyClassIsListed() {
        Set<String> listed = new TreeSet<>(READERS.keySet());
        listed.addAll(OF_A_TRACE);
        listed.addAll(OF_STATEMENTS);
        assertThat(StringParsingClasses.of("query")).isEqualTo(listed);
    }

    @Property(tries = 10, shrinking = ShrinkingMode.OFF)
    void tablesLoadWithAnyNames(@ForAll long seed) throws QueryException {
        Random random = new Random(seed);
        try (TraceBuilder builder = new TraceBuilder(name(random))) {
            builder.putMetadata(name(random), name(random));
            for (int pid = 10; pid < 40; pid += 10) {
                builder.process(0, pid, 1, builder.intern(name(random)), random.nextInt(20_000));
                builder.thread(0, pid + 1, pid, builder.intern(name(random)));
            }
            for (int i = 0; i < 200; i++) {
                int pid = 10 * (1 + random.nextInt(3));
                int name = builder.intern(name(random));
                long ts = i * 100_000L;
                switch (random.nextInt(6)) {
                    case 0, 1 -> builder.begin(ts, pid + random.nextInt(2), pid, name);
                    case 2 -> builder.end(ts, pid + random.nextInt(2), pid);
                    case 3 -> builder.asyncBegin(ts, pid, name, 1, name);
                    case 4 -> builder.counter(ts, pid, name, random.nextLong());
                    default -> builder.instant(ts, pid, pid, name);
                }
            }
            Engine engine = QuerySession.engine(new EngineOptions(1L << 30, 1, null, null));
            try (QuerySession session = QuerySession.open(engine, builder.build())) {
                StringWriter text = new StringWriter();
                for (String table : session.relations()) {
                    if (session.columns(table) != null) {
                        session.run("SELECT * FROM " + table, ResultWriter.table(new PrintWriter(text), 0));
                    }
                }
                assertThat(TerminalText.isPrintable(text.toString().replace("\n", "")))
                        .isTrue();
            }
        }
    }

    private static String name(Random random) {
        return random.nextInt(3) == 0
                ? ArbitraryNames.TYPICAL.get(random.nextInt(ArbitraryNames.TYPICAL.size()))
                : ArbitraryNames.damaged(random, names());
    }
}
