package dev.unjank.query.function;

import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.LetBinding;
import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.TypedExpr;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** SQLite's scalar functions, and Perfetto's that need no table, in DuckDB's SQL. */
public final class ScalarFunctions {
    /** Translates a call. */
    interface FunctionBuilder {
        TypedExpr build(Token call, List<TypedExpr> arguments);
    }

    private record Entry(int minArity, int maxArity, FunctionBuilder builder) {}

    private static final int ANY_NUMBER = 127;
    private static final Map<String, Entry> ENTRIES = new HashMap<>();

    static {
        put(
                "lower",
                1,
                1,
                (call, a) ->
                        TypedExpr.of(PatternMatching.lower(a.getFirst().text().sql()), SqlType.TEXT));
        put(
                "upper",
                1,
                1,
                (call, a) ->
                        TypedExpr.of(PatternMatching.upper(a.getFirst().text().sql()), SqlType.TEXT));
        text("trim", 1, 2, "trim({*})");
        text("ltrim", 1, 2, "ltrim({*})");
        text("rtrim", 1, 2, "rtrim({*})");
        text("replace", 3, 3, "replace({*})");
        text("reverse", 1, 1, "reverse({0})");
        textTo("unicode", 1, SqlType.INT, "CAST(nullif(unicode({0}), -1) AS BIGINT)");
        put("instr", 2, 2, StringFunctions::instr);
        put(
                "unhex",
                1,
                1,
                (call, a) -> TypedExpr.of(
                        LetBinding.bind(
                                a.getFirst().text().sql(),
                                v -> "(CASE WHEN regexp_full_match(" + v + ", '([0-9a-fA-F][0-9a-fA-F])*') THEN unhex("
                                        + v + ") END)"),
                        SqlType.BLOB));
        text("base64_encode", 1, 1, "to_base64(encode({0}))");
        textTo("regexp", 2, SqlType.BOOL, "regexp_matches({1}, {0})");
        put("like", 2, 3, (call, a) -> PatternMatching.like(a.get(1), a.getFirst(), a.size() == 3 ? a.get(2) : null));
        textTo("hash", 1, SqlType.INT, "CAST(hash({0}) >> 1 AS BIGINT)");
        withinDomain("ln", "> 0");
        withinDomain("log10", "> 0");
        withinDomain("log2", "> 0");
        number("exp", "exp({0})");
        withinDomain("sqrt", ">= 0");
        number("sin", "sin({0})");
        number("cos", "cos({0})");
        number("tan", "tan({0})");
        withinDomain("asin", "BETWEEN -1 AND 1");
        withinDomain("acos", "BETWEEN -1 AND 1");
        number("atan", "atan({0})");
        number("atan2", 2, "atan2({0}, {1})");
        number("degrees", "degrees({0})");
        number("radians", "radians({0})");
        number("mod", 2, "{0} % nullif({1}, 0)");
        number("pi", 0, "pi()");
        number("pow", 2, "pow({0}, {1})");
        number("power", 2, "pow({0}, {1})");
        rounding("ceil", "ceil");
        rounding("ceiling", "ceil");
        rounding("floor", "floor");
        rounding("trunc", "trunc");
        put("log", 1, 2, (call, a) -> a.size() == 1 ? call(call, "log10", a) : logarithm(a.getFirst(), a.get(1)));
        put(
                "round",
                1,
                2,
                (call, a) -> TypedExpr.of(
                        "round(" + a.getFirst().real().sql() + ", "
                                + (a.size() == 1
                                        ? "0"
                                        : "CAST(least(greatest("
                                                + a.get(1).integer().sql() + ", 0), 30) AS INTEGER)")
                                + ")",
                        SqlType.REAL));
        put("abs", 1, 1, (call, a) -> {
            TypedExpr n = a.getFirst().number();
            return TypedExpr.of("abs(" + n.sql() + ")", n.type());
        });
        put(
                "sign",
                1,
                1,
                (call, a) -> TypedExpr.of("CAST(sign(" + a.getFirst().number().sql() + ") AS BIGINT)", SqlType.INT));
        put(
                "length",
                1,
                1,
                (call, a) -> a.getFirst().type() == SqlType.BLOB
                        ? TypedExpr.of("CAST(octet_length(" + a.getFirst().sql() + ") AS BIGINT)", SqlType.INT)
                        : TypedExpr.of("CAST(length(" + a.getFirst().text().sql() + ") AS BIGINT)", SqlType.INT));
        put("substr", 2, 3, StringFunctions::substring);
        put("substring", 2, 3, StringFunctions::substring);
        put("ifnull", 2, 2, ScalarFunctions::coalesce);
        put("coalesce", 2, ANY_NUMBER, ScalarFunctions::coalesce);
        put("nullif", 2, 2, (call, a) -> {
            TypedExpr value = a.getFirst().asResult();
            String equal = SqliteComparison.compare(a.getFirst(), "=", a.get(1)).sql();
            return TypedExpr.of("CASE WHEN " + equal + " THEN NULL ELSE " + value.sql() + " END", value.type())
                    .inParentheses();
        });
        put("iif", 2, ANY_NUMBER, ScalarFunctions::iif);
        put("if", 2, ANY_NUMBER, ScalarFunctions::iif);
        put("min", 2, ANY_NUMBER, (call, a) -> leastOrGreatest("least", a));
        put("max", 2, ANY_NUMBER, (call, a) -> leastOrGreatest("greatest", a));
        put("typeof", 1, 1, (call, a) -> typeOf(a.getFirst()));
        put(
                "hex",
                1,
                1,
                (call, a) -> TypedExpr.of(
                        "coalesce(hex("
                                + (a.getFirst().type() == SqlType.BLOB
                                                ? a.getFirst()
                                                : a.getFirst().text())
                                        .sql() + "), '')",
                        SqlType.TEXT));
        put("quote", 1, 1, (call, a) -> quote(a.getFirst()));
        put(
                "char",
                0,
                ANY_NUMBER,
                (call, a) -> a.isEmpty()
                        ? TypedExpr.of("''", SqlType.TEXT)
                        : TypedExpr.of(
                                a.stream()
                                        .map(code -> StringFunctions.character(
                                                code.integer().sql()))
                                        .collect(Collectors.joining(" || ", "(", ")")),
                                SqlType.TEXT));
        put(
                "concat",
                1,
                ANY_NUMBER,
                (call, a) -> TypedExpr.of(
                        a.stream().map(code -> code.text().sql()).collect(Collectors.joining(", ", "concat(", ")")),
                        SqlType.TEXT));
        put(
                "concat_ws",
                2,
                ANY_NUMBER,
                (call, a) -> TypedExpr.of(
                        a.stream().map(code -> code.text().sql()).collect(Collectors.joining(", ", "concat_ws(", ")")),
                        SqlType.TEXT));
        put(
                "random",
                0,
                0,
                (call, a) -> TypedExpr.of(
                        "CAST(floor((random() - 0.5e0) * 18446744073709549568e0) AS BIGINT)", SqlType.INT));
        put("likely", 1, 1, (call, a) -> a.getFirst());
        put("unlikely", 1, 1, (call, a) -> a.getFirst());
        put("likelihood", 2, 2, (call, a) -> a.getFirst());
        put("json_extract", 2, 2, (call, a) -> JsonFunctions.extract(call, a.getFirst(), a.get(1)));
        put("printf", 1, ANY_NUMBER, PrintfFunction::printf);
        put("format", 1, ANY_NUMBER, PrintfFunction::printf);
        put("strftime", 2, 3, DateFunctions::strftime);
        put("datetime", 1, 2, (call, a) -> DateFunctions.datePart(call, a, "%Y-%m-%d %H:%M:%S"));
        put("date", 1, 2, (call, a) -> DateFunctions.datePart(call, a, "%Y-%m-%d"));
        put("time", 1, 2, (call, a) -> DateFunctions.datePart(call, a, "%H:%M:%S"));
        put("julianday", 1, 2, DateFunctions::julianDay);
        put("unixepoch", 0, 2, DateFunctions::unixEpoch);
        // Perfetto's extensions
        put("glob", 2, 2, (call, a) -> PatternMatching.glob(a.get(1), a.getFirst()));
        put("str_split", 3, 3, StringFunctions::split);
        put("regexp_extract", 2, 2, (call, a) -> PatternMatching.extract(a.getFirst(), a.get(1)));
        put(
                "regexp_replace_simple",
                3,
                3,
                (call, a) -> TypedExpr.of(
                        "regexp_replace(" + a.getFirst().text().sql() + ", "
                                + a.get(1).text().sql() + ", " + a.get(2).text().sql() + ", 'g')",
                        SqlType.TEXT));
    }

