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
 * PerfettoSQL in front of an engine: turns statements into steps of the engine's SQL. It remembers what statements define, so one
 * object serves one session. It never talks to the engine; it only asks which tables there are.
 *
 * <p>Not for several threads at once.
 */
public final class PerfettoSqlTranslator {
    private final NameResolver definitions;

    /**
     * A session without definitions.
     *
     * @param tables the tables that the engine has
     * @param files the files that statements may touch
     */
    public PerfettoSqlTranslator(TableSource tables, FileSource files) {
        this.definitions = new NameResolver(tables, files);
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
     * What to do for a text of statements.
     *
     * @param statements for each statement that asks something of the engine the steps to it, in order: all of them or none are to
     *     be done
     * @param mistake what is wrong with the statement after these, null if nothing is
     */
    public record Script(
            List<List<EngineStep>> statements, @Nullable PerfettoSqlException mistake) {
        /** Keeps its own copy. */
        public Script {
            statements = List.copyOf(statements);
        }
    }

    /**
     * What to do for a text of statements, up to the first mistake. What they define is remembered; a wrong one defines nothing.
     *
     * @param text statements, with a semicolon after each but the last
     * @return the steps, and the mistake if there is one
     */
    public Script translate(String text) {
        Lexer lexer = new Lexer(new SourceText(null, text));
        List<List<EngineStep>> statements = new ArrayList<>();
        Catalog before = definitions.beginStatement();
        try {
            for (List<Token> tokens = lexer.statement(); tokens != null; tokens = lexer.statement()) {
                Statement statement = definitions.parse(tokens);
                new StatementResolver(definitions, false).define(statement);
                List<EngineStep> steps = definitions.takeSteps();
                if (!steps.isEmpty()) {
                    statements.add(steps);
                }
                before = definitions.beginStatement(); // the next may be wrong in its very tokens
            }
            return new Script(statements, null);
        } catch (PerfettoSqlException e) {
            definitions.takeSteps();
            definitions.restore(before);
            return new Script(statements, e);
        }
    }

    /**
     * Forgets what a statement has defined, and all statements behind it: it has not been done.
     *
     * @param step any of its steps
     */
    public void forget(EngineStep step) {
        definitions.restore(step.before());
    }

    /**
     * What to tell of a step that the engine refused. Its statement is forgotten as by {@link #forget}.
     *
     * @param step the step
     * @param message what the engine said
     * @param offset where in the step's SQL, in chars; -1 if the engine did not say
     * @return the mistake, placed in the user's text
     */
    public PerfettoSqlException failed(EngineStep step, String message, int offset) {
        forget(step);
        EngineMessages.Said said = EngineMessages.plain(message);
        if (offset >= 0) {
            return PerfettoSqlException.at(step.marked().at(offset, step.at()), said.message());
        }
        // what fails while a statement runs has no place: it is where something can fail so, or in a view
        List<Token> suspects = tokens(step, token -> said.culprits().contains(Scope.lower(token.text())));
        if (suspects.isEmpty()) {
            suspects = tokens(step, definitions::isView);
        }
        if (suspects.isEmpty()) {
            return PerfettoSqlException.at(step.at(), said.message());
        }
        int others = suspects.size() - 1;
        String elsewhere =
                others == 0 ? "" : ", here or at " + others + (others == 1 ? " other place" : " other places");
        return PerfettoSqlException.at(suspects.getFirst(), said.message() + elsewhere);
    }

    private static List<Token> tokens(EngineStep step, Predicate<Token> wanted) {
        return step.marked().tokens().stream().filter(wanted).distinct().toList();
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
        return StandardLibrary.names();
    }

    /**
     * The columns of a table or view, without making it if nothing has yet.
     *
     * @param name its name, in any case
     * @return its columns, null if there is no such thing
     */
    public @Nullable List<TypedColumn> columns(String name) {
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
