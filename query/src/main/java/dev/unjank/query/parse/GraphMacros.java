package dev.unjank.query.parse;

import dev.unjank.query.source.Token;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Macros that walk a graph, and those on lists of names. They are built in because their arguments are lists, or a
 * query on {@code $table}, which a macro written in SQL cannot fill in.
 */
final class GraphMacros {
    static final Map<String, Macro> ALL = Map.of(
            "_graph_scan", (Macro.BuiltIn) GraphMacros::scan,
            "_graph_aggregating_scan", (Macro.BuiltIn) GraphMacros::aggregatingScan,
            "metasql_unparenthesize_exprlist", (Macro.BuiltIn) GraphMacros::unparenthesize,
            "__intrinsic_stringify", (Macro.BuiltIn) GraphMacros::stringify,
            "__intrinsic_token_apply", (Macro.BuiltIn) (call, arguments) -> apply(call, arguments, ", ", ""),
            "__intrinsic_token_apply_prefix", (Macro.BuiltIn) (call, arguments) -> apply(call, arguments, ", ", ", "),
            "__intrinsic_token_apply_and", (Macro.BuiltIn) (call, arguments) -> apply(call, arguments, " AND ", ""));

    private GraphMacros() {}

    /**
     * {@code _graph_scan!(edges, start, (columns), (query))}: the start rows, and for each edge from a row the row that
     * the query makes of it; in the query, {@code $table} is the rows before, with the id at the end of the edge.
     */
    private static String scan(Token call, List<List<Token>> arguments) {
        IntervalMacros.check(call, arguments, 4);
        String columns = columns("", call, arguments);
        String reached = "(SELECT scan_edge.dest_node_id AS id" + columns("scan_row.", call, arguments)
                + " FROM scan_row JOIN " + IntervalMacros.text(arguments.get(0))
                + " AS scan_edge ON scan_edge.source_node_id = scan_row.id)";
        return "(WITH RECURSIVE scan_row AS (SELECT id" + columns + " FROM " + IntervalMacros.text(arguments.get(1))
                + " AS scan_start UNION ALL SELECT id" + columns + " FROM " + step(arguments.get(3), reached)
                + " AS scan_step) SELECT id" + columns + " FROM scan_row)";
    }

    /**
     * {@code _graph_aggregating_scan!}: as {@code _graph_scan}, but the query sees all rows of a node at once, after
     * those of all nodes before it, and may aggregate them. The graph has no cycles.
     */
    private static String aggregatingScan(Token call, List<List<Token>> arguments) {
        IntervalMacros.check(call, arguments, 4);
        String edges = IntervalMacros.text(arguments.get(0));
        String start = IntervalMacros.text(arguments.get(1));
        String columns = columns("", call, arguments);
        String reached = "(SELECT scan_edge.dest_node_id AS id" + columns("scan_row.", call, arguments)
                + " FROM scan_row JOIN scan_edge ON scan_edge.source_node_id = scan_row.id JOIN scan_level ON"
                + " scan_level.id = scan_edge.dest_node_id WHERE scan_level.level = scan_row.step + 1)";
        return "(WITH RECURSIVE scan_edge AS MATERIALIZED (SELECT source_node_id, dest_node_id FROM " + edges + "),"
                // the longest way to each node is the step in which all of its rows are known
                + " scan_walk AS (SELECT id, 0 AS level FROM " + start + " AS scan_start UNION SELECT"
                + " scan_edge.dest_node_id, scan_walk.level + 1 FROM scan_walk JOIN scan_edge ON"
                + " scan_edge.source_node_id = scan_walk.id WHERE scan_walk.level < (SELECT count(*) FROM scan_edge)),"
                + " scan_level AS MATERIALIZED (SELECT id, max(level) AS level FROM scan_walk GROUP BY id),"
                + " scan_row AS (SELECT 0 AS step, id" + columns + " FROM " + start + " AS scan_start UNION ALL"
                + " SELECT step + 1, id" + columns + " FROM scan_row WHERE step < (SELECT max(level) FROM scan_level)"
                + " UNION ALL SELECT scan_level.level, scan_step.id" + columns("scan_step.", call, arguments) + " FROM "
                + step(arguments.get(3), reached) + " AS scan_step JOIN scan_level ON scan_level.id = scan_step.id)"
                + " SELECT id" + columns + " FROM scan_row WHERE step = (SELECT max(level) FROM scan_level))";
    }

    private static String columns(String table, Token call, List<List<Token>> arguments) {
        return IntervalMacros.list(call, arguments.get(2)).stream()
                .map(column -> ", " + table + column)
                .collect(Collectors.joining());
    }

    private static String step(List<Token> query, String table) {
        return query.stream()
                .map(token ->
                        token.kind() == Token.Kind.PARAMETER && token.text().equalsIgnoreCase("table")
                                ? table
                                : token.sourceText())
                .collect(Collectors.joining(" "));
    }

    /** The list without its parentheses. */
    private static String unparenthesize(Token call, List<List<Token>> arguments) {
        IntervalMacros.check(call, arguments, 1);
        return String.join(", ", IntervalMacros.list(call, arguments.getFirst()));
    }

    private static String stringify(Token call, List<List<Token>> arguments) {
        IntervalMacros.check(call, arguments, 1);
        return "'" + IntervalMacros.text(arguments.getFirst()).replace("'", "''") + "'";
    }

    /**
     * {@code __intrinsic_token_apply!(macro, (a, b), …)}: the calls of a macro with the elements of one or more lists.
     */
    private static String apply(Token call, List<List<Token>> arguments, String separator, String prefix) {
        if (arguments.size() < 2) {
            IntervalMacros.check(call, arguments, 2);
        }
        String macro = IntervalMacros.text(arguments.getFirst());
        List<List<String>> lists = arguments.subList(1, arguments.size()).stream()
                .map(argument -> IntervalMacros.list(call, argument))
                .toList();
        StringBuilder calls = new StringBuilder();
        for (int i = 0; i < lists.getFirst().size(); i++) {
            int element = i;
            calls.append(i == 0 ? prefix : separator).append(macro).append("!(");
            calls.append(lists.stream().map(list -> list.get(element)).collect(Collectors.joining(", ")));
            calls.append(')');
        }
        return calls.toString();
    }
}
