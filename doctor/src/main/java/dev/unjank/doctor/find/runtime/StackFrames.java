package dev.unjank.doctor.find.runtime;

import dev.unjank.doctor.model.CallStack;
import dev.unjank.doctor.model.CodeLocation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The methods of a waiting thread's stack.
 *
 * @param stack the stack
 * @param methods its methods, each as {@code CLASS.METHOD}, the innermost first
 */
record StackFrames(CallStack stack, List<String> methods) {
    /** Recorders cut deeper stacks at their outer end. */
    private static final int CUT_DEPTH = 48;

    private static final List<String> JDK_PREFIXES = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

    static StackFrames of(CallStack stack) {
        return new StackFrames(
                stack, stack.frames().stream().map(CodeLocation::method).toList());
    }

    int size() {
        return methods.size();
    }

    /** {@return whether the outermost frames may be missing} */
    boolean mayBeCut() {
        return size() >= CUT_DEPTH;
    }

    /** {@return whether a frame's class is the JDK's} */
    boolean isOfJdk(int frame) {
        String method = methods.get(frame);
        return JDK_PREFIXES.stream().anyMatch(method::startsWith);
    }

    /** {@return the innermost frame outside of the JDK; the number of frames if there is none} */
    int firstOfProgram() {
        int frame = 0;
        while (frame < size() && isOfJdk(frame)) {
            frame++;
        }
        return frame;
    }

    /** {@return the code location of a frame; null if there is no such frame} */
    @Nullable
    CodeLocation location(int frame) {
        return frame < size() ? stack.frames().get(frame) : null;
    }

    /** {@return the class of a frame without its package and nested classes, such as {@code LinkedBlockingQueue}} */
    String simpleClass(int frame) {
        String method = methods.get(frame);
        String type = method.substring(0, Math.max(0, method.lastIndexOf('.')));
        String simple = type.substring(type.lastIndexOf('.') + 1);
        int dollar = simple.indexOf('$', 1);
        return dollar < 0 ? simple : simple.substring(0, dollar);
    }

    /** {@return the method of a frame without its class} */
    String methodName(int frame) {
        String method = methods.get(frame);
        return method.substring(method.lastIndexOf('.') + 1);
    }
}
