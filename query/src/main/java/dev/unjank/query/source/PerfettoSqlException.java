package dev.unjank.query.source;

import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a statement, and where: the only exception that a text of statements can cause. The message is one line
 * and begins with the place in what the user wrote, as in {@code line 3, column 8: no such column: durr}.
 */
public final class PerfettoSqlException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int line;
    private final int column;
    private final int offset;

    /** What is wrong; null for a mistake that is no token. */
    private final transient @Nullable Token token;

    private final String what;

    private PerfettoSqlException(
            SourceText source,
            int offset,
            String what,
            String where,
            @Nullable Token token,
            @Nullable Throwable cause) {
        SourceText.Place place = source.place(offset);
        super("line " + place.line() + ", column " + place.column() + ": " + what + where, cause);
        this.token = token;
        this.what = what;
        this.line = place.line();
        this.column = place.column();
        this.offset = offset;
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

    /**
     * Where the mistake is.
     *
     * @return an index into what the user wrote, in chars
     */
    public int offset() {
        return offset;
    }

    public static PerfettoSqlException at(Token token, String what) {
        return at(token, what, null);
    }

    /** The same, in a body that a call has brought here. */
    public PerfettoSqlException broughtBy(Token call) {
        return token == null || token.root().equals(call.root()) ? this : at(token.broughtBy(call), what, getCause());
    }

    /** A mistake inside a module, a macro or a function is shown where the user named it, and says where it really is. */
    public static PerfettoSqlException at(Token token, String what, @Nullable Throwable cause) {
        Token root = token.root();
        String where = "";
        if (token.site() != null || root.source().module() != null) {
            SourceText.Place inner = token.source().place(token.start());
            String module = token.source().module();
            String within = token.site() == null ? "" : token.site().text();
            where = " (in " + (module == null ? within : "module " + module) + ", line " + inner.line() + ", column "
                    + inner.column() + ")";
        }
        return new PerfettoSqlException(root.source(), root.start(), what, where, token, cause);
    }

    public static PerfettoSqlException at(SourceText source, int offset, String what) {
        String where = source.module() == null ? "" : " (in module " + source.module() + ")";
        return new PerfettoSqlException(source, offset, what, where, null, null);
    }
}
