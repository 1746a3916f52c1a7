package dev.unjank.query.function;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The macros of {@code sqlite.sql}: SQLite's functions and conversions that DuckDB itself can express. */
public final class SqliteMacros {
    private static final String FILE = "sqlite.sql";

    private SqliteMacros() {}

    /** Statements that create the macros. */
    public static String statements() {
        try (InputStream in = SqliteMacros.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException("missing resource: " + FILE);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
