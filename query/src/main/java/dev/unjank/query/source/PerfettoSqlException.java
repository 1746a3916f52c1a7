package dev.unjank.query.source;

import org.jspecify.annotations.Nullable;

/**
 * An error in a statement, with its position. No other exception is thrown for wrong statements. The message is one
 * line and starts with the position in the user's text: {@code line 3, column 8: no such column: durr}.
 */
public final class PerfettoSqlException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int line;
    private final int column;
    private final int offset;

    /** The wrong token; null for an error in the lexer. */
    private final transient @Nullable Token token;

    private final String error;

    private PerfettoSqlException(
            SourceText source,
            int offset,
            String error,
            String where,
            @Nullable Token token,
            @Nullable Throwable cause) {
        SourceText.LineColumn place = source.lineColumn(offset);
        super("line " + place.line() + ", column " + place.column() + ": " + error + where, cause);
        this.token = token;
        this.error = error;
        this.line = place.line();
        this.column = place.column();
        this.offset = offset;
    }

    /**
     * The line of the error.
     *
     * @return from 1
     */
    public int line() {
        return line;
    }

    /**
     * The column of the error.
     *
     * @return from 1, in characters
     */
    public int column() {
        return column;
    }

    /**
     * The position of the error.
     *
     * @return an index into the user's text, in chars
     */
    public int offset() {
        return offset;
    }

    public static PerfettoSqlException at(Token token, String error) {
        return at(token, error, null);
    }

    /** Moves an error in an inlined body to the call. */
    public PerfettoSqlException withCallSite(Token call) {
        return token == null || token.outermostCall().equals(call.outermostCall())
                ? this
                : at(token.withCallSite(call), error, getCause());
    }

    /**
     * An error at a token. An error within a module, macro or function is located at the user's call; the message adds
     * its actual position.
     */
    public static PerfettoSqlException at(Token token, String error, @Nullable Throwable cause) {
        Token root = token.outermostCall();
        String where = "";
        if (token.callSite() != null || root.source().module() != null) {
            SourceText.LineColumn inner = token.source().lineColumn(token.start());
            String module = token.source().module();
            String within = token.callSite() == null ? "" : token.callSite().text();
            where = " (in " + (module == null ? within : "module " + module) + ", line " + inner.line() + ", column "
                    + inner.column() + ")";
        }
        return new PerfettoSqlException(root.source(), root.start(), error, where, token, cause);
    }

    public static PerfettoSqlException at(SourceText source, int offset, String error) {
        String where = source.module() == null ? "" : " (in module " + source.module() + ")";
        return new PerfettoSqlException(source, offset, error, where, null, null);
    }
}
