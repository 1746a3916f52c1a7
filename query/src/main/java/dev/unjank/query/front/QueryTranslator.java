package dev.unjank.query.front;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Queries into the engine's SQL. Every column is written with its table, and every star is written out. */
final class QueryTranslator extends ExpressionTranslator {
    private final FromTranslator from = new FromTranslator(this);

    QueryTranslator(Translation translation) {
        super(translation);
    }

    Translation translation() {
        return translation;
    }

    @Override
    protected Rows query(Query query, Scope outer) {
        return query(query, outer, List.of(), true);
    }

    /**
     * A whole query.
     *
     * @param outNames what to call the columns; empty to call them as SQLite does
     * @param distinctNames whether no two columns may have one name, as in anything that is selected from
     */
    Rows query(Query query, @Nullable Scope outer, List<Token> outNames, boolean distinctNames) {
        translation.enter(query.at());
        try {
            Scope scope = new Scope(outer);
            String with = with(query, scope);
            Rows rows = query.rest().isEmpty()
                    ? single(query, scope, outNames, distinctNames)
                    : combined(query, scope, outNames, distinctNames);
            return new Rows(translation.bounded(query.at(), with + rows.sql()), rows.columns(), rows.affinity());
        } finally {
            translation.leave();
        }
    }

    // WITH

    private String with(Query query, Scope scope) {
        if (query.with().isEmpty()) {
            return "";
        }
        List<String> parts = new ArrayList<>();
        boolean recursive = false;
        for (Query.With with : query.with()) {
            String sqlName = translation.names.fresh(with.name().text());
            Rows rows = mayRecur(with) ? null : query(with.query(), scope, with.columns(), true);
            if (rows == null) {
                Recursion recursion = new Recursion(with, sqlName, scope);
                rows = recursion.rows();
                recursive |= recursion.recurs;
            }
            scope.commons.put(Scope.lower(with.name().text()), new Scope.Common(sqlName, rows.columns()));
            parts.add(sqlName + " AS " + with.hint() + (with.hint().isEmpty() ? "(" : " (") + rows.sql() + ")");
        }
        return (recursive ? "WITH RECURSIVE " : "WITH ") + String.join(", ", parts) + " ";
    }

    private static boolean mayRecur(Query.With with) {
        Query query = with.query();
        return with.namesItself()
                && !query.rest().isEmpty()
                && query.rest().stream().allMatch(part -> part.operator().startsWith("UNION"));
    }

    /** A common table expression that may select from itself, from some part of its UNION on. */
    private final class Recursion {
        private final Query.With with;
        private final String sqlName;
        private final Scope scope;
        boolean recurs;

        Recursion(Query.With with, String sqlName, Scope outer) {
            this.with = with;
            this.sqlName = sqlName;
            this.scope = new Scope(outer);
        }

        Rows rows() {
            Query query = with.query();
            String inner = QueryTranslator.this.with(query, scope);
            List<Rows> arms = new ArrayList<>(List.of(core(query.first(), scope, with.columns())));
            int firstRecursive = -1;
            List<Column> known = List.of();
            // a second time if what follows has changed what a column holds
            while (!known.equals(unified(query, arms).columns())) {
                known = unified(query, arms).columns();
                arms.subList(1, arms.size()).clear();
                firstRecursive = -1;
                for (int i = 0; i < query.rest().size(); i++) {
                    Scope.Common self = new Scope.Common(sqlName, known);
                    scope.commons.put(Scope.lower(with.name().text()), self);
                    arms.add(core(query.rest().get(i).core(), scope, with.columns()));
                    if (self.used && firstRecursive < 0) {
                        firstRecursive = i + 1;
                    }
                }
            }
            scope.commons.remove(Scope.lower(with.name().text()));
            recurs = firstRecursive >= 0;
            if (!recurs) {
                return QueryTranslator.this.query(query, scope.outer, with.columns(), true);
            }
            if (query.limit() != null || !query.order().isEmpty()) {
                throw PerfettoSqlException.at(
                        with.name(), "ORDER BY and LIMIT are not supported in a recursive query: put them around it");
            }
            List<Column> columns = unified(query, arms).columns();
            String operator = query.rest().get(firstRecursive - 1).operator();
            String base = joined(query, arms.subList(0, firstRecursive), columns, 0);
            String step = joined(query, arms.subList(firstRecursive, arms.size()), columns, firstRecursive);
            return new Rows(inner + "(" + base + ") " + operator + " (" + step + ")", columns, false);
        }
    }

