package dev.unjank.query.source;

import org.jspecify.annotations.Nullable;

/**
 * A text of statements, so that a place in it can be named.
 *
 * @param module the standard-library module that it is; null for what the user wrote
 * @param text the text
 */
public record SourceText(@Nullable String module, String text) {
    /** A place as people count it, from 1. */
    record Place(int line, int column) {}

    Place place(int offset) {
        int line = 1;
        int lineStart = 0;
        int end = Math.min(offset, text.length());
        for (int i = 0; i < end; i++) {
            if (text.charAt(i) == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
        return new Place(line, text.codePointCount(lineStart, end) + 1);
    }
}