    private ScalarFunctions() {}

    public static boolean has(String name) {
        return ENTRIES.containsKey(name);
    }

    public static Set<String> names() {
        return ENTRIES.keySet();
    }

    /** Whether a call with this number of arguments is scalar: min and max of one argument are aggregates. */
    static boolean acceptsArity(String name, int arguments) {
        Entry entry = ENTRIES.get(name);
        return entry != null && arguments >= entry.minArity && arguments <= entry.maxArity;
    }

    public static TypedExpr call(Token call, String name, List<TypedExpr> arguments) {
        Entry entry = ENTRIES.get(name);
        if (entry == null) {
            throw new IllegalArgumentException("no such function: " + name);
        }
        if (arguments.size() < entry.minArity || arguments.size() > entry.maxArity) {
            throw PerfettoSqlException.at(
                    call,
                    "wrong number of arguments to " + name + ": expected " + expected(entry) + ", found "
                            + arguments.size());
        }
        return entry.builder.build(call, arguments);
    }

    private static String expected(Entry entry) {
        if (entry.minArity == entry.maxArity) {
            return Integer.toString(entry.minArity);
        }
        return entry.maxArity == ANY_NUMBER ? "at least " + entry.minArity : entry.minArity + " to " + entry.maxArity;
    }

    private static void put(String name, int minArity, int maxArity, FunctionBuilder builder) {
        ENTRIES.put(name, new Entry(minArity, maxArity, builder));
    }

