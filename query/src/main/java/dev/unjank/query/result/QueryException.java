package dev.unjank.query.result;

/** A statement that cannot be run, with the place of the mistake as far as it is known. */
public final class QueryException extends Exception {
    private static final long serialVersionUID = 1;

    /** The kind of a failure, which decides what there is to do about it. */
    public enum Kind {
        /** The statement is wrong: its syntax, a name, a type. */
        STATEMENT,
        /** The statement asked for files or settings, which are locked. */
        FORBIDDEN,
        /** The statement was interrupted. */
        INTERRUPTED,
        /** There is not enough memory for it. */
        MEMORY,
        /** Anything else, a failure of the engine among them. */
        FAILURE
    }

    private final Kind kind;
    private final int offset;

    public QueryException(Kind kind, String message, int offset) {
        super(message, null, false, false);
        this.kind = kind;
        this.offset = offset;
    }

    /**
     * A mistake in a statement's text.
     *
     * @param message what is wrong and what was expected, in one line
     * @param offset where in the text, in chars; -1 if unknown
     */
    public QueryException(String message, int offset) {
        this(Kind.STATEMENT, message, offset);
    }

    /**
     * What kind of failure it is.
     *
     * @return the kind
     */
    public Kind kind() {
        return kind;
    }

    /**
     * Where the mistake is.
     *
     * @return an index into the text of the statement, -1 if unknown
     */
    public int offset() {
        return offset;
    }
}
