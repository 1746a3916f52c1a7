package dev.unjank.looper.wake;

import dev.unjank.looper.spi.Waker;
import dev.unjank.looper.spi.WakerProvider;
import dev.unjank.looper.util.Nullable;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Chooses the waker of a looper without one in its options. */
public final class WakerFactory {
    private static final Logger LOG = System.getLogger("dev.unjank.looper");

    /**
     * The maximum number of providers to load, including failures: a broken class path must not cause an endless loop.
     */
    private static final int MAX_PROVIDERS = 16;

    /** Loads the providers when they are first needed. */
    private static final class Found {
        // the loader of this class, not of the thread, so that the choice is the same for every thread
        static final List<WakerProvider> PROVIDERS = load(WakerProvider.class.getClassLoader());
    }

    private WakerFactory() {}

    /** Returns a waker for a looper of the current thread, chosen by the system property or the providers. */
    public static Waker forCurrentThread() {
        String wanted = System.getProperty(WakerProvider.PROPERTY);
        return wanted == null
                ? choose(Found.PROVIDERS)
                : required(wanted, Found.PROVIDERS).orElseGet(Waker::parking);
    }

    /** Checks the system property; throws the exception that {@link #forCurrentThread} would throw. */
    public static void checkProperty() {
        String wanted = System.getProperty(WakerProvider.PROPERTY);
        if (wanted != null) {
            checked(wanted, Found.PROVIDERS);
        }
    }

    static List<WakerProvider> load(@Nullable ClassLoader loader) {
        Iterator<WakerProvider> found =
                ServiceLoader.load(WakerProvider.class, loader).iterator();
        List<WakerProvider> providers = new ArrayList<>();
        for (int i = 0; i < MAX_PROVIDERS; i++) {
            try {
                if (!found.hasNext()) {
                    break;
                }
                providers.add(found.next());
            } catch (RuntimeException | ServiceConfigurationError | LinkageError e) {
                // for example a provider for a newer Java
                LOG.log(Level.DEBUG, "A provider of wakers cannot be loaded and is ignored", e);
            }
        }
        return List.copyOf(providers);
    }

    static Waker choose(List<WakerProvider> providers) {
        for (WakerProvider provider : providers) {
            try {
                Optional<String> obstacle = provider.obstacle();
                Optional<Waker> waker = obstacle.isEmpty() ? provider.newWaker() : Optional.empty();
                if (waker.isPresent()) {
                    return waker.get();
                }
                LOG.log(
                        Level.DEBUG,
                        () -> "Waker " + provider.name() + " is not available: "
                                + obstacle.orElse("not for this thread"));
            } catch (RuntimeException | LinkageError e) {
                LOG.log(Level.WARNING, "A provider of wakers failed and is ignored: " + provider, e);
            }
        }
        return Waker.parking();
    }

    /** Returns the waker of the provider with this name; empty for the parking waker, or if this thread must park. */
    static Optional<Waker> required(String wanted, List<WakerProvider> providers) {
        return checked(wanted, providers).flatMap(WakerProvider::newWaker);
    }

    /**
     * Returns the provider with this name; empty for the parking waker. Throws if there is no such provider, or if it
     * has an obstacle.
     */
    private static Optional<WakerProvider> checked(String wanted, List<WakerProvider> providers) {
        if (wanted.equals(WakerProvider.PARKING)) {
            return Optional.empty();
        }
        for (WakerProvider provider : providers) {
            if (provider.name().equals(wanted)) {
                provider.obstacle().ifPresent(obstacle -> {
                    throw new IllegalArgumentException("-D" + WakerProvider.PROPERTY + "=" + wanted + ": " + obstacle);
                });
                return Optional.of(provider);
            }
        }
        String names = Stream.concat(
                        Stream.of(WakerProvider.PARKING), providers.stream().map(WakerProvider::name))
                .collect(Collectors.joining(" or "));
        throw new IllegalArgumentException("-D" + WakerProvider.PROPERTY + "=" + wanted + ": expected " + names
                + (names.contains("futex") ? "" : " (futex needs looper-linux on the class path, and Java 22)"));
    }
}
