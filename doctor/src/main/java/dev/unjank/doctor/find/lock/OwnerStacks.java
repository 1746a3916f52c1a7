package dev.unjank.doctor.find.lock;

import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.trace.model.Args;
import dev.unjank.trace.model.Trace;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stack of a lock's owner while another thread waited. Recorders of Java programs write it as an argument of the wait, a frame
 * per line, the innermost first, each as {@code RET CLASS.METHOD(ARGS)(FILE:LINE)}.
 */
final class OwnerStacks {
    private static final String KEY = "debug.owner stack";

    /** Prefixes of the JDK's class names. */
    private static final List<String> JDK_PREFIXES = List.of("java.", "jdk.", "sun.");

    private final Args args;

    OwnerStacks(Trace trace) {
        args = trace.args();
    }

    /** {@return the innermost frame outside of the JDK, otherwise the innermost; null without a stack} */
    @Nullable
    CodeLocation location(int slice) {
        String stack = args.text(slice, KEY);
        if (stack == null) {
            return null;
        }
        String innermost = null;
        for (String frame : stack.lines().toList()) {
            String method = frame.substring(frame.indexOf(' ') + 1);
            if (JDK_PREFIXES.stream().noneMatch(method::startsWith)) {
                return LockContentionParser.location(frame);
            }
            innermost = innermost == null ? frame : innermost;
        }
        return innermost == null ? null : LockContentionParser.location(innermost);
    }
}
