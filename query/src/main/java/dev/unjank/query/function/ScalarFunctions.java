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

/** SQLite's scalar functions, and those of Perfetto's that need no table, in the engine's SQL. */
public final class ScalarFunctions {
    /** Makes the code of a call. */
    interface Maker {
        TypedExpr make(Token call, List<TypedExpr> arguments);
    }

    private record Entry(int least, int most, Maker maker) {}

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
                        LetBinding.in(
                                a.getFirst().text().sql(),
                                v -> "(CASE WHEN regexp_full_match(" + v + ", '([0-9a-fA-F][0-9a-fA-F])*') THEN unhex("
                                        + v + ") END)"),
                        SqlType.BLOB));
        text("base64_encode", 1, 1, "to_base64(encode({0}))");
        textTo("regexp", 2, SqlType.BOOL, "regexp_matches({1}, {0})");
        put("like", 2, 3, (call, a) -> PatternMatching.like(a.get(1), a.getFirst(), a.size() == 3 ? a.get(2) : null));
        textTo("hash", 1, SqlType.INT, "CAST(hash({0}) >> 1 AS BIGINT)");
        partial("ln", "> 0");
        partial("log10", "> 0");
        partial("log2", "> 0");
        number("exp", "exp({0})");
        partial("sqrt", ">= 0");
        number("sin", "sin({0})");
        number("cos", "cos({0})");
        number("tan", "tan({0})");
        partial("asin", "BETWEEN -1 AND 1");
        partial("acos", "BETWEEN -1 AND 1");
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
            TypedExpr value = a.getFirst().value();
            String equal = SqliteComparison.compare(a.getFirst(), "=", a.get(1)).sql();
            return TypedExpr.of("CASE WHEN " + equal + " THEN NULL ELSE " + value.sql() + " END", value.type())
                    .inParentheses();
        });
        put("iif", 2, ANY_NUMBER, ScalarFunctions::choice);
        put("if", 2, ANY_NUMBER, ScalarFunctions::choice);
        put("min", 2, ANY_NUMBER, (call, a) -> extreme("least", a));
        put("max", 2, ANY_NUMBER, (call, a) -> extreme("greatest", a));
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
        // Perfetto's own
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

    /** Whether a call of this many arguments is one of a scalar function: min and max are aggregates of one. */
    static boolean takes(String name, int arguments) {
        Entry entry = ENTRIES.get(name);
        return entry != null && arguments >= entry.least && arguments <= entry.most;
    }

    public static TypedExpr call(Token call, String name, List<TypedExpr> arguments) {
        Entry entry = ENTRIES.get(name);
        if (entry == null) {
            throw new IllegalArgumentException("no such function: " + name);
        }
        if (arguments.size() < entry.least || arguments.size() > entry.most) {
            throw PerfettoSqlException.at(
                    call,
                    "wrong number of arguments to " + name + ": expected " + expected(entry) + ", found "
                            + arguments.size());
        }
        return entry.maker.make(call, arguments);
    }

    private static String expected(Entry entry) {
        if (entry.least == entry.most) {
            return Integer.toString(entry.least);
        }
        return entry.most == ANY_NUMBER ? "at least " + entry.least : entry.least + " to " + entry.most;
    }

    private static void put(String name, int least, int most, Maker maker) {
        ENTRIES.put(name, new Entry(least, most, maker));
    }

    private static void text(String name, int least, int most, String template) {
        put(
                name,
                least,
                most,
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

    /** A function of a real number that is NULL but where the number fulfils a condition. */
    private static void partial(String name, String condition) {
        put(
                name,
                1,
                1,
                (call, a) -> TypedExpr.of(
                        LetBinding.in(
                                a.getFirst().real().sql(),
                                v -> "(CASE WHEN " + v + " " + condition + " THEN " + name + "(" + v + ") END)"),
                        SqlType.REAL));
    }

    /** NULL, as in SQLite, for a base whose own logarithm is not above zero. */
    private static TypedExpr logarithm(TypedExpr base, TypedExpr number) {
        return TypedExpr.of(
                LetBinding.in(
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
        SqlType type = type(arguments);
        return TypedExpr.of(
                arguments.stream().map(code -> code.as(type).sql()).collect(Collectors.joining(", ", before, after)),
                type);
    }

    public static SqlType type(List<TypedExpr> codes) {
        return codes.stream().map(code -> code.value().type()).reduce(SqlType.NULL, SqlType::with);
    }

    private static TypedExpr choice(Token call, List<TypedExpr> a) {
        List<TypedExpr> results = IntStream.range(0, a.size())
                .filter(i -> i % 2 == 1 || i == a.size() - 1)
                .mapToObj(a::get)
                .toList();
        SqlType type = type(results);
        StringBuilder sql = new StringBuilder("CASE");
        for (int i = 0; i + 1 < a.size(); i += 2) {
            sql.append(" WHEN ")
                    .append(a.get(i).condition())
                    .append(" THEN ")
                    .append(a.get(i + 1).as(type).sql());
        }
        if (a.size() % 2 == 1) {
            sql.append(" ELSE ").append(a.getLast().as(type).sql());
        }
        return TypedExpr.of(sql + " END", type).inParentheses();
    }

    private static TypedExpr extreme(String function, List<TypedExpr> a) {
        SqlType type = type(a);
        List<String> values = a.stream().map(code -> code.as(type).sql()).toList();
        String sql = LetBinding.in(
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
