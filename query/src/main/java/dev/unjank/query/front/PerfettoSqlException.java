package dev.unjank.query.front;

import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a statement, and where: the only exception that a text of statements can cause. The message is one line
 * and begins with the place in what the user wrote, as in {@code line 3, column 8: no such column: durr}.
 */
public final class PerfettoSqlException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int line;
    private final int column;

    private PerfettoSqlException(int line, int column, String what, @Nullable Throwable cause) {
        super("line " + line + ", column " + column + ": " + what, cause);
        this.line = line;
        this.column = column;
    }

    /**
     * The line of the mistake.
     *
     * @return from 1
     */
    public int line() {
        return line;
    }

    /**
     * The column of the mistake.
     *
     * @return from 1, in characters
     */
    public int column() {
        return column;
    }

    static PerfettoSqlException at(Token token, String what) {
        return at(token, what, null);
    }

    /** A mistake inside a module or a macro is shown where the user named it, and says where it really is. */
    static PerfettoSqlException at(Token token, String what, @Nullable Throwable cause) {
        Token root = token.root();
        SourceText.Place place = root.source().place(root.start());
        String where = "";
        if (token.site() != null || root.source().module() != null) {
            SourceText.Place inner = token.source().place(token.start());
            String module = token.source().module();
            where = " (" + (module == null ? "in a macro" : "in module " + module) + ", line " + inner.line()
                    + ", column " + inner.column() + ")";
        }
        return new PerfettoSqlException(place.line(), place.column(), what + where, cause);
    }

    static PerfettoSqlException at(SourceText source, int offset, String what) {
        SourceText.Place place = source.place(offset);
        String where = source.module() == null ? "" : " (in module " + source.module() + ")";
        return new PerfettoSqlException(place.line(), place.column(), what + where, null);
    }
}
