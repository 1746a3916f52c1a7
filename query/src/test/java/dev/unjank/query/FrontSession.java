package dev.unjank.query;

import dev.unjank.query.front.Column;
import dev.unjank.query.front.FileSource;
import dev.unjank.query.front.PerfettoSql;
import dev.unjank.query.front.SpanJoinPlan;
import dev.unjank.query.front.SqlType;
import dev.unjank.query.front.Step;
import dev.unjank.query.front.TableSource;
import dev.unjank.query.span.JoinedSpans;
import dev.unjank.query.span.SpanJoin;
import dev.unjank.query.span.Spans;
import dev.unjank.trace.Trace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** PerfettoSQL in front of an engine, with the tables of a trace or with none, as plainly as can be. */
public final class FrontSession implements AutoCloseable, TableSource {
    private final Engine engine;
    private final Map<String, TableDefinition> definitions = new HashMap<>();
    private final Set<String> loaded = new HashSet<>();
    private final PerfettoSql front = new PerfettoSql(this, FileSource.NONE);

    private FrontSession() throws QueryException {
        engine = Engine.open(new EngineOptions(0, 2, null, null), PerfettoSql.settings());
    }

    public static FrontSession empty() throws QueryException {
        return new FrontSession();
    }

    public static FrontSession of(Trace trace) throws QueryException {
        FrontSession session = new FrontSession();
        for (TableDefinition definition : new TraceTables(trace, new SharedTexts(trace)).definitions()) {
            session.definitions.put(definition.name(), definition);
        }
        return session;
    }

    public PerfettoSql front() {
        return front;
    }

    /** The results of all queries in a text: rows of fields as in the expected tables, the heading first. */
    public List<List<String>> results(String text) throws QueryException {
        List<List<String>> results = new ArrayList<>();
        for (Step step : front.translate(text)) {
            try {
                run(step, results);
            } catch (QueryException e) {
                throw front.failed(step, e.getMessage(), e.offset());
            }
        }
        return results;
    }

    /** The only result of a text. */
    public List<String> result(String text) throws QueryException {
        List<List<String>> results = results(text);
        if (results.size() != 1) {
            throw new AssertionError(results.size() + " results");
        }
        return results.getFirst();
    }

    private void run(Step step, List<List<String>> results) throws QueryException {
        for (String table : step.tables()) {
            load(table);
        }
        switch (step.kind()) {
            case COMMAND -> engine.execute(step.sql());
            case SPAN_JOIN -> join(step.spanJoin());
            case QUERY -> {
                List<String> lines = new ArrayList<>();
                lines.add(String.join(
                        ",", step.columns().stream().map(c -> quoted(c.name())).toList()));
                try (Rows rows = engine.run(step.sql())) {
                    while (rows.next()) {
                        List<String> fields = new ArrayList<>();
                        for (int i = 0; i < rows.columns().size(); i++) {
                            fields.add(field(rows.get(i)));
                        }
                        lines.add(String.join(",", fields));
                    }
                }
                results.add(lines);
            }
        }
    }

    private static String field(Object value) {
        return switch (value) {
            case null -> "\"[NULL]\"";
            case String text -> quoted(text);
            default -> value.toString();
        };
    }

    private static String quoted(String text) {
        return '"' + text.replace("\"", "\"\"") + '"';
    }

    private void load(String table) throws QueryException {
        TableDefinition definition = definitions.get(table);
        if (!loaded.add(table)) {
            return;
        }
        if (definition.view() != null) {
            for (String other : definitions.keySet()) {
                if (Pattern.compile("\\b" + other + "\\b")
                                .matcher(definition.view())
                                .find()
                        && !other.equals(table)) {
                    load(other);
                }
            }
        }
        engine.create(definition, BulkLoad.ARROW);
    }

    private void join(SpanJoinPlan plan) throws QueryException {
        Spans left = spans(plan.left());
        Spans right = spans(plan.right());
        JoinedSpans joined = SpanJoin.join(plan.kind(), left, plan.leftPartitioned(), right, plan.rightPartitioned());
        engine.execute("CREATE OR REPLACE TABLE " + plan.into()
                + " (ts BIGINT, dur BIGINT, part BIGINT, left_row BIGINT, right_row BIGINT)");
        for (int from = 0; from < joined.size(); from += 1000) {
            List<String> rows = new ArrayList<>();
            for (int i = from; i < Math.min(from + 1000, joined.size()); i++) {
                rows.add("(" + joined.ts(i) + "," + joined.dur(i) + "," + joined.partition(i) + ", nullif("
                        + joined.leftRow(i) + ", -1), nullif(" + joined.rightRow(i) + ", -1))");
            }
            engine.execute("INSERT INTO " + plan.into() + " VALUES " + String.join(",", rows));
        }
    }

    private Spans spans(String sql) throws QueryException {
        Spans spans = new Spans(16);
        try (Rows rows = engine.run(sql)) {
            while (rows.next()) {
                spans.add((Long) rows.get(0), (Long) rows.get(1), (Long) rows.get(2), (Long) rows.get(3));
            }
        }
        return spans;
    }

    @Override
    public List<Column> columns(String table) {
        TableDefinition definition = definitions.get(table);
        return definition == null
                ? null
                : definition.columns().stream()
                        .map(column -> new Column(
                                column.name(),
                                switch (column.type()) {
                                    case INTEGER -> SqlType.INT;
                                    case REAL -> SqlType.REAL;
                                    case TEXT -> SqlType.TEXT;
                                    case BLOB -> SqlType.BLOB;
                                }))
                        .toList();
    }

    @Override
    public List<String> names() {
        return List.copyOf(definitions.keySet());
    }

    @Override
    public void close() {
        engine.close();
    }
}
