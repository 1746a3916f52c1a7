package dev.unjank.doctor.find.code;

import dev.unjank.doctor.model.CallStack;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.trace.model.Args;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.jfr.JfrChunks;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The call stacks that recorders of Java programs write as arguments of a slice: a frame per line, the innermost first,
 * each as {@code RET CLASS.METHOD(ARGS)(FILE:LINE)}. Thread-safe.
 */
public final class SliceStacks {
    private static final String WAITER = "debug." + JfrChunks.STACK;
    private static final String OWNER = "debug." + JfrChunks.OWNER_STACK;

    private final Args args;

    /** By text: the same few stacks repeat. */
    private final Map<String, CallStack> known = new ConcurrentHashMap<>();

    public SliceStacks(Trace trace) {
        args = trace.args();
    }

    /** {@return the stack of the slice's own thread} */
    public CallStack ofWaiter(int slice) {
        return stack(args.text(slice, WAITER));
    }

    /** {@return the stack of the lock's owner while the slice's thread waited} */
    public CallStack ofOwner(int slice) {
        return stack(args.text(slice, OWNER));
    }

    private CallStack stack(@Nullable String text) {
        return text == null ? CallStack.NONE : known.computeIfAbsent(text, SliceStacks::parse);
    }

    private static CallStack parse(String text) {
        List<CodeLocation> frames = text.lines()
                .map(CodeLocationParser::location)
                .filter(Objects::nonNull)
                .toList();
        return frames.isEmpty() ? CallStack.NONE : new CallStack(frames);
    }
}
