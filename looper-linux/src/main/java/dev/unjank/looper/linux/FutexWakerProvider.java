package dev.unjank.looper.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.unjank.looper.spi.Waker;
import dev.unjank.looper.spi.WakerProvider;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Provides wakers based on a futex, under the name {@code futex}. Loaded by {@link java.util.ServiceLoader}; do not
 * call it directly.
 */
public final class FutexWakerProvider implements WakerProvider {
    static final String NAME = "futex";

    private static final long NANOS_OF_TRIAL = 1_000;

    /** Tests on first use whether the system call futex works. */
    private static final class Trial {
        static final Optional<String> OBSTACLE = run();

        private static Optional<String> run() {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment word = arena.allocate(JAVA_INT);
                MemorySegment timespec = arena.allocate(PrivateFutex.TIMESPEC);
                MemorySegment errno = arena.allocate(PrivateFutex.ERRNO);
                PrivateFutex.wake(word);
                int unequal = PrivateFutex.await(word, 1, NANOS_OF_TRIAL, timespec, errno);
                int tooLong = PrivateFutex.await(word, 0, NANOS_OF_TRIAL, timespec, errno);
                if (unequal != PrivateFutex.EAGAIN || tooLong == PrivateFutex.EAGAIN) {
                    return Optional.of("the system call futex failed in a trial: errno " + unequal
                            + " for a wait with an unequal value, errno " + tooLong + " for a wait with a timeout");
                }
                return Optional.empty();
            } catch (RuntimeException | LinkageError e) {
                // for example in a sandbox that forbids the call, or on a JVM without a native linker
                return Optional.of("the system call futex failed in a trial: " + e);
            }
        }
    }

    /** Called by {@link java.util.ServiceLoader}. */
    public FutexWakerProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Optional<String> obstacle() {
        String os = System.getProperty("os.name");
        String architecture = System.getProperty("os.arch");
        if (systemCall(os, architecture) < 0) {
            return Optional.of("futex is for Linux on x86-64 and AArch64; this is " + os + " on " + architecture);
        }
        // checked before the class PrivateFutex is initialized: without permission, linking prints a warning or throws
        Module module = FutexWakerProvider.class.getModule();
        if (!module.isNativeAccessEnabled()) {
            return Optional.of("native access is not enabled; start java with --enable-native-access="
                    + (module.isNamed() ? module.getName() : "ALL-UNNAMED"));
        }
        return Trial.OBSTACLE;
    }

    @Override
    public Optional<Waker> newWaker() {
        // a virtual thread that sleeps on a futex pins its carrier; a parked one does not
        return Thread.currentThread().isVirtual() ? Optional.empty() : Optional.of(new FutexWaker());
    }

    /** Returns the number of the system call futex, or -1 if it is unknown. */
    static long systemCall(String os, String architecture) {
        if (!os.equals("Linux")) {
            return -1;
        }
        return switch (architecture) {
            case "amd64", "x86_64" -> 202;
            case "aarch64" -> 98;
            default -> -1;
        };
    }
}
