package dev.unjank.query.print;

import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.FileFormat;
import dev.unjank.query.tree.Sql;
import dev.unjank.query.tree.SqlQuery;
import dev.unjank.query.tree.SqlStatement;
import dev.unjank.query.tree.TypedColumn;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Prints trees as DuckDB's SQL: the only place where translated statements become text. */
public final class DuckDbPrinter {
    /** Functions that use their parameters several times can increase the length exponentially. */
    private static final int MAX_LENGTH = 2_000_000;

    /** The statement's first token; null for a generated statement. */
    private final @Nullable Token statement;

    private final StringBuilder out = new StringBuilder();
    private final List<Integer> offsets = new ArrayList<>();
    private final List<Token> tokens = new ArrayList<>();
    private final Set<String> macros = new LinkedHashSet<>();

    private DuckDbPrinter(@Nullable Token statement) {
        this.statement = statement;
    }

    /**
     * Prints a statement.
     *
     * @param at its first token, for errors; null for a generated statement
     */
    public static PrintedSql print(SqlStatement statement, @Nullable Token at) {
        DuckDbPrinter printer = new DuckDbPrinter(at);
        printer.statement(statement);
        return new PrintedSql(
                printer.out.toString(), List.copyOf(printer.offsets), List.copyOf(printer.tokens), printer.macros);
    }

    /** Prints a generated query. */
    public static String print(SqlQuery query) {
        return print(new SqlStatement.Run(query), null).sql();
    }

    // Statements

    private void statement(SqlStatement statement) {
        switch (statement) {
            case SqlStatement.Run run -> query(run.query());
            case SqlStatement.CreateTable table -> {
                add(table.replace() ? "CREATE OR REPLACE TABLE " : "CREATE TABLE ")
                        .name(table.name())
                        .add(" AS ");
                query(table.query());
            }
            case SqlStatement.CreateView view -> {
                add("CREATE VIEW ").name(view.name()).add(" AS ");
                query(view.query());
            }
            case SqlStatement.CreateEmptyTable table -> {
                add("CREATE TABLE ").name(table.name()).add(" (");
                for (int i = 0; i < table.columns().size(); i++) {
                    TypedColumn column = table.columns().get(i);
                    comma(i).name(column.name()).add(" ").add(column.type().sql());
                }
                add(")");
            }
            case SqlStatement.Insert insert -> {
                add("INSERT INTO ").name(insert.table());
                names(insert.columns()).add(" ");
                query(insert.query());
            }
            case SqlStatement.Drop drop ->
                add(drop.view() ? "DROP VIEW " : "DROP TABLE ").name(drop.name());
            case SqlStatement.Copy copy -> copy(copy);
        }
    }

    /** NULL is {@code "[NULL]"} in CSV, as in printed results. */
    private void copy(SqlStatement.Copy copy) {
        add("COPY (");
        query(copy.query());
        add(") TO ")
                .text(copy.path())
                .add(" (")
                .add(
                        switch (copy.format()) {
                            case CSV -> "FORMAT csv, HEADER true, FORCE_QUOTE *, NULLSTR '[NULL]'";
                            case JSON -> "FORMAT json, ARRAY true";
                            case PARQUET -> "FORMAT parquet";
                        })
                .add(", USE_TMP_FILE false)");
    }

    // Queries

    private void query(SqlQuery query) {
        switch (query) {
            case SqlQuery.Select select -> select(select);
            case SqlQuery.Values values -> {
                add("SELECT * FROM (VALUES ");
                for (int i = 0; i < values.rows().size(); i++) {
                    comma(i).call("", values.rows().get(i));
                }
                add(") AS ").name(values.alias()).names(values.columns());
            }
            case SqlQuery.Combined combined -> combined(combined);
            case SqlQuery.Limited limited -> {
                query(limited.query());
                orderBy(limited.order());
                optional(" LIMIT ", limited.limit());
                optional(" OFFSET ", limited.offset());
            }
            case SqlQuery.With with -> {
                add(with.recursive() ? "WITH RECURSIVE " : "WITH ");
                for (int i = 0; i < with.tables().size(); i++) {
                    SqlQuery.CommonTable table = with.tables().get(i);
                    comma(i).name(table.name()).add(" AS ").add(table.hint()).add(" (");
                    query(table.query());
                    add(")");
                }
                add(" ");
                query(with.query());
            }
        }
    }

