package dev.unjank.doctor.find.lock;

import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.trace.model.Args;
import dev.unjank.trace.model.Trace;
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
    CodeLocation site(int slice) {
        String stack = args.text(slice, KEY);
        if (stack == null) {
            return null;
        }
        String innermost = null;
        for (String frame : stack.lines().toList()) {
            String method = frame.substring(frame.indexOf(' ') + 1);
            if (LIBRARY.stream().noneMatch(method::startsWith)) {
                return LockContentionParser.site(frame);
            }
            innermost = innermost == null ? frame : innermost;
        }
        return innermost == null ? null : LockContentionParser.site(innermost);
    }
}
