package dev.unjank.query.span;

/** Kind of a span join: which spans it keeps if only one side has a span. */
public enum SpanJoinKind {
    /** SPAN_JOIN: none. */
    INNER,
    /** SPAN_LEFT_JOIN: spans of the left side. */
    LEFT,
    /** SPAN_OUTER_JOIN: spans of both sides. */
    OUTER;

    /** The kind by its name in SQL. */
    public static SpanJoinKind ofName(String name) {
        return switch (name) {
            case "SPAN_JOIN" -> INNER;
            case "SPAN_LEFT_JOIN" -> LEFT;
            case "SPAN_OUTER_JOIN" -> OUTER;
            default -> throw new IllegalArgumentException("not a span join: " + name);
        };
    }
}