    private static void text(String name, int minArity, int maxArity, String template) {
        put(
                name,
                minArity,
                maxArity,
                (call, a) -> TypedExpr.of(
                        fill(template, a.stream().map(code -> code.text().sql()).toList()), SqlType.TEXT));
    }

    private static void textTo(String name, int arguments, SqlType type, String template) {
        put(
                name,
                arguments,
                arguments,
                (call, a) -> TypedExpr.of(
                        fill(template, a.stream().map(code -> code.text().sql()).toList()), type));
    }

    private static void number(String name, String template) {
        number(name, 1, template);
    }

    private static void number(String name, int arguments, String template) {
        put(
                name,
                arguments,
                arguments,
                (call, a) -> TypedExpr.of(
                                fill(
                                        template,
                                        a.stream()
                                                .map(code -> code.real().sql())
                                                .toList()),
                                SqlType.REAL)
                        .inParentheses());
    }

    /** A floating-point function that is NULL outside its domain. */
    private static void withinDomain(String name, String condition) {
        put(
                name,
                1,
                1,
                (call, a) -> TypedExpr.of(
                        LetBinding.bind(
                                a.getFirst().real().sql(),
                                v -> "(CASE WHEN " + v + " " + condition + " THEN " + name + "(" + v + ") END)"),
                        SqlType.REAL));
    }

    /** NULL, as in SQLite, if the logarithm of the base is not positive. */
    private static TypedExpr logarithm(TypedExpr base, TypedExpr number) {
        return TypedExpr.of(
                LetBinding.bind(
                        List.of(base.real().sql(), number.real().sql()),
                        v -> "(CASE WHEN " + v.getFirst() + " > 1 AND " + v.getLast() + " > 0 THEN ln(" + v.getLast()
                                + ") / ln(" + v.getFirst() + ") END)"),
                SqlType.REAL);
    }

