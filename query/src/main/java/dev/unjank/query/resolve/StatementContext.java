package dev.unjank.query.resolve;

import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.Sql;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** State shared by the parts of one statement during translation. */
final class StatementContext {
    /** Sufficient for any expression within any function, and safe for any thread's stack. */
    private static final int MAX_DEPTH = 1_200;

    private static final int MAX_WORK = 300_000;
    private static final int MAX_SIZE = 200_000;

    final NameResolver resolver;
    final AliasNames names = new AliasNames();

    /** The engine's tables that the statement uses, directly or through functions. */
    final Set<String> tables = new LinkedHashSet<>();

    /** The call of the function body that is being inlined; null outside of bodies. */
    private @Nullable Token inlinedCall;

    private int depth;
    private int work;

    StatementContext(NameResolver definitions) {
        this.resolver = definitions;
    }

    void enter(Token at) {
        if (++work > MAX_WORK) {
            throw PerfettoSqlException.at(at, "too long after inlining functions");
        }
        if (++depth > MAX_DEPTH) {
            throw PerfettoSqlException.at(at, "nested too deeply after inlining functions");
        }
    }

    void leave() {
        depth--;
    }

    /** The token as a position: with the call of the function body that contains it. */
    Token position(Token token) {
        return inlinedCall == null ? token : token.withCallSite(inlinedCall);
    }

    /** Translates a function body inlined at a call. Errors in it are located at the call. */
    <T> T inlined(Token call, Supplier<T> body) {
        Token before = inlinedCall;
        Token here = before == null ? call : call.withCallSite(before);
        inlinedCall = here;
        try {
            return body.get();
        } catch (PerfettoSqlException e) {
            throw e.withCallSite(here);
        } finally {
            inlinedCall = before;
        }
    }

    /** Limits the size of an expression, which nested functions can increase exponentially. */
    void checkSize(Token at, Sql sql) {
        if (sql.size() > MAX_SIZE) {
            throw PerfettoSqlException.at(at, "too long after inlining functions");
        }
    }

    Catalog.Relation relation(Token name) {
        Catalog.Relation relation = resolver.relation(name);
        if (relation.kind() == Catalog.Kind.BASE) {
            tables.add(relation.name());
        }
        return relation;
    }
}
