package dev.unjank.query.function;

import dev.unjank.query.graph.GraphFunctions;
import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.Sql;
import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.TypedExpr;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** SQLite's scalar functions, and Perfetto's that need no table, in DuckDB's SQL. */
public final class ScalarFunctions {
    /** Translates a call. */
    interface FunctionBuilder {
        TypedExpr build(Token call, List<TypedExpr> arguments);
    }

    private record Entry(int minArity, int maxArity, FunctionBuilder builder) {}

    private static final int ANY_NUMBER = 127;
    private static final String HASH_SEPARATOR = "\u0001";
    private static final Map<String, Entry> ENTRIES = new HashMap<>();

    static {
        text("lower", 1, 1, "sqlite_lower");
        text("upper", 1, 1, "sqlite_upper");
        engineText("trim", 1, 2);
        engineText("ltrim", 1, 2);
        engineText("rtrim", 1, 2);
        engineText("replace", 3, 3);
        engineText("reverse", 1, 1);
        textTo("unicode", 1, SqlType.INT, "sqlite_unicode");
        put(
                "instr",
                2,
                2,
                (call, a) -> TypedExpr.of(
                        Sql.macro("sqlite_instr", string(call, a.getFirst()), string(call, a.get(1))), SqlType.INT));
        textTo("unhex", 1, SqlType.INT, "sqlite_unhex");
        text("base64_encode", 1, 1, "sqlite_base64");
        put("regexp", 2, 2, (call, a) -> PatternMatching.regexp(a.get(1), a.getFirst()));
        put("like", 2, 3, (call, a) -> PatternMatching.like(a.get(1), a.getFirst(), a.size() == 3 ? a.get(2) : null));
        put("hash", 1, ANY_NUMBER, (call, a) -> hash(a));
        ofNumberOnly("ln", "sqlite_ln");
        number("log10", 1, "sqlite_log10");
        number("log2", 1, "sqlite_log2");
        put(
                "log",
                1,
                2,
                (call, a) ->
                        TypedExpr.of(Sql.macro(a.size() == 1 ? "sqlite_log10" : "sqlite_log", reals(a)), SqlType.REAL));
        ofNumberOnly("exp", "exp");
        ofNumberOnly("sqrt", "sqlite_sqrt");
        engineNumber("sin", 1, "sin");
        engineNumber("cos", 1, "cos");
        engineNumber("tan", 1, "tan");
        number("asin", 1, "sqlite_asin");
        number("acos", 1, "sqlite_acos");
        engineNumber("atan", 1, "atan");
        engineNumber("atan2", 2, "atan2");
        engineNumber("degrees", 1, "degrees");
        engineNumber("radians", 1, "radians");
        number("mod", 2, "sqlite_mod");
        engineNumber("pi", 0, "pi");
        engineNumber("pow", 2, "pow");
        engineNumber("power", 2, "pow");
        rounding("ceil", "ceil");
        rounding("ceiling", "ceil");
        rounding("floor", "floor");
        rounding("trunc", "trunc");
        put("round", 1, 2, ScalarFunctions::round);
        put("abs", 1, 1, (call, a) -> {
            TypedExpr n = a.getFirst().number();
            return TypedExpr.of(Sql.call("abs", n.sql()), n.type());
        });
        put(
                "sign",
                1,
                1,
                (call, a) -> TypedExpr.of(
                        Sql.macro("sqlite_sign", a.getFirst().number().sql()), SqlType.INT));
        put(
                "length",
                1,
                1,
                (call, a) -> TypedExpr.of(byType(a.getFirst(), "sqlite_length", "sqlite_byte_length"), SqlType.INT));
        put("substr", 2, 3, ScalarFunctions::substring);
        put("substring", 2, 3, ScalarFunctions::substring);
        put("ifnull", 2, 2, ScalarFunctions::coalesce);
        put("coalesce", 2, ANY_NUMBER, ScalarFunctions::coalesce);
        put("nullif", 2, 2, (call, a) -> {
            TypedExpr value = a.getFirst().asResult();
            Sql equal = SqliteComparison.compare(a.getFirst(), "=", a.get(1)).sql();
            return TypedExpr.of(Sql.choice(equal, Sql.NULL, value.sql()), value.type());
        });
        put("iif", 2, ANY_NUMBER, ScalarFunctions::iif);
        put("if", 2, ANY_NUMBER, ScalarFunctions::iif);
        put("min", 2, ANY_NUMBER, (call, a) -> leastOrGreatest("least", a));
        put("max", 2, ANY_NUMBER, (call, a) -> leastOrGreatest("greatest", a));
        put("typeof", 1, 1, (call, a) -> typeOf(a.getFirst()));
        put("hex", 1, 1, (call, a) -> TypedExpr.of(byType(a.getFirst(), "sqlite_hex", "sqlite_hex"), SqlType.TEXT));
        put("quote", 1, 1, (call, a) -> quote(a.getFirst()));
        put(
                "char",
                0,
                ANY_NUMBER,
                (call, a) -> a.isEmpty()
                        ? TypedExpr.of(Sql.text(""), SqlType.TEXT)
                        : TypedExpr.of(
                                Sql.all(
                                        a.stream()
                                                .map(code -> Sql.macro(
                                                        "sqlite_char",
                                                        code.integer().sql()))
                                                .toList(),
                                        "||"),
                                SqlType.TEXT));
        engineText("concat", 1, ANY_NUMBER);
        engineText("concat_ws", 2, ANY_NUMBER);
        put("random", 0, 0, (call, a) -> TypedExpr.of(Sql.macro("sqlite_random"), SqlType.INT));
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
        put(
                "str_split",
                3,
                3,
                (call, a) -> TypedExpr.of(
                        Sql.macro(
                                "sqlite_split",
                                a.getFirst().text().sql(),
                                a.get(1).text().sql(),
                                a.get(2).integer().sql()),
                        SqlType.TEXT));
        put(
                "to_timecode",
                1,
                1,
                (call, a) -> TypedExpr.of(
                        Sql.macro("sqlite_timecode", a.getFirst().integer().sql()), SqlType.TEXT));
        put(
                "base64_decode",
                1,
                1,
                (call, a) ->
                        TypedExpr.of(Sql.call("from_base64", a.getFirst().text().sql()), SqlType.BLOB));
        put("regexp_extract", 2, 2, (call, a) -> PatternMatching.extract(a.getFirst(), a.get(1)));
        put(
                "regexp_replace_simple",
                3,
                3,
                (call, a) -> TypedExpr.of(
                        Sql.call(
                                "regexp_replace",
                                a.getFirst().text().sql(),
                                a.get(1).text().sql(),
                                a.get(2).text().sql(),
                                Sql.text("g")),
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

    /** A macro of strings with a string as its result. */
    private static void text(String name, int minArity, int maxArity, String macro) {
        put(name, minArity, maxArity, (call, a) -> TypedExpr.of(Sql.macro(macro, texts(a)), SqlType.TEXT));
    }

    private static void textTo(String name, int arguments, SqlType type, String macro) {
        put(name, arguments, arguments, (call, a) -> TypedExpr.of(Sql.macro(macro, texts(a)), type));
    }

    /** A function of strings that DuckDB has under the same name. */
    private static void engineText(String name, int minArity, int maxArity) {
        put(name, minArity, maxArity, (call, a) -> TypedExpr.of(Sql.call(name, texts(a)), SqlType.TEXT));
    }

    /** A macro of floating-point numbers. */
    private static void number(String name, int arguments, String macro) {
        put(name, arguments, arguments, (call, a) -> TypedExpr.of(Sql.macro(macro, reals(a)), SqlType.REAL));
    }

    /** A function of floating-point numbers that DuckDB has. */
    private static void engineNumber(String name, int arguments, String function) {
        put(name, arguments, arguments, (call, a) -> TypedExpr.of(Sql.call(function, reals(a)), SqlType.REAL));
    }

    /** A function of a number that is NULL for a string, as Perfetto's are. */
    private static void ofNumberOnly(String name, String function) {
        put(name, 1, 1, (call, a) -> {
            TypedExpr value = a.getFirst();
            if (!value.type().isNumber()) {
                return TypedExpr.of(Sql.cast(Sql.NULL, SqlType.REAL), SqlType.REAL);
            }
            return TypedExpr.of(
                    function.equals(name)
                            ? Sql.call(function, value.real().sql())
                            : Sql.macro(function, value.real().sql()),
                    SqlType.REAL);
        });
    }

    private static void rounding(String name, String function) {
        put(name, 1, 1, (call, a) -> {
            TypedExpr n = a.getFirst().number();
            return n.type() == SqlType.REAL ? TypedExpr.of(Sql.call(function, n.sql()), SqlType.REAL) : n;
        });
    }

    private static Sql[] texts(List<TypedExpr> arguments) {
        return arguments.stream().map(code -> code.text().sql()).toArray(Sql[]::new);
    }

    private static Sql[] reals(List<TypedExpr> arguments) {
        return arguments.stream().map(code -> code.real().sql()).toArray(Sql[]::new);
    }

    /** A macro for strings, or one for bytes. */
    private static Sql byType(TypedExpr value, String ofText, String ofBytes) {
        return value.type() == SqlType.BLOB
                ? Sql.macro(ofBytes, value.sql())
                : Sql.macro(ofText, value.text().sql());
    }

    private static Sql string(Token call, TypedExpr code) {
        if (code.type() == SqlType.BLOB) {
            throw PerfettoSqlException.at(call, "expected a string for " + call.text() + ", found bytes");
        }
        return code.text().sql();
    }

    /** Values with their types, separated by a character that strings do not contain. */
    private static TypedExpr hash(List<TypedExpr> values) {
        List<Sql> typed = values.stream()
                .map(value -> {
                    TypedExpr plain = value.asResult();
                    String type = plain.type() == SqlType.INT ? "i" : plain.type() == SqlType.REAL ? "r" : "s";
                    return Sql.call("concat", Sql.text(type), plain.text().sql());
                })
                .toList();
        List<Sql> joined = new ArrayList<>(List.of(Sql.text(HASH_SEPARATOR)));
        joined.addAll(typed);
        return TypedExpr.of(
                Sql.cast(
                        Sql.macro(GraphFunctions.HASH, Sql.call("concat_ws", joined), Sql.text(HASH_SEPARATOR)),
                        SqlType.INT),
                SqlType.INT);
    }

    private static TypedExpr round(Token call, List<TypedExpr> a) {
        Sql number = a.getFirst().real().sql();
        return TypedExpr.of(
                a.size() == 1
                        ? Sql.call("round", number, Sql.bare(0))
                        : Sql.macro("sqlite_round", number, a.get(1).integer().sql()),
                SqlType.REAL);
    }

    /** DuckDB counts positive positions like SQLite. */
    private static TypedExpr substring(Token call, List<TypedExpr> a) {
        Sql text = string(call, a.getFirst());
        Sql from = a.get(1).integer().sql();
        if (a.size() == 2) {
            return TypedExpr.of(Sql.macro("sqlite_substr", text, from), SqlType.TEXT);
        }
        Sql length = a.get(2).integer().sql();
        return TypedExpr.of(
                isPosition(from) && isPosition(length)
                        ? Sql.call("substring", text, from, length)
                        : Sql.macro("sqlite_substr_of", text, from, length),
                SqlType.TEXT);
    }

    private static boolean isPosition(Sql sql) {
        return sql.form() instanceof Sql.Int number && number.value() > 0 && number.value() < 1_000_000_000;
    }

    private static TypedExpr coalesce(Token call, List<TypedExpr> a) {
        SqlType type = commonType(a);
        return TypedExpr.of(
                Sql.call(
                        "coalesce",
                        a.stream().map(code -> code.convertTo(type).sql()).toList()),
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
        List<Sql> parts = new ArrayList<>();
        for (int i = 0; i < a.size(); i++) {
            boolean condition = i % 2 == 0 && i < a.size() - 1;
            parts.add(
                    condition
                            ? a.get(i).asCondition()
                            : a.get(i).convertTo(type).sql());
        }
        return TypedExpr.of(Sql.choice(parts), type);
    }

    private static TypedExpr leastOrGreatest(String function, List<TypedExpr> a) {
        SqlType type = commonType(a);
        List<Sql> values = a.stream().map(code -> code.convertTo(type).sql()).toList();
        return TypedExpr.of(
                Sql.let(
                        values,
                        v -> Sql.choice(
                                Sql.all(v.stream().map(Sql::isNull).toList(), "OR"), Sql.NULL, Sql.call(function, v))),
                type);
    }

    private static TypedExpr typeOf(TypedExpr code) {
        String type = switch (code.type()) {
            case INT, BOOL -> "integer";
            case REAL -> "real";
            case TEXT, ANY -> "text";
            case BLOB -> "blob";
            case NULL -> "null";
        };
        return TypedExpr.of(Sql.choice(Sql.isNull(code.sql()), Sql.text("null"), Sql.text(type)), SqlType.TEXT);
    }

    private static TypedExpr quote(TypedExpr code) {
        Sql sql = switch (code.type()) {
            case TEXT, ANY -> Sql.macro("sqlite_quote", code.sql());
            case BLOB -> Sql.macro("sqlite_quote_bytes", code.sql());
            default -> Sql.call("coalesce", code.text().sql(), Sql.text("NULL"));
        };
        return TypedExpr.of(sql, SqlType.TEXT);
    }
}
