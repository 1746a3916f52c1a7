package dev.unjank.query.resolve;

import dev.unjank.query.module.StandardLibrary;
import dev.unjank.query.parse.Lexer;
import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.SourceText;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.Statement;
import dev.unjank.query.tree.TypedColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Translator from PerfettoSQL to steps in DuckDB's SQL. Keeps definitions, so each session has its own. Does not call
 * the engine; {@link TableSource} lists the engine's tables.
 *
 * <p>Not thread-safe.
 */
public final class PerfettoSqlTranslator {
    private final NameResolver resolver;

    /** Creates a translator without definitions. */
    public PerfettoSqlTranslator(TableSource tables, FileSource files) {
        this.resolver = new NameResolver(tables, files);
    }

    /**
     * Settings that make DuckDB behave like SQLite, to be executed before the first step.
     *
     * @return statements, in order
     */
    public static List<String> settings() {
        return List.of(
                "SET scalar_subquery_error_on_multiple_rows = false",
                "SET error_on_division_by_zero = false",
                "SET preserve_insertion_order = true");
    }

    /**
     * Translated statements.
     *
     * @param statements the steps of each statement that has any, in order; the steps of one statement are atomic
     * @param error the error in the statement after these; null if there is none
     */
    public record Script(
            List<List<EngineStep>> statements, @Nullable PerfettoSqlException error) {
        /** Copies the statements. */
        public Script {
            statements = List.copyOf(statements);
        }
    }

    /**
     * Translates statements up to the first error. Their definitions take effect, except those of a wrong statement.
     */
    public Script translate(String text) {
        Lexer lexer = new Lexer(new SourceText(null, text));
        List<List<EngineStep>> statements = new ArrayList<>();
        Catalog before = resolver.beginStatement();
        try {
            for (List<Token> tokens = lexer.statement(); tokens != null; tokens = lexer.statement()) {
                Statement statement = resolver.parse(tokens);
                new StatementResolver(resolver, false).resolve(statement);
                List<EngineStep> steps = resolver.takeSteps();
                if (!steps.isEmpty()) {
                    statements.add(steps);
                }
                before = resolver.beginStatement(); // the lexer may fail in the next statement
            }
            return new Script(statements, null);
        } catch (PerfettoSqlException e) {
            resolver.takeSteps();
            resolver.restore(before);
            return new Script(statements, e);
        }
    }

    /** Discards the definitions of a statement and of all later ones, because it was not executed. */
    public void rollBack(EngineStep step) {
        resolver.restore(step.catalogBefore());
    }

    /**
     * Explains the failure of a step in terms of the user's text. Discards its statement as {@link #rollBack} does.
     *
     * @param offset position in the step's SQL, in chars; -1 if unknown
     */
    public PerfettoSqlException explainFailure(EngineStep step, String message, int offset) {
        rollBack(step);
        EngineMessages.Rephrased rephrased = EngineMessages.rephrase(message);
        if (offset >= 0) {
            return PerfettoSqlException.at(step.printed().at(offset, step.at()), rephrased.message());
        }
        // runtime failures have no position: look for operations that can fail so, or for views
        List<Token> suspects = tokens(step, token -> rephrased.suspects().contains(Scope.lower(token.text())));
        if (suspects.isEmpty()) {
            suspects = tokens(step, resolver::isView);
        }
        if (suspects.isEmpty()) {
            return PerfettoSqlException.at(step.at(), rephrased.message());
        }
        int others = suspects.size() - 1;
        String elsewhere =
                others == 0 ? "" : ", here or at " + others + (others == 1 ? " other place" : " other places");
        return PerfettoSqlException.at(suspects.getFirst(), rephrased.message() + elsewhere);
    }

    private static List<Token> tokens(EngineStep step, Predicate<Token> wanted) {
        return step.printed().tokens().stream().filter(wanted).distinct().toList();
    }

    /** Tables, views and table functions of the engine, included modules and statements, for completion. */
    public List<String> relationNames() {
        return resolver.relationNames();
    }

    /** Functions, for completion. */
    public List<String> functionNames() {
        return resolver.functionNames().stream().distinct().sorted().toList();
    }

    /** Modules of the standard library, for completion. */
    public static List<String> moduleNames() {
        return StandardLibrary.names();
    }

    /**
     * The columns of a table or view, without creating it.
     *
     * @return its columns; null if there is no such table or view
     */
    public @Nullable List<TypedColumn> columns(String name) {
        Catalog before = resolver.catalog().copy();
        try {
            Token token = new Token(Token.Kind.QUOTED_WORD, name, new SourceText(null, name), 0, name.length(), null);
            return resolver.relation(token).columns();
        } catch (PerfettoSqlException e) {
            return null;
        } finally {
            resolver.takeSteps();
            resolver.restore(before);
        }
    }
}
