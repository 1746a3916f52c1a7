package dev.unjank.query.function;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The macros of {@code sqlite.sql}: SQLite's functions and conversions that DuckDB itself can express. */
public final class SqliteMacros {
    private static final String FILE = "sqlite.sql";
    private static final Pattern STATEMENT = Pattern.compile("CREATE OR REPLACE MACRO (\\w+)[^;]*+;");
    private static final Pattern NAME = Pattern.compile("sqlite_\\w+");

    /** The statement that creates each macro, by name. */
    private static final Map<String, String> STATEMENTS = read();

    private SqliteMacros() {}

    /** Adds a macro and those that it calls to others, in the order in which they can be created. */
    public static void collect(String macro, Map<String, String> into) {
        String statement = STATEMENTS.get(macro);
        if (statement == null) {
            throw new IllegalArgumentException("no such macro: " + macro);
        }
        if (!into.containsKey(macro)) {
            Matcher called = NAME.matcher(statement);
            while (called.find()) {
                if (!called.group().equals(macro)) {
                    collect(called.group(), into);
                }
            }
            into.put(macro, statement);
        }
    }

    private static Map<String, String> read() {
        try (InputStream in = SqliteMacros.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException("missing resource: " + FILE);
            }
            Map<String, String> statements = new LinkedHashMap<>();
            Matcher statement = STATEMENT.matcher(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            while (statement.find()) {
                statements.put(statement.group(1), statement.group());
            }
            return statements;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
