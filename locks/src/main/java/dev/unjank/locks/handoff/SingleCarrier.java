package dev.unjank.locks.handoff;

import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * A factory of virtual threads that all run on one platform thread, so that a switch between two of them does not
 * involve the kernel. They hand over with {@link HandoffStrategy#PARKING}.
 *
 * <p>The JDK has no public API for choosing the carrier of a virtual thread. This class uses a constructor that the
 * JDK's own tests use, and needs {@code --add-opens java.base/java.lang=ALL-UNNAMED} (or the name of this module);
 * {@link #obstacle} returns why it is unavailable, if it is. The alternative is one carrier for all virtual threads of
 * a program: {@code -Djdk.virtualThreadScheduler.parallelism=1}.
 */
public final class SingleCarrier implements ThreadFactory, AutoCloseable {
    private static final String CLASS = "java.lang.ThreadBuilders$VirtualThreadBuilder";

    private final ExecutorService carrier;
    private final Thread.Builder.OfVirtual builder;

    /** Looks up the constructor on first use. */
    private static final class Found {
        static final @Nullable Constructor<?> CONSTRUCTOR;
        static final @Nullable String OBSTACLE;

        static {
            Constructor<?> constructor = null;
            String obstacle = null;
            try {
                constructor = Class.forName(CLASS).getDeclaredConstructor(Executor.class);
                constructor.setAccessible(true);
            } catch (ReflectiveOperationException e) {
                obstacle = "this JDK does not permit choosing the carrier of a virtual thread: " + e;
            } catch (InaccessibleObjectException e) {
                Module module = SingleCarrier.class.getModule();
                obstacle = "give java --add-opens java.base/java.lang="
                        + (module.isNamed() ? module.getName() : "ALL-UNNAMED");
            }
            CONSTRUCTOR = obstacle == null ? constructor : null;
            OBSTACLE = obstacle;
        }
    }

    /**
     * Creates a factory and starts its carrier.
     *
     * @throws UnsupportedOperationException if there is an obstacle
     */
    public SingleCarrier() {
        Constructor<?> constructor = Found.CONSTRUCTOR;
        if (constructor == null) {
            throw new UnsupportedOperationException(Found.OBSTACLE);
        }
        carrier = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name("one-carrier").factory());
        try {
            builder = (Thread.Builder.OfVirtual) constructor.newInstance(carrier);
        } catch (ReflectiveOperationException e) {
            throw new UnsupportedOperationException(e);
        }
    }

    /**
     * Returns why this class is unavailable on this JVM.
     *
     * @return the reason and the remedy; null if it is available
     */
    public static @Nullable String obstacle() {
        return Found.OBSTACLE;
    }

    /** {@inheritDoc} The thread is virtual. */
    @Override
    public Thread newThread(Runnable task) {
        return builder.unstarted(task);
    }

    /** Ends the carrier. Its unfinished virtual threads never continue. */
    @Override
    public void close() {
        carrier.shutdown();
    }
}
