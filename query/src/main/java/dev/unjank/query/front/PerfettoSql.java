package dev.unjank.query.front;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * PerfettoSQL in front of an engine: turns statements into steps of the engine's SQL. It remembers what statements define, so one
 * object serves one session. It never talks to the engine; it only asks which tables there are.
 *
 * <p>Not for several threads at once.
 */
public final class PerfettoSql {
    private final Definitions definitions;

    /**
     * A session without definitions.
     *
     * @param tables the tables that the engine has
     * @param files the files that statements may touch
     */
    public PerfettoSql(TableSource tables, FileSource files) {
        this.definitions = new Definitions(tables, files);
    }

    /**
     * What to set in the engine before the first step, so that it answers as SQLite does.
     *
     * @return its statements, in order
     */
    public static List<String> settings() {
        return List.of(
                "SET scalar_subquery_error_on_multiple_rows = false",
                "SET error_on_division_by_zero = false",
                "SET preserve_insertion_order = true");
    }

    /**
     * What to do for a text of statements. Either all of it is right, and what it defines is remembered, or nothing of it is done.
     *
     * @param text statements, with a semicolon after each but the last
     * @return the steps, in order
     * @throws PerfettoSqlException if a statement is wrong
     */
    public List<Step> translate(String text) {
        Catalog before = definitions.catalog().copy();
        List<Step> steps = new ArrayList<>();
        try {
            for (List<Token> tokens : Lexer.statements(new SourceText(null, text))) {
                definitions.beginStatement();
                Statement statement = definitions.parse(tokens);
                new StatementTranslator(definitions, false).define(statement);
                steps.addAll(definitions.takeSteps());
            }
            return steps;
        } catch (PerfettoSqlException e) {
            definitions.takeSteps();
            definitions.restore(before);
            throw e;
        }
    }

    /**
     * What to tell of a step that the engine refused. What its statement defined, and all statements behind it, is forgotten.
     *
     * @param step the step
     * @param message what the engine said
     * @param offset where in the step's SQL, in chars; -1 if the engine did not say
     * @return the mistake, placed in the user's text
     */
    public PerfettoSqlException failed(Step step, String message, int offset) {
        definitions.restore(step.before());
        Token at = offset < 0 ? step.at() : step.marked().at(offset, step.at());
        return PerfettoSqlException.at(at, EngineMessages.plain(message));
    }

    /**
     * Everything that can stand after FROM: the engine's tables, the standard library's as far as it is included, and what
     * statements have defined. For completion.
     *
     * @return the names in order
     */
    public List<String> relationNames() {
        return definitions.relationNames();
    }

    /**
     * Everything that can be called. For completion.
     *
     * @return the names in order
     */
    public List<String> functionNames() {
        return definitions.functionNames().stream().distinct().sorted().toList();
    }

    /**
     * The modules of the standard library. For completion.
     *
     * @return the names in order
     */
    public static List<String> moduleNames() {
        return Modules.names();
    }

    /**
     * The columns of a table or view, without making it if nothing has yet.
     *
     * @param name its name, in any case
     * @return its columns, null if there is no such thing
     */
    public @Nullable List<Column> columns(String name) {
        Catalog before = definitions.catalog().copy();
        try {
            Token token = new Token(Token.Kind.QUOTED_WORD, name, new SourceText(null, name), 0, name.length(), null);
            return definitions.relation(token).columns();
        } catch (PerfettoSqlException e) {
            return null;
        } finally {
            definitions.takeSteps();
            definitions.restore(before);
        }
    }
}
