package dev.unjank.looper.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.unjank.looper.spi.Waker;
import dev.unjank.looper.spi.WakerProvider;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Provides wakers on a futex, under the name {@code futex}. Loaded by {@link java.util.ServiceLoader}; not to be
 * called.
 */
public final class FutexWakerProvider implements WakerProvider {
    static final String NAME = "futex";

    private static final long NANOS_OF_TRIAL = 1_000;

    /** Tries the system call at first use. */
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
                            + " for another value, errno " + tooLong + " for a timeout");
                }
                return Optional.empty();
            } catch (RuntimeException | LinkageError e) {
                // such as a sandbox that forbids the call, or a virtual machine without a linker
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
        // before the class PrivateFutex is initialized, which links: the JVM would print a warning, or refuse
        Module module = FutexWakerProvider.class.getModule();
        if (!module.isNativeAccessEnabled()) {
            return Optional.of("native access is not enabled; start java with --enable-native-access="
                    + (module.isNamed() ? module.getName() : "ALL-UNNAMED"));
        }
        return Trial.OBSTACLE;
    }

    @Override
    public Optional<Waker> newWaker() {
        // a virtual thread would pin its carrier while it sleeps in the kernel; parked, it releases it
        return Thread.currentThread().isVirtual() ? Optional.empty() : Optional.of(new FutexWaker());
    }

    /** The number of the system call futex, or -1 if it is unknown. */
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