    private void select(SqlQuery.Select select) {
        add(select.distinct() ? "SELECT DISTINCT " : "SELECT ");
        if (select.items().isEmpty()) {
            add("*");
        }
        for (int i = 0; i < select.items().size(); i++) {
            SqlQuery.Item item = select.items().get(i);
            comma(i).expression(item.value()).add(" AS ").name(item.name());
        }
        if (select.from() != null) {
            add(" FROM ");
            source(select.from());
        }
        optional(" WHERE ", select.where());
        if (!select.group().isEmpty()) {
            add(" GROUP BY ");
            expressions(select.group());
        }
        optional(" HAVING ", select.having());
    }

    /** From left to right; without parentheses, DuckDB would give INTERSECT precedence. */
    private void combined(SqlQuery.Combined combined) {
        boolean alike = combined.operators().stream().distinct().count() <= 1;
        int arms = combined.arms().size();
        if (!alike) {
            add("(".repeat(arms - 2));
        }
        for (int i = 0; i < arms; i++) {
            if (i > 0) {
                add(" ").add(combined.operators().get(i - 1)).add(" ");
            }
            add("(");
            query(combined.arms().get(i));
            add(")");
            if (!alike && i > 0 && i < arms - 1) {
                add(")");
            }
        }
    }

    private void source(SqlQuery.Source source) {
        switch (source) {
            case SqlQuery.Table table -> {
                mark(table.at());
                name(table.name()).add(" AS ").name(table.alias());
            }
            case SqlQuery.File file -> {
                add(file.format().reader()).add("(").text(file.path());
                add(file.format() == FileFormat.CSV ? ", nullstr = ['', '[NULL]']" : "");
                add(") AS ").name(file.alias());
            }
            case SqlQuery.Nested nested -> {
                add(nested.lateral() ? "LATERAL (" : "(");
                mark(nested.at());
                query(nested.query());
                add(") AS ").name(nested.alias()).names(nested.columns());
            }
            case SqlQuery.Join join -> {
                source(join.left());
                add(" ").add(join.kind()).add(" JOIN ");
                boolean nested = join.right() instanceof SqlQuery.Join;
                add(nested ? "(" : "");
                source(join.right());
                add(nested ? ")" : "");
                optional(" ON ", join.on());
            }
        }
    }

    private DuckDbPrinter orderBy(List<SqlQuery.Order> orders) {
        if (!orders.isEmpty()) {
            add(" ORDER BY ");
            for (int i = 0; i < orders.size(); i++) {
                SqlQuery.Order order = orders.get(i);
                comma(i).expression(order.by()).add(order.descending() ? " DESC" : " ASC");
                add(order.nullsFirst() ? " NULLS FIRST" : " NULLS LAST");
            }
        }
        return this;
    }

    // Expressions

    private DuckDbPrinter expression(Sql sql) {
        boolean operator = sql.form() instanceof Sql.Infix || sql.form() instanceof Sql.Prefix;
        if (!operator) {
            marks(sql);
        }
        List<Sql> operands = sql.operands();
        switch (sql.form()) {
            case Sql.Text text -> text(text.value());
            case Sql.Int number -> integer(number.value());
            case Sql.Bare number -> add(Long.toString(number.value()));
            case Sql.Real number ->
                add("CAST('").add(Double.toString(number.value())).add("' AS DOUBLE)");
            case Sql.Constant constant -> add(constant.name());
            case Sql.Column column -> name(column.table()).add(".").name(column.name());
            case Sql.Bound bound -> lambda(bound.level()).add(".f").add(Integer.toString(bound.index()));
            case Sql.Let let -> let(let, operands);
            case Sql.Call call -> call(call.function(), operands);
            case Sql.MacroCall call -> {
                macros.add(call.macro());
                call(call.macro(), operands);
            }
            case Sql.Infix infix -> infix(infix, sql);
            case Sql.Prefix prefix -> {
                add("(");
                marks(sql);
                add(prefix.operator()).expression(operands.getFirst()).add(")");
            }
            case Sql.Postfix postfix ->
                add("(").expression(operands.getFirst()).add(postfix.operator()).add(")");
            case Sql.Match match -> match(match, operands);
            case Sql.Cast cast ->
                add("CAST(")
                        .expression(operands.getFirst())
                        .add(" AS ")
                        .add(cast.type().sql())
                        .add(")");
            case Sql.Case() -> choice(operands);
            case Sql.Row() -> call("", operands);
            case Sql.InList() -> {
                add("(").expression(operands.getFirst()).add(" IN ");
                call("", operands.subList(1, operands.size())).add(")");
            }
            case Sql.InQuery in -> {
                add("(").expression(operands.getFirst()).add(" IN (");
                query(in.query());
                add("))");
            }
            case Sql.Exists exists -> subquery("EXISTS (", exists.query());
            case Sql.Scalar scalar -> subquery("(", scalar.query());
            case Sql.Aggregate aggregate -> aggregate(aggregate, operands);
        }
        return this;
    }

