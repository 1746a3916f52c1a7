package dev.unjank.query.result;

/** Failure of a statement, with the position of the error if it is known. */
public final class QueryException extends Exception {
    private static final long serialVersionUID = 1;

    /** The kind of a failure. */
    public enum Kind {
        /** The statement is wrong: a syntax error, an unknown name or a wrong type. */
        STATEMENT,
        /** The statement uses files or settings that are locked. */
        FORBIDDEN,
        /** The statement was interrupted. */
        INTERRUPTED,
        /** Not enough memory. */
        MEMORY,
        /** Any other failure, including internal errors of the engine. */
        FAILURE
    }

    private final Kind kind;
    private final int offset;

    /**
     * Creates a failure of any kind.
     *
     * @param kind the kind
     * @param message cause and place, in one line
     * @param offset index into the text of the statements, in chars; -1 if unknown
     */
    public QueryException(Kind kind, String message, int offset) {
        super(message, null, false, false);
        this.kind = kind;
        this.offset = offset;
    }

    /**
     * Creates an error in a statement's text.
     *
     * @param message what is wrong and what was expected, in one line
     * @param offset index into the text of the statements, in chars; -1 if unknown
     */
    public QueryException(String message, int offset) {
        this(Kind.STATEMENT, message, offset);
    }

    /**
     * The kind of this failure.
     *
     * @return the kind
     */
    public Kind kind() {
        return kind;
    }

    /**
     * The position of the error.
     *
     * @return an index into the text of the statements, in chars; -1 if unknown
     */
    public int offset() {
        return offset;
    }
}