    // UNION and its kin

    private Rows combined(Query query, Scope scope, List<Token> outNames, boolean distinctNames) {
        List<Rows> arms = new ArrayList<>(List.of(core(query.first(), scope, outNames)));
        query.rest().forEach(part -> arms.add(core(part.core(), scope, List.of())));
        List<Column> columns = unified(query, arms).columns();
        if (distinctNames) {
            columns = distinct(columns);
        }
        StringBuilder sql = new StringBuilder(joined(query, arms, columns, 0));
        if (!query.order().isEmpty()) {
            List<String> terms = new ArrayList<>();
            for (Query.Order order : query.order()) {
                terms.add(outputPosition(order.by(), columns) + direction(order));
            }
            sql.append(" ORDER BY ").append(String.join(", ", terms));
        }
        sql.append(limit(query, scope));
        return new Rows(sql.toString(), columns, false);
    }

    private static int outputPosition(Expr by, List<Column> columns) {
        if (by instanceof Expr.Literal literal && literal.at().kind() == Token.Kind.INTEGER) {
            return ordinal(literal.at(), columns.size());
        }
        if (by instanceof Expr.Name name) {
            for (int i = 0; i < columns.size(); i++) {
                if (columns.get(i).name().equalsIgnoreCase(name.at().text())) {
                    return i + 1;
                }
            }
        }
        throw PerfettoSqlException.at(by.at(), "expected a column of the result after ORDER BY of combined queries");
    }

    private static int ordinal(Token number, int columns) {
        String text = number.text();
        int position = text.length() > 6 || !text.chars().allMatch(Character::isDigit) ? 0 : Integer.parseInt(text);
        if (position < 1 || position > columns) {
            throw PerfettoSqlException.at(
                    number, "expected a column's number from 1 to " + columns + ", found " + text);
        }
        return position;
    }

    /** The columns of arms combined: the names of the first, and types that hold the values of all. */
    private static Rows unified(Query query, List<Rows> arms) {
        List<Column> columns = new ArrayList<>(arms.getFirst().columns());
        for (int arm = 1; arm < arms.size(); arm++) {
            List<Column> others = arms.get(arm).columns();
            if (others.size() != columns.size()) {
                throw PerfettoSqlException.at(
                        query.rest().get(arm - 1).core().at(),
                        "expected " + columns.size() + " columns as in the SELECT before, found " + others.size());
            }
            for (int i = 0; i < columns.size(); i++) {
                Column column = columns.get(i);
                columns.set(
                        i,
                        new Column(
                                column.name(), column.type().with(others.get(i).type())));
            }
        }
        return new Rows("", columns, false);
    }

    /** Arms combined from left to right; the engine would take INTERSECT first. */
    private String joined(Query query, List<Rows> arms, List<Column> columns, int first) {
        List<String> operators = query.rest().subList(first, first + arms.size() - 1).stream()
                .map(Query.Combined::operator)
                .toList();
        boolean alike = operators.stream().distinct().count() <= 1;
        StringBuilder sql = new StringBuilder(converted(arms.getFirst(), columns));
        for (int i = 1; i < arms.size(); i++) {
            if (i > 1 && !alike) {
                sql.insert(0, '(').append(')');
            }
            sql.append(' ').append(operators.get(i - 1)).append(' ').append(converted(arms.get(i), columns));
        }
        return sql.toString();
    }