    private void integer(long value) {
        String number = Long.toString(value);
        // the digits of the least number do not fit without their sign
        add("CAST(").add(value == Long.MIN_VALUE ? "'" + number + "'" : number).add(" AS BIGINT)");
    }

    private void subquery(String open, SqlQuery query) {
        add(open);
        query(query);
        add(")");
    }

    private DuckDbPrinter call(String function, List<Sql> arguments) {
        add(function).add("(");
        expressions(arguments);
        return add(")");
    }

    private void infix(Sql.Infix infix, Sql sql) {
        List<Sql> operands = sql.operands();
        add("(").expression(operands.getFirst());
        for (Sql operand : operands.subList(1, operands.size())) {
            add(" ");
            marks(sql);
            add(infix.operator()).add(" ").expression(operand);
        }
        add(")");
    }

    private void match(Sql.Match match, List<Sql> operands) {
        add("(").expression(operands.getFirst())
                .add(" ")
                .add(match.operator())
                .add(" ")
                .expression(operands.get(1));
        optional(" ESCAPE ", operands.size() > 2 ? operands.get(2) : null);
        add(")");
    }

    private void choice(List<Sql> parts) {
        add("(CASE");
        for (int i = 0; i + 1 < parts.size(); i += 2) {
            add(" WHEN ").expression(parts.get(i)).add(" THEN ").expression(parts.get(i + 1));
        }
        optional(" ELSE ", parts.size() % 2 == 1 ? parts.getLast() : null);
        add(" END)");
    }

    private void let(Sql.Let let, List<Sql> operands) {
        add("list_extract(list_transform([struct_pack(");
        for (int i = 0; i < operands.size() - 1; i++) {
            add(i == 0 ? "f" : ", f").add(Integer.toString(i)).add(" := ").expression(operands.get(i));
        }
        add(")], lambda ")
                .lambda(let.level())
                .add(": ")
                .expression(operands.getLast())
                .add("), 1)");
    }

    private DuckDbPrinter lambda(int level) {
        return add(level == 0 ? "v" : "v" + level);
    }

    private void aggregate(Sql.Aggregate call, List<Sql> arguments) {
        add(call.function()).add(call.distinct() ? "(DISTINCT " : "(");
        expressions(arguments);
        add(call.ignoreNulls() ? " IGNORE NULLS" : "").orderBy(call.order()).add(")");
        if (call.filter() != null) {
            add(" FILTER (WHERE ").expression(call.filter()).add(")");
        }
        Sql.Window window = call.window();
        if (window != null) {
            add(" OVER (");
            if (!window.partition().isEmpty()) {
                add("PARTITION BY ");
                expressions(window.partition());
            }
            orderBy(window.order()).add(" ").add(window.frame()).add(")");
        }
    }

    // Text

    private void optional(String keyword, @Nullable Sql sql) {
        if (sql != null) {
            add(keyword).expression(sql);
        }
    }

    private void expressions(List<Sql> list) {
        for (int i = 0; i < list.size(); i++) {
            comma(i).expression(list.get(i));
        }
    }

    private DuckDbPrinter comma(int index) {
        return index == 0 ? this : add(", ");
    }

    private DuckDbPrinter names(List<String> names) {
        if (!names.isEmpty()) {
            add("(");
            for (int i = 0; i < names.size(); i++) {
                comma(i).name(names.get(i));
            }
            add(")");
        }
        return this;
    }

    private DuckDbPrinter name(String name) {
        return add(SqlQuoting.name(name));
    }

    private DuckDbPrinter text(String string) {
        return add(SqlQuoting.text(string));
    }

    private void marks(Sql sql) {
        for (Token token : sql.at()) {
            mark(token);
        }
    }

    private void mark(@Nullable Token token) {
        if (token != null) {
            offsets.add(out.length());
            tokens.add(token);
        }
    }

    private DuckDbPrinter add(String text) {
        out.append(text);
        if (out.length() > MAX_LENGTH && statement != null) {
            throw PerfettoSqlException.at(statement, "too long after inlining functions");
        }
        return this;
    }
}
