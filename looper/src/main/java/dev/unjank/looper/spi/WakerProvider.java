package dev.unjank.looper.spi;

import java.util.Optional;

/**
 * A provider of wakers that are better than {@link Waker#parking()} on some platforms. Providers are found by {@link
 * java.util.ServiceLoader}, through the class loader of this module.
 *
 * <p>A looper without a waker in its options gets a waker from the first provider that offers one, or a parking waker
 * if no provider does. The system property {@link #PROPERTY} forces the choice. Exceptions of a provider never reach
 * the looper: they are logged, and the next provider is tried. The {@link dev.unjank.looper.Looper#dump dump} of a
 * looper names its waker. The reasons why other wakers were not chosen are logged to {@code dev.unjank.looper} at level
 * DEBUG.
 */
public interface WakerProvider {
    /**
     * The system property that forces the wakers of all loopers without one in their options: {@value}. Its value is
     * {@link #PARKING} or the {@link #name()} of a provider. If that provider is missing or has an obstacle, creating
     * such a looper fails with an IllegalArgumentException that gives the reason.
     */
    String PROPERTY = "unjank.waker";

    /** The value of {@link #PROPERTY} that selects {@link Waker#parking()}: {@value}. */
    String PARKING = "parking";

    /**
     * Returns the value of the system property that selects this provider.
     *
     * @return a short word in lower case
     */
    String name();

    /**
     * Returns why this JVM cannot use these wakers. May be called from any thread.
     *
     * @return empty if it can; otherwise the reason and the remedy, on one line
     */
    Optional<String> obstacle();

    /**
     * Creates a waker for a looper of the current thread. Called only if there is no obstacle.
     *
     * @return the waker, or empty if a parking waker is better for this thread, even if the property forces this
     *     provider
     */
    Optional<Waker> newWaker();
}
