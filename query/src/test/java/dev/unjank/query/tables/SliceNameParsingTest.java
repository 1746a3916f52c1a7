package dev.unjank.query.tables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.fixture.ArbitraryNames;
import dev.unjank.fixture.NameParsingProperties;
import dev.unjank.query.Engine;
import dev.unjank.query.EngineOptions;
import dev.unjank.query.QuerySession;
import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.ResultWriter;
import dev.unjank.scene.TraceStrings;
import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.text.TerminalText;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;

/** Classes that parse names in a trace accept any string, and all tables load with any names. */
class SliceNameParsingTest extends NameParsingProperties {
    private static final Map<String, Consumer<String>> PARSERS = new TreeMap<>();

    /** Classes that parse names of a trace, see {@link #tablesLoadWithAnyNames}. */
    private static final Set<String> OF_A_TRACE = Set.of("DynamicRows", "MetadataTables", "TableResultWriter");

    /** Classes that parse statements, or files and output of the engine or of the project. */
    private static final Set<String> OF_STATEMENTS = Set.of(
            "UnsupportedNames",
            "ConstantEvaluator",
            "FnvHash",
            "Graph",
            "SqliteComparison",
            "DuckDbErrors",
            "EngineMessages",
            "ExpressionParser",
            "ExpressionResolver",
            "PrintfFunction",
            "Lexer",
            "StandardLibrary",
            "StatisticsTable",
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
        PARSERS.put("MonitorContentionName", MonitorContentionName::of);
    }

    SliceNameParsingTest() {
        super("query", TraceStrings::of, PARSERS);
    }

    @Override
    protected Set<String> otherClasses() {
        Set<String> classes = new TreeSet<>(OF_A_TRACE);
        classes.addAll(OF_STATEMENTS);
        return classes;
    }

    @Property(tries = 10, shrinking = ShrinkingMode.OFF)
    @Tag("slow")
    void tablesLoadWithAnyNames(@ForAll long seed) throws QueryException {
        Random random = new Random(seed);
        try (TraceBuilder builder = new TraceBuilder(name(random))) {
            builder.putMetadata(name(random), name(random));
            for (int pid = 10; pid < 40; pid += 10) {
                builder.kernel().process(0, pid, 1, builder.intern(name(random)), random.nextInt(20_000));
                builder.kernel().thread(0, pid + 1, pid, builder.intern(name(random)));
            }
            for (int i = 0; i < 200; i++) {
                int pid = 10 * (1 + random.nextInt(3));
                int name = builder.intern(name(random));
                long ts = i * 100_000L;
                switch (random.nextInt(6)) {
                    case 0, 1 -> builder.program().begin(ts, pid + random.nextInt(2), pid, name);
                    case 2 -> builder.program().end(ts, pid + random.nextInt(2), pid);
                    case 3 -> builder.program().asyncBegin(ts, pid, name, 1, name);
                    case 4 -> builder.program().counter(ts, pid, name, random.nextLong());
                    default -> builder.program().instant(ts, pid, pid, name);
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

    private String name(Random random) {
        return random.nextInt(3) == 0
                ? ArbitraryNames.TYPICAL.get(random.nextInt(ArbitraryNames.TYPICAL.size()))
                : ArbitraryNames.damaged(random, names());
    }
}
