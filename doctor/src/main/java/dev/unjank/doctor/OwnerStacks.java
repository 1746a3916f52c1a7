package dev.unjank.doctor;

import dev.unjank.trace.Args;
import dev.unjank.trace.Trace;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the owner of a lock was while another thread waited for it. Recorders of Java programs that looked at it write its stack beside the
 * wait, a frame per line, the innermost first, each as {@code RET CLASS.METHOD(ARGS)(FILE:LINE)}.
 */
final class OwnerStacks {
    private static final String KEY = "debug.owner stack";

    /** What the names of classes of the JDK begin with: where a program is, is where it called these. */
    private static final List<String> LIBRARY = List.of("java.", "jdk.", "sun.");

    private final Args args;

    OwnerStacks(Trace trace) {
        args = trace.args();
    }

    /** {@return the first place outside of the JDK's own code, or else the innermost; null if nobody looked} */
    @Nullable
    Site site(int slice) {
        String stack = args.text(slice, KEY);
        if (stack == null) {
            return null;
        }
        String innermost = null;
        for (String frame : stack.lines().toList()) {
            String method = frame.substring(frame.indexOf(' ') + 1);
            if (LIBRARY.stream().noneMatch(method::startsWith)) {
                return ContentionParser.site(frame);
            }
            innermost = innermost == null ? frame : innermost;
        }
        return innermost == null ? null : ContentionParser.site(innermost);
    }
}
