package dev.unjank.doctor.find.code;

import dev.unjank.doctor.model.CallStack;
import dev.unjank.doctor.model.CodeLocation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the frame of a call stack whose code the reader of a report can change: the innermost one that belongs to the
 * program. A guess by prefixes of class names decides what belongs to the JDK, to a language's library or to a
 * framework; a given prefix overrides it.
 */
public final class CodeSiteFinder {
    /** Prefixes of class names of the JDK, languages, Android and common frameworks. */
    private static final List<String> LIBRARIES = List.of(
            "java.",
            "javax.",
            "jdk.",
            "sun.",
            "com.sun.",
            "kotlin.",
            "kotlinx.",
            "scala.",
            "groovy.",
            "clojure.",
            "android.",
            "androidx.",
            "com.android.internal.",
            "dalvik.",
            "libcore.",
            "akka.",
            "ch.qos.logback.",
            "com.fasterxml.",
            "com.google.common.",
            "com.mongodb.",
            "com.mysql.",
            "com.zaxxer.hikari.",
            "io.grpc.",
            "io.netty.",
            "io.reactivex.",
            "io.undertow.",
            "io.vertx.",
            "jakarta.",
            "javafx.",
            "okhttp3.",
            "org.apache.",
            "org.eclipse.jetty.",
            "org.glassfish.",
            "org.hibernate.",
            "org.jboss.",
            "org.postgresql.",
            "org.slf4j.",
            "org.springframework.",
            "reactor.");

    private final @Nullable String app;

    /** Creates a finder; {@code app} is the prefix of the program's class names, null to guess. */
    public CodeSiteFinder(@Nullable String app) {
        this.app = app;
    }

    /** {@return the program's innermost frame; the innermost of all if none is the program's; null without a stack} */
    public @Nullable CodeLocation of(CallStack stack) {
        int frame = applicationFrame(stack);
        return frame >= 0
                ? stack.frames().get(frame)
                : stack.isEmpty() ? null : stack.frames().getFirst();
    }

    /**
     * {@return the frame of a lock's owner that acquired the lock: the innermost in the method in which the waiter
     * wants it, or else in the same class, since helpers below that frame do not hold it; otherwise as {@link #of}}
     *
     * @param wanted where the waiter wants the lock; null if unknown
     */
    public @Nullable CodeLocation ofHolder(CallStack stack, @Nullable CodeLocation wanted) {
        if (wanted == null) {
            return of(stack);
        }
        CodeLocation inClass = null;
        for (CodeLocation frame : stack.frames()) {
            if (frame.method().equals(wanted.method())) {
                return frame;
            }
            boolean isSameClass = className(frame).equals(className(wanted)) && isApplication(frame);
            inClass = inClass == null && isSameClass ? frame : inClass;
        }
        return inClass != null ? inClass : of(stack);
    }

    /** {@return whether a frame belongs to the program} */
    public boolean isApplication(CodeLocation frame) {
        String method = frame.method();
        return app == null ? LIBRARIES.stream().noneMatch(method::startsWith) : method.startsWith(app);
    }

    /** With a prefix that no frame has, the guess decides. */
    private int applicationFrame(CallStack stack) {
        List<CodeLocation> frames = stack.frames();
        for (int i = 0; i < frames.size(); i++) {
            if (isApplication(frames.get(i))) {
                return i;
            }
        }
        return app == null ? -1 : new CodeSiteFinder(null).applicationFrame(stack);
    }

    /** {@return the class of a frame's method, with its package} */
    public static String className(CodeLocation frame) {
        int dot = frame.method().lastIndexOf('.');
        return dot < 0 ? "" : frame.method().substring(0, dot);
    }
}
