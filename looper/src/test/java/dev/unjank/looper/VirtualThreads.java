package dev.unjank.looper;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Assumptions;

/** Virtual threads for tests that are compiled for Java 17. */
final class VirtualThreads {
    private VirtualThreads() {}

    /** What {@code Thread.ofVirtual().name(prefix, 0).factory()} returns; skips the test where there is none. */
    static ThreadFactory factory(String prefix) {
        Assumptions.assumeTrue(Runtime.version().feature() >= 21, "virtual threads came with Java 21");
        try {
            Class<?> builder = Class.forName("java.lang.Thread$Builder");
            Object virtual = Thread.class.getMethod("ofVirtual").invoke(null);
            builder.getMethod("name", String.class, long.class).invoke(virtual, prefix, 0L);
            return (ThreadFactory) builder.getMethod("factory").invoke(virtual);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("Thread.Builder has changed", e);
        }
    }

    static boolean isVirtual(Thread thread) {
        try {
            Method isVirtual = Thread.class.getMethod("isVirtual");
            return (Boolean) isVirtual.invoke(thread);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            throw new LinkageError("Thread.isVirtual has changed", e);
        }
    }
}