    /** An arm with exactly these names and types. */
    private String converted(Rows arm, List<Column> columns) {
        if (arm.columns().equals(columns)) {
            return "(" + arm.sql() + ")";
        }
        String alias = translation.names.fresh("arm");
        List<String> names =
                IntStream.range(0, columns.size()).mapToObj(i -> "c" + i).toList();
        String items = IntStream.range(0, columns.size())
                .mapToObj(i -> {
                    SqlType type = arm.columns().get(i).type();
                    Code code = Code.of(alias + "." + names.get(i), type);
                    SqlType wanted = columns.get(i).type();
                    Code right = type == wanted || type == SqlType.NULL
                            ? Code.of("CAST(" + code.sql() + " AS " + wanted.sql() + ")", wanted)
                            : code.as(wanted);
                    return right.sql() + " AS " + Names.quoted(columns.get(i).name());
                })
                .collect(Collectors.joining(", "));
        return "(SELECT " + items + " FROM (" + arm.sql() + ") AS " + alias + "(" + String.join(", ", names) + "))";
    }

    private Rows core(Query.Core core, Scope scope, List<Token> outNames) {
        Query alone = new Query(core.at(), false, List.of(), core, List.of(), List.of(), null, null);
        return single(alone, scope, outNames, true);
    }

    // One SELECT or VALUES

    private Rows single(Query query, Scope scope, List<Token> outNames, boolean distinctNames) {
        Rows rows = switch (query.first()) {
            case Query.Values values -> values(values, scope, outNames);
            case Query.Select select -> select(query, select, scope, outNames, distinctNames);
        };
        if (query.first() instanceof Query.Values && !query.order().isEmpty()) {
            List<String> terms = query.order().stream()
                    .map(order -> outputPosition(order.by(), rows.columns()) + direction(order))
                    .toList();
            return new Rows(
                    rows.sql() + " ORDER BY " + String.join(", ", terms) + limit(query, scope), rows.columns(), false);
        }
        return new Rows(rows.sql() + limit(query, scope), rows.columns(), rows.affinity());
    }

    private String limit(Query query, Scope scope) {
        return limit("LIMIT", query.limit(), scope) + limit("OFFSET", query.offset(), scope);
    }

    /** A negative limit is none. */
    private String limit(String keyword, @Nullable Expr amount, Scope scope) {
        if (amount == null) {
            return "";
        }
        if (amount instanceof Expr.Literal literal
                && literal.at().kind() == Token.Kind.INTEGER
                && literal.at().text().length() < 19) {
            return " " + keyword + " " + literal.at().text();
        }
        String number = translate(amount, scope).integer().sql();
        String none = keyword.equals("LIMIT") ? "9223372036854775807" : "0";
        return " " + keyword + " (CASE WHEN " + number + " < 0 THEN " + none + " ELSE " + number + " END)";
    }

    private Rows values(Query.Values values, Scope scope, List<Token> outNames) {
        int width = values.rows().getFirst().size();
        List<List<Code>> rows = new ArrayList<>();
        List<SqlType> types = new ArrayList<>();
        for (List<Expr> row : values.rows()) {
            if (row.size() != width) {
                throw PerfettoSqlException.at(
                        row.getFirst().at(), "expected " + width + " values as in the first row, found " + row.size());
            }
            List<Code> codes = new ArrayList<>();
            for (int i = 0; i < width; i++) {
                Code code = translate(row.get(i), scope).value();
                codes.add(code);
                if (rows.isEmpty()) {
                    types.add(code.type());
                } else {
                    types.set(i, types.get(i).with(code.type()));
                }
            }
            rows.add(codes);
        }
        List<Column> columns = IntStream.range(0, width)
                .mapToObj(i ->
                        new Column(i < outNames.size() ? outNames.get(i).text() : "column" + (i + 1), types.get(i)))
                .toList();
        String body = rows.stream()
                .map(row -> IntStream.range(0, width)
                        .mapToObj(i -> row.get(i).as(types.get(i)).sql())
                        .collect(Collectors.joining(", ", "(", ")")))
                .collect(Collectors.joining(", "));
        String names =
                columns.stream().map(column -> Names.quoted(column.name())).collect(Collectors.joining(", "));
        String alias = translation.names.fresh("rows");
        return new Rows("SELECT * FROM (VALUES " + body + ") AS " + alias + "(" + names + ")", columns, false);
    }

    /** A column of a result before it has its final name. */
    private record Output(String name, Code code, @Nullable Expr expr, boolean aliased) {}

