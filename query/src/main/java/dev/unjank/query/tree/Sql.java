package dev.unjank.query.tree;

import dev.unjank.query.source.Token;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A node of an expression in DuckDB's SQL: its form, its operands, and the tokens of the statement that it comes from.
 * Nodes are immutable and may be shared. Two nodes are equal if they differ only in their tokens.
 */
public final class Sql {
    /** Values with more nodes are bound to a lambda's parameter instead of being repeated. */
    private static final int SHORT = 12;

    /** Counts as long; a subquery is never repeated. */
    private static final int QUERY_SIZE = 100;

    /** The approximate maximum number of times that a macro repeats its arguments. */
    private static final int MACRO_REPEATS = 3;

    private static final int MAX_SIZE = 1_000_000;

    /** The form of a node, besides its operands. */
    public sealed interface Form {}

    /** A string. */
    public record Text(String value) implements Form {}

    /** A BIGINT. */
    public record Int(long value) implements Form {}

    /** A number as it is written, for arguments that DuckDB requires as INTEGER. */
    public record Bare(long value) implements Form {}

    /** A DOUBLE. */
    public record Real(double value) implements Form {}

    /** NULL, TRUE and FALSE. */
    public enum Constant implements Form {
        NULL,
        TRUE,
        FALSE
    }

    public record Column(String table, String name) implements Form {}

    /** A value of an enclosing {@link Let}. */
    public record Bound(int level, int index) implements Form {}

    /** The last operand, in which the others are {@link Bound}. */
    public record Let(int level) implements Form {}

    /** A function of DuckDB. */
    public record Call(String function) implements Form {}

    /** A macro of {@code sqlite.sql}. */
    public record MacroCall(String macro) implements Form {}

    public record Infix(String operator) implements Form {}

    public record Prefix(String operator) implements Form {}

    public record Postfix(String operator) implements Form {}

    /** LIKE, ILIKE or GLOB: a value, a pattern and possibly an escape character. */
    public record Match(String operator) implements Form {}

    public record Cast(SqlType type) implements Form {}

    /** Conditions and results, and possibly the result otherwise. */
    public record Case() implements Form {}

    /** Values in parentheses. */
    public record Row() implements Form {}

    /** Whether the first operand is one of the others. */
    public record InList() implements Form {}

    /** Whether the operand is a row of a query. */
    public record InQuery(SqlQuery query) implements Form {}

    public record Exists(SqlQuery query) implements Form {}

    /** The value of a query with one column. */
    public record Scalar(SqlQuery query) implements Form {}

    /** An aggregate or window function. */
    public record Aggregate(
            String function,
            boolean distinct,
            boolean ignoreNulls,
            List<SqlQuery.Order> order,
            @Nullable Sql filter,
            @Nullable Window window)
            implements Form {}

    /** A window; the frame is kept as text. */
    public record Window(List<Sql> partition, List<SqlQuery.Order> order, String frame) {}

    public static final Sql NULL = new Sql(Constant.NULL);
    public static final Sql TRUE = new Sql(Constant.TRUE);
    public static final Sql FALSE = new Sql(Constant.FALSE);

    private final Form form;
    private final List<Sql> operands;
    private final List<Token> at;

    /** Number of nodes, with repetitions. */
    private final int size;

    /** More than the level of any {@link Bound} within. */
    private final int levels;

    private final boolean constant;
    private final int hash;

    private Sql(Form form, List<Sql> operands, List<Token> at) {
        this.form = form;
        this.operands = List.copyOf(operands);
        this.at = at;
        int nodes = ownSize(form);
        int top = form instanceof Bound bound ? bound.level + 1 : 0;
        boolean fixed = !(form instanceof Column) && nodes == 1;
        int repeats = form instanceof MacroCall ? MACRO_REPEATS : 1;
        for (Sql operand : operands) {
            nodes = Math.min(MAX_SIZE, nodes + repeats * operand.size);
            top = Math.max(top, operand.levels);
            fixed &= operand.constant;
        }
        this.size = nodes;
        this.levels = top;
        this.constant = fixed;
        this.hash = Objects.hash(form, this.operands);
    }

    private Sql(Form form, Sql... operands) {
        this(form, Arrays.asList(operands), List.of());
    }

    private static int ownSize(Form form) {
        return switch (form) {
            case InQuery _, Exists _, Scalar _, Aggregate _ -> QUERY_SIZE;
            default -> 1;
        };
    }

    public Form form() {
        return form;
    }

    public List<Sql> operands() {
        return operands;
    }

    /** The tokens that this comes from, the outermost first. The engine's errors are located at the last. */
    public List<Token> at() {
        return at;
    }

    public int size() {
        return size;
    }

    /** Whether this contains neither a column nor a query. */
    public boolean isConstant() {
        return constant;
    }

