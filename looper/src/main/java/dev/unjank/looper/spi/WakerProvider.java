package dev.unjank.looper.spi;

import dev.unjank.looper.Looper;
import java.util.Optional;

/**
 * Offers wakers that are better than {@link Waker#parking()} where they can be had. Providers are found by {@link
 * java.util.ServiceLoader}, through the class loader of this module.
 *
 * <p>A looper whose options name no waker gets one of the first provider that has one for it, and else a parking waker.
 * The system property {@link #PROPERTY} forces the choice. What a provider throws never reaches the looper: it is
 * logged, and the next one is asked. Which waker a looper has got is in its {@link Looper#dump dump}; why not another
 * one is logged at level DEBUG by the logger {@code dev.unjank.looper}.
 */
public interface WakerProvider {
    /**
     * The system property that forces the wakers of all loopers whose options name none: {@value}. Its value is
     * {@code parking} or the {@link #name()} of a provider. If that one is missing or has an obstacle, no such
     * looper can be made: an IllegalArgumentException says why.
     */
    String PROPERTY = "unjank.waker";

    /**
     * Returns the value of the system property that stands for this provider.
     *
     * @return a short word in lower case
     */
    String name();

    /**
     * Tells whether this virtual machine can have such wakers. Any thread.
     *
     * @return empty if it can; else why not and what to do about it, in one line
     */
    Optional<String> obstacle();

    /**
     * Makes a waker for a looper of the current thread. Called only if there is no obstacle.
     *
     * @return the waker, or empty if a parking waker serves this thread better, also when the property forces this
     *     provider
     */
    Optional<Waker> newWaker();
}
