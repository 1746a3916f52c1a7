package dev.unjank.doctor;

import dev.unjank.trace.Args;
import dev.unjank.trace.Trace;
import org.jspecify.annotations.Nullable;

/** The texts that recorders write beside slices, as their arguments. */
final class SliceTexts {
    private final Args args;

    SliceTexts(Trace trace) {
        args = trace.args();
    }

    /** {@return the text of a key, null if there is none} */
    @Nullable
    String get(int slice, String key) {
        for (int row = args.first(slice); row < args.size() && args.slice(row) == slice; row++) {
            if (args.key(row).equals(key)) {
                return args.text(row);
            }
        }
        return null;
    }
}
