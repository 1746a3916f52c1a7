package dev.unjank.query.span;

/** Which spans a join keeps where only one side has any. */
public enum SpanJoinKind {
    /** SPAN_JOIN: none. */
    INNER,
    /** SPAN_LEFT_JOIN: the left side's. */
    LEFT,
    /** SPAN_OUTER_JOIN: both sides'. */
    OUTER;

    /**
     * The kind of join that a name in SQL means.
     *
     * @param name SPAN_JOIN, SPAN_LEFT_JOIN or SPAN_OUTER_JOIN
     * @return the kind
     */
    public static SpanJoinKind named(String name) {
        return switch (name) {
            case "SPAN_JOIN" -> INNER;
            case "SPAN_LEFT_JOIN" -> LEFT;
            case "SPAN_OUTER_JOIN" -> OUTER;
            default -> throw new IllegalArgumentException("no join of spans: " + name);
        };
    }
}
