package dev.unjank.doctor.find.runtime;

import dev.unjank.doctor.find.lock.LockContentionParser;
import dev.unjank.doctor.model.CodeLocation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stack of a waiting thread, as a recorder writes it: a method per line, the innermost first.
 *
 * @param lines the lines, each as {@code RET CLASS.METHOD(ARGS)(FILE:LINE)}
 * @param methods their methods, each as {@code CLASS.METHOD}
 */
record StackFrames(List<String> lines, List<String> methods) {
    /** Recorders cut deeper stacks at their outer end. */
    private static final int CUT_DEPTH = 48;

    private static final List<String> JDK_PREFIXES =
            List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

    /** {@return the frames of a recorded stack} */
    static StackFrames parse(String stack) {
        List<String> lines = stack.lines().toList();
        return new StackFrames(lines, lines.stream().map(StackFrames::method).toList());
    }

    private static String method(String line) {
        CodeLocation location = LockContentionParser.location(line);
        return location == null ? "" : location.method();
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
        return frame < size() ? LockContentionParser.location(lines.get(frame)) : null;
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