    private Rows select(Query query, Query.Select select, Scope outer, List<Token> outNames, boolean distinctNames) {
        Scope scope = new Scope(outer);
        scope.windows.putAll(select.windows());
        String fromSql = select.from() == null ? "" : " FROM " + from.translate(select.from(), scope);
        for (Query.Item item : select.items()) {
            if (item instanceof Query.Column column && column.alias() != null) {
                scope.aliases.putIfAbsent(Scope.lower(column.alias().text()), column.value());
            }
        }
        String where = select.where() == null
                ? ""
                : " WHERE " + translate(select.where(), scope).condition();
        String group = group(query, select, scope);
        List<Output> outputs = outputs(select, scope);
        if (!outNames.isEmpty() && outNames.size() != outputs.size()) {
            throw PerfettoSqlException.at(
                    outNames.getFirst(), "expected " + outputs.size() + " names of columns, found " + outNames.size());
        }
        String having = "";
        if (select.having() != null) {
            having = " HAVING " + translate(select.having(), scope).condition();
        }
        String order = orderBy(query.order(), outputs, scope);
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < outputs.size(); i++) {
            String name = i < outNames.size()
                    ? outNames.get(i).text()
                    : outputs.get(i).name();
            columns.add(new Column(name, outputs.get(i).code().type()));
        }
        List<Column> named = distinctNames ? distinct(columns) : columns;
        String items = IntStream.range(0, outputs.size())
                .mapToObj(i -> outputs.get(i).code().sql() + " AS "
                        + Names.quoted(named.get(i).name()))
                .collect(Collectors.joining(", "));
        String sql =
                (select.distinct() ? "SELECT DISTINCT " : "SELECT ") + items + fromSql + where + group + having + order;
        boolean affinity = outputs.size() == 1 && outputs.getFirst().code().affinity();
        return new Rows(sql, named, affinity);
    }

    /** As SQLite names the columns of a table made of a query: the second "x" is "x:1". */
    private static List<Column> distinct(List<Column> columns) {
        Set<String> taken = new HashSet<>();
        List<Column> distinct = new ArrayList<>();
        for (Column column : columns) {
            String base = column.name();
            String name = base;
            for (int i = 1; !taken.add(name.toLowerCase(Locale.ROOT)); i++) {
                name = base + ":" + i;
            }
            distinct.add(new Column(name, column.type()));
        }
        return distinct;
    }

    private String group(Query query, Query.Select select, Scope scope) {
        List<Expr> items = select.items().stream()
                .filter(Query.Column.class::isInstance)
                .map(item -> ((Query.Column) item).value())
                .toList();
        boolean aggregates = items.stream().anyMatch(Aggregates::in)
                || Aggregates.in(select.having())
                || query.order().stream().anyMatch(order -> Aggregates.in(order.by()));
        if (select.group().isEmpty() && !aggregates) {
            if (select.having() != null) {
                throw PerfettoSqlException.at(select.having().at(), "expected GROUP BY or an aggregate before HAVING");
            }
            return "";
        }
        List<Code> keys = new ArrayList<>();
        for (Expr by : select.group()) {
            keys.add(translate(key(by, select), scope).value());
        }
        List<Expr.Call> extremes = items.stream().flatMap(Aggregates::extremes).toList();
        Grouping grouping;
        if (extremes.size() == 1) {
            Expr.Call extreme = extremes.getFirst();
            String looksAt =
                    translate(extreme.arguments().getFirst(), scope).value().sql();
            grouping = new Grouping(looksAt, extreme.name().equals("max"));
        } else {
            grouping = new Grouping(null, false);
        }
        keys.forEach(grouping::addKey);
        scope.grouping = grouping;
        if (keys.isEmpty()) {
            return "";
        }
        List<String> sql =
                keys.stream().filter(key -> !isConstant(key)).map(Code::sql).toList();
        return " GROUP BY " + (sql.isEmpty() ? "(SELECT 1)" : String.join(", ", sql));
    }

    /** Whether no column is in it: the engine would take such a key for a column's number. */
    private static boolean isConstant(Code key) {
        String plain = Marks.strip(key.sql());
        return !plain.contains("\".\"") && !plain.contains("SELECT");
    }

    /** What a term of GROUP BY stands for: a number is a column of the result. */
    private static Expr key(Expr by, Query.Select select) {
        if (by instanceof Expr.Literal literal && literal.at().kind() == Token.Kind.INTEGER) {
            Query.Item item =
                    select.items().get(ordinal(literal.at(), select.items().size()) - 1);
            if (item instanceof Query.Column column) {
                return column.value();
            }
            throw PerfettoSqlException.at(by.at(), "expected the number of a column that is written out");
        }
        return by;
    }

    private List<Output> outputs(Query.Select select, Scope scope) {
        List<Output> outputs = new ArrayList<>();
        for (Query.Item item : select.items()) {
            switch (item) {
                case Query.Star star -> star(star, scope, outputs);
                case Query.Column column -> outputs.add(output(column, scope));
            }
        }
        return outputs;
    }

    private Output output(Query.Column column, Scope scope) {
        Code code = translate(column.value(), scope).value();
        Token alias = column.alias();
        String name = alias != null ? alias.text() : column.written();
        if (alias == null && column.value() instanceof Expr.Name plain) {
            name = declaredName(plain, scope);
        }
        return new Output(name, code, column.value(), alias != null);
    }

    /** A column is called as it was declared, not as the query writes it. */
    private static String declaredName(Expr.Name name, Scope from) {
        for (Scope scope = from; scope != null; scope = scope.outer) {
            for (Scope.Source source : scope.sources) {
                Token table = name.table();
                Scope.Field field = table == null || source.name().equalsIgnoreCase(table.text())
                        ? source.field(name.at().text())
                        : null;
                if (field != null) {
                    return field.name();
                }
            }
        }
        return name.at().text();
    }

    private void star(Query.Star star, Scope scope, List<Output> outputs) {
        int before = outputs.size();
        boolean found = false;
        for (Scope.Source source : scope.sources) {
            Token table = star.table();
            if (table != null && !source.name().equalsIgnoreCase(table.text())) {
                continue;
            }
            found = true;
            for (Scope.Field field : source.fields()) {
                if (table == null && field.merged()) {
                    continue;
                }
                Code merged = table == null ? scope.mergedCodes.get(Scope.lower(field.name())) : null;
                Code row = merged == null ? field.code() : merged;
                Grouping grouping = scope.grouping;
                Code code = grouping == null || grouping.isKey(row.value()) ? row : grouping.ofOneRow(row);
                outputs.add(new Output(field.name(), code.value(), null, false));
            }
        }
        if (!found) {
            Token table = star.table();
            throw PerfettoSqlException.at(
                    table == null ? star.at() : table,
                    table == null
                            ? "expected FROM: * has no table here"
                            : "no such table in this query: " + table.text());
        }
        if (outputs.size() == before) {
            throw PerfettoSqlException.at(star.at(), "expected a table with columns for *");
        }
    }

    private String orderBy(List<Query.Order> orders, List<Output> outputs, Scope scope) {
        if (orders.isEmpty()) {
            return "";
        }
        List<String> terms = new ArrayList<>();
        for (Query.Order order : orders) {
            terms.add(orderTerm(order.by(), outputs, scope) + direction(order));
        }
        return " ORDER BY " + String.join(", ", terms);
    }

    private String orderTerm(Expr by, List<Output> outputs, Scope scope) {
        if (by instanceof Expr.Literal literal && literal.at().kind() == Token.Kind.INTEGER) {
            return Integer.toString(ordinal(literal.at(), outputs.size()));
        }
        if (by instanceof Expr.Name name && name.table() == null) {
            for (int i = 0; i < outputs.size(); i++) {
                if (outputs.get(i).aliased()
                        && outputs.get(i).name().equalsIgnoreCase(name.at().text())) {
                    return Integer.toString(i + 1);
                }
            }
        }
        Code code = translate(by, scope).value();
        String plain = Marks.strip(code.sql());
        for (int i = 0; i < outputs.size(); i++) {
            if (Marks.strip(outputs.get(i).code().sql()).equals(plain)) {
                return Integer.toString(i + 1);
            }
        }
        // the engine takes no constant here, and it orders nothing
        return Aggregates.namesColumns(by) || Aggregates.in(by) || Aggregates.hasWindow(by) ? code.sql() : "(SELECT 1)";
    }
}
