package dev.unjank.record.jvm;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.Deflater;

/** The scenes of {@link JvmTargetProgram} in which threads need memory, or keep the collector from giving it. */
final class MemoryScenes {
    private static final int CRITICAL_BYTES = 6 << 20;

    private static final int LONG_CRITICAL_BYTES = 1 << 19;

    private static final long HUNGER_NANOS = 30_000_000_000L;
    private static final int ENOUGH_WAITS = 40;

    /** An allocation that takes longer has waited for something. */
    private static final long LONG_NANOS = 5_000_000;

    static volatile byte[] garbage;

    private MemoryScenes() {}

    /** Collections that have something to do. */
    static void collect() throws InterruptedException {
        Thread caller = JvmTargetProgram.thread("collection caller", () -> {
            List<byte[]> kept = new ArrayList<>();
            for (int i = 0; i < 1_000_000; i++) {
                kept.add(new byte[16]);
            }
            for (int i = 0; i < 3; i++) {
                System.gc();
            }
            if (kept.size() != 1_000_000) {
                throw new IllegalStateException();
            }
        });
        JvmTargetProgram.run(caller);
    }

    /**
     * A thread compresses in one call, inside of which it must not be disturbed by a collection; another one needs
     * collections all the time.
     */
    static void critical() throws InterruptedException {
        byte[] from = new byte[CRITICAL_BYTES];
        new Random(1).nextBytes(from);
        compress(from);
    }

    /** The same for seconds: in few letters there is much to be compared. */
    static void longCritical() throws InterruptedException {
        byte[] from = new byte[LONG_CRITICAL_BYTES];
        Random letters = new Random(1);
        for (int i = 0; i < from.length; i++) {
            from[i] = (byte) ('a' + letters.nextInt(4));
        }
        compress(from);
    }

    private static void compress(byte[] from) throws InterruptedException {
        byte[] to = new byte[2 * from.length];
        AtomicBoolean over = new AtomicBoolean();
        Thread packer = JvmTargetProgram.thread("packer", () -> {
            try {
                Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
                deflater.setInput(from);
                deflater.finish();
                deflater.deflate(to);
                deflater.end();
            } finally {
                over.set(true);
            }
        });
        Thread allocator = JvmTargetProgram.thread("allocator", () -> {
            while (!over.get()) {
                garbage = new byte[10_000];
            }
        });
        JvmTargetProgram.run(packer, allocator);
    }

    /** A thread sleeps in a critical downcall; another one requests a safepoint meanwhile. */
    static void criticalCall() throws InterruptedException {
        AtomicBoolean over = new AtomicBoolean();
        Thread scanner = JvmTargetProgram.thread("scanner", () -> {
            try {
                scan(3 * JvmTargetProgram.HOLD_MS);
            } finally {
                over.set(true);
            }
        });
        Thread allocator = JvmTargetProgram.thread("allocator", () -> {
            while (!over.get()) {
                garbage = new byte[100_000];
            }
        });
        JvmTargetProgram.run(scanner, allocator);
    }

    @SuppressWarnings("restricted") // poll(2) of nothing
    private static void scan(int millis) {
        Linker linker = Linker.nativeLinker();
        MethodHandle poll = linker.downcallHandle(
                linker.defaultLookup().find("poll").orElseThrow(),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT),
                Linker.Option.critical(false));
        try {
            int _ = (int) poll.invokeExact(MemorySegment.NULL, 0L, millis);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Threads that together need more memory than a collector gives back meanwhile, until some have had to wait for it.
     */
    static void hunger() throws InterruptedException {
        Thread[] threads = new Thread[4];
        AtomicInteger waits = new AtomicInteger();
        long end = System.nanoTime() + HUNGER_NANOS;
        for (int i = 0; i < threads.length; i++) {
            threads[i] = JvmTargetProgram.thread("hungry " + i, () -> {
                Deque<byte[]> kept = new ArrayDeque<>();
                for (long now = System.nanoTime(); waits.get() < ENOUGH_WAITS && now - end < 0; ) {
                    kept.add(new byte[200_000]);
                    if (kept.size() > 20) {
                        kept.remove();
                    }
                    long after = System.nanoTime();
                    waits.addAndGet(after - now > LONG_NANOS ? 1 : 0);
                    now = after;
                }
            });
        }
        JvmTargetProgram.run(threads);
    }
}
