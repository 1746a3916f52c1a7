package dev.unjank.query.resolve;

import dev.unjank.query.print.PrintedSql;
import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The translation of one statement: what its parts share. */
final class StatementContext {
    /** Deep enough for any expression within any function; shallow enough for any thread's stack. */
    private static final int MAX_DEPTH = 1_200;

    private static final int MAX_WORK = 300_000;
    private static final int MAX_LENGTH = 2_000_000;

    final NameResolver definitions;
    final AliasNames names = new AliasNames();
    final PrintedSql marks = new PrintedSql();

    /** The engine's own tables that the statement names, itself or through functions. */
    final Set<String> tables = new LinkedHashSet<>();

    /** The call of a function whose body is being translated, null where there is none. */
    private @Nullable Token caller;

    private int depth;
    private int work;

    StatementContext(NameResolver definitions) {
        this.definitions = definitions;
    }

    void enter(Token at) {
        if (++work > MAX_WORK) {
            throw PerfettoSqlException.at(at, "too long once functions are put in their places");
        }
        if (++depth > MAX_DEPTH) {
            throw PerfettoSqlException.at(at, "nested too deeply once functions are put in their places");
        }
    }

    void leave() {
        depth--;
    }

    /** The text to put before what comes from a token. */
    String mark(Token token) {
        return marks.mark(caller == null ? token : token.broughtBy(caller));
    }

    /** Translates the body of a function in the place of a call. Mistakes in it are told at the call. */
    <T> T inPlaceOf(Token call, Supplier<T> body) {
        Token before = caller;
        Token here = before == null ? call : call.broughtBy(before);
        caller = here;
        try {
            return body.get();
        } catch (PerfettoSqlException e) {
            throw e.broughtBy(here);
        } finally {
            caller = before;
        }
    }

    /** A text that is not too long: functions within functions can grow beyond all bounds. */
    String bounded(Token at, String sql) {
        if (sql.length() > MAX_LENGTH) {
            throw PerfettoSqlException.at(at, "too long once functions are put in their places");
        }
        return sql;
    }

    Catalog.Relation relation(Token name) {
        Catalog.Relation relation = definitions.relation(name);
        if (relation.kind() == Catalog.Kind.BASE) {
            tables.add(relation.name());
        }
        return relation;
    }
}
