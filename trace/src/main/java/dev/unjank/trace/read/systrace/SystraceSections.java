package dev.unjank.trace.read.systrace;

import dev.unjank.trace.read.input.ByteSource;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The sections of systrace text that one file holds: one for plain text, possibly several in an HTML page. */
public interface SystraceSections {
    /** The next section, null after the last; the section before it must have been read to its end. */
    @Nullable
    ByteSource next() throws IOException;

    /** Whether the file that contains the sections is truncated. */
    boolean isTruncated();

    /** A single section, such as a file of plain text. */
    static SystraceSections of(ByteSource text) {
        return new SystraceSections() {
            private @Nullable ByteSource source = text;

            @Override
            public @Nullable ByteSource next() {
                ByteSource next = source;
                source = null;
                return next;
            }

            @Override
            public boolean isTruncated() {
                return false;
            }
        };
    }
}
