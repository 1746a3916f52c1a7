package dev.unjank.query.front;

import java.util.LinkedHashSet;
import java.util.Set;

/** The translation of one statement: what its parts share. */
final class Translation {
    /** Deep enough for any expression within any function; shallow enough for any thread's stack. */
    private static final int MAX_DEPTH = 1_200;

    private static final int MAX_WORK = 300_000;
    private static final int MAX_LENGTH = 2_000_000;

    final Definitions definitions;
    final Names names = new Names();
    final Marks marks = new Marks();

    /** The engine's own tables that the statement names, itself or through functions. */
    final Set<String> tables = new LinkedHashSet<>();

    private int depth;
    private int work;

    Translation(Definitions definitions) {
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