    /** The value of a string literal; null for any other expression. */
    public @Nullable String literal() {
        return form instanceof Text text ? text.value : null;
    }

    /** This node as the translation of a token. */
    public Sql at(Token token) {
        List<Token> tokens = new ArrayList<>(List.of(token));
        tokens.addAll(at);
        return new Sql(form, operands, List.copyOf(tokens));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof Sql that
                        && hash == that.hash
                        && size == that.size
                        && form.equals(that.form)
                        && operands.equals(that.operands));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    // Construction

    public static Sql text(String value) {
        return new Sql(new Text(value));
    }

    public static Sql integer(long value) {
        return new Sql(new Int(value));
    }

    public static Sql bare(long value) {
        return new Sql(new Bare(value));
    }

    public static Sql real(double value) {
        return new Sql(new Real(value));
    }

    public static Sql truth(boolean value) {
        return value ? TRUE : FALSE;
    }

    public static Sql column(String table, String name) {
        return new Sql(new Column(table, name));
    }

    public static Sql call(String function, Sql... arguments) {
        return call(function, Arrays.asList(arguments));
    }

    public static Sql call(String function, List<Sql> arguments) {
        return new Sql(new Call(function), arguments, List.of());
    }

    /** A call of a macro of {@code sqlite.sql}; long arguments are evaluated once. */
    public static Sql macro(String macro, Sql... arguments) {
        return let(List.of(arguments), values -> new Sql(new MacroCall(macro), values, List.of()));
    }

    public static Sql infix(Sql left, String operator, Sql right) {
        return new Sql(new Infix(operator), left, right);
    }

    /** Operands with AND or OR between them; the last operand is nested innermost. */
    public static Sql all(List<Sql> operands, String operator) {
        return operands.size() == 1 ? operands.getFirst() : new Sql(new Infix(operator), operands, List.of());
    }

    public static Sql prefix(String operator, Sql operand) {
        return new Sql(new Prefix(operator), operand);
    }

    public static Sql not(Sql condition) {
        return prefix("NOT ", condition);
    }

    public static Sql isNull(Sql operand) {
        return new Sql(new Postfix(" IS NULL"), operand);
    }

    public static Sql isNotNull(Sql operand) {
        return new Sql(new Postfix(" IS NOT NULL"), operand);
    }

    public static Sql match(Sql value, String operator, Sql pattern, @Nullable Sql escape) {
        return new Sql(
                new Match(operator),
                escape == null ? List.of(value, pattern) : List.of(value, pattern, escape),
                List.of());
    }

    public static Sql cast(Sql operand, SqlType type) {
        return new Sql(new Cast(type), operand);
    }

    /** CASE with conditions and results in turn, and possibly a last result otherwise. */
    public static Sql choice(Sql... parts) {
        return choice(Arrays.asList(parts));
    }

    public static Sql choice(List<Sql> parts) {
        return new Sql(new Case(), parts, List.of());
    }

    public static Sql row(List<Sql> values) {
        return new Sql(new Row(), values, List.of());
    }

    public static Sql in(Sql value, List<Sql> items) {
        List<Sql> operands = new ArrayList<>(List.of(value));
        operands.addAll(items);
        return new Sql(new InList(), operands, List.of());
    }

    public static Sql in(Sql value, SqlQuery query) {
        return new Sql(new InQuery(query), value);
    }

    public static Sql exists(SqlQuery query) {
        return new Sql(new Exists(query));
    }

    public static Sql scalar(SqlQuery query) {
        return new Sql(new Scalar(query));
    }

    public static Sql aggregate(Aggregate call, List<Sql> arguments) {
        return new Sql(call, arguments, List.of());
    }

    /** An aggregate without any clause. */
    public static Sql aggregate(String function, Sql... arguments) {
        return aggregate(new Aggregate(function, false, false, List.of(), null, null), List.of(arguments));
    }

    /**
     * Binds values that a body uses several times. Short values are repeated. Long values and queries are evaluated
     * once and passed to a lambda, so that neither text nor work doubles with each level of nesting.
     */
    public static Sql let(List<Sql> values, Function<List<Sql>, Sql> body) {
        if (values.stream().allMatch(value -> value.size <= SHORT)) {
            return body.apply(values);
        }
        // a level of its own: a lambda may be nested in the body of another
        int level = values.stream().mapToInt(value -> value.levels).max().orElse(0);
        List<Sql> operands = new ArrayList<>(values);
        operands.add(body.apply(IntStream.range(0, values.size())
                .mapToObj(i -> new Sql(new Bound(level, i)))
                .toList()));
        return new Sql(new Let(level), operands, List.of());
    }

    public static Sql let(Sql value, Function<Sql, Sql> body) {
        return let(List.of(value), values -> body.apply(values.getFirst()));
    }
}