    private static void rounding(String name, String function) {
        put(name, 1, 1, (call, a) -> {
            TypedExpr n = a.getFirst().number();
            return n.type() == SqlType.REAL ? TypedExpr.of(function + "(" + n.sql() + ")", SqlType.REAL) : n;
        });
    }

    private static String fill(String template, List<String> arguments) {
        String filled = template.replace("{*}", String.join(", ", arguments));
        StringBuilder sql = new StringBuilder();
        for (int i = 0; i < filled.length(); i++) {
            boolean hole = filled.charAt(i) == '{' && !template.contains("{*}");
            if (hole) {
                sql.append(arguments.get(filled.charAt(i + 1) - '0'));
                i += 2;
            } else {
                sql.append(filled.charAt(i));
            }
        }
        return sql.toString();
    }

    private static TypedExpr coalesce(Token call, List<TypedExpr> a) {
        return unified(a, "coalesce(", ")");
    }

    private static TypedExpr unified(List<TypedExpr> arguments, String before, String after) {
        SqlType type = commonType(arguments);
        return TypedExpr.of(
                arguments.stream()
                        .map(code -> code.convertTo(type).sql())
                        .collect(Collectors.joining(", ", before, after)),
                type);
    }

    /** The type to which all expressions can be converted. */
    public static SqlType commonType(List<TypedExpr> codes) {
        return codes.stream().map(code -> code.asResult().type()).reduce(SqlType.NULL, SqlType::commonType);
    }

    private static TypedExpr iif(Token call, List<TypedExpr> a) {
        List<TypedExpr> results = IntStream.range(0, a.size())
                .filter(i -> i % 2 == 1 || i == a.size() - 1)
                .mapToObj(a::get)
                .toList();
        SqlType type = commonType(results);
        StringBuilder sql = new StringBuilder("CASE");
        for (int i = 0; i + 1 < a.size(); i += 2) {
            sql.append(" WHEN ")
                    .append(a.get(i).asCondition())
                    .append(" THEN ")
                    .append(a.get(i + 1).convertTo(type).sql());
        }
        if (a.size() % 2 == 1) {
            sql.append(" ELSE ").append(a.getLast().convertTo(type).sql());
        }
        return TypedExpr.of(sql + " END", type).inParentheses();
    }

    private static TypedExpr leastOrGreatest(String function, List<TypedExpr> a) {
        SqlType type = commonType(a);
        List<String> values = a.stream().map(code -> code.convertTo(type).sql()).toList();
        String sql = LetBinding.bind(
                values,
                v -> v.stream().map(value -> value + " IS NULL").collect(Collectors.joining(" OR ", "(CASE WHEN ", ""))
                        + " THEN NULL ELSE " + function + "(" + String.join(", ", v) + ") END)");
        return TypedExpr.of(sql, type);
    }

    private static TypedExpr typeOf(TypedExpr code) {
        String type = switch (code.type()) {
            case INT, BOOL -> "'integer'";
            case REAL -> "'real'";
            case TEXT, ANY -> "'text'";
            case BLOB -> "'blob'";
            case NULL -> "'null'";
        };
        return TypedExpr.of("CASE WHEN " + code.sql() + " IS NULL THEN 'null' ELSE " + type + " END", SqlType.TEXT)
                .inParentheses();
    }

    private static TypedExpr quote(TypedExpr code) {
        String sql = switch (code.type()) {
            case TEXT, ANY -> "'''' || replace(" + code.sql() + ", '''', '''''') || ''''";
            case BLOB -> "'X''' || hex(" + code.sql() + ") || ''''";
            default -> code.text().sql();
        };
        return TypedExpr.of("coalesce(" + sql + ", 'NULL')", SqlType.TEXT);
    }
}
