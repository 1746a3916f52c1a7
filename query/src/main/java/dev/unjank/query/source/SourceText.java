package dev.unjank.query.source;

import org.jspecify.annotations.Nullable;

/**
 * The text of statements, for positions in it.
 *
 * @param module the standard-library module with this text; null for the user's text
 * @param text the text
 */
public record SourceText(@Nullable String module, String text) {
    /** A position as shown to users, from 1. */
    record LineColumn(int line, int column) {}

    LineColumn lineColumn(int offset) {
        int line = 1;
        int lineStart = 0;
        int end = Math.min(offset, text.length());
        for (int i = 0; i < end; i++) {
            if (text.charAt(i) == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
        return new LineColumn(line, text.codePointCount(lineStart, end) + 1);
    }
}
