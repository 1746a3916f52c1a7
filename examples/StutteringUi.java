import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;

/**
 * A program that stutters, to be recorded: {@code java StutteringUi.java}, on Linux. A UI loop draws sixty times a second and takes
 * what there is from its inbox. An indexer, the least important thread of all, puts results in, under the same lock. A camera,
 * less important than the UI and more than the indexer, keeps all CPUs busy for half of the time. When it begins while the indexer
 * is in the inbox, the UI waits for the indexer, and the indexer for a CPU: an inversion of priorities.
 *
 * <p>It runs for as many seconds as its argument says, or until it is killed.
 */
final class StutteringUi {
    private static final long FRAME_NANOS = 16_666_667;
    private static final long MILLISECOND = 1_000_000;

    private static final int CAMERA_NICENESS = 5;
    private static final int INDEXER_NICENESS = 19;

    private final Queue<Integer> inbox = new ArrayDeque<>();
    private volatile int drawn;

    public static void main(String[] args) throws InterruptedException {
        StutteringUi app = new StutteringUi();
        start("ui", 0, app::draw);
        start("indexer", INDEXER_NICENESS, app::index);
        for (int cpu = 0; cpu < Runtime.getRuntime().availableProcessors(); cpu++) {
            start("camera " + cpu, CAMERA_NICENESS, app::record);
        }
        Thread.sleep(args.length == 0 ? Long.MAX_VALUE : Math.round(1000 * Double.parseDouble(args[0])));
        System.exit(0);
    }

    private static void start(String name, int niceness, Runnable body) {
        Thread.ofPlatform().daemon().name(name).start(() -> {
            setNiceness(niceness);
            body.run();
        });
    }

    /** The UI thread: a frame, then sleep until the next is due. */
    private void draw() {
        for (long due = System.nanoTime(); ; due += FRAME_NANOS) {
            sleepUntil(due);
            drawn += takeAll();
            work(3 * MILLISECOND);
        }
    }

    private int takeAll() {
        synchronized (inbox) {
            int count = inbox.size();
            inbox.clear();
            return count;
        }
    }

    /** The indexer: sorts each result in, holding the lock for far too long. */
    private void index() {
        for (int result = 0; ; result++) {
            putInOrder(result);
            LockSupport.parkNanos(15 * MILLISECOND);
        }
    }

    private void putInOrder(int result) {
        synchronized (inbox) {
            work(2 * MILLISECOND);
            inbox.add(result);
        }
    }

    /** The camera: busy for a while, idle for a while. */
    private void record() {
        while (true) {
            work(60 * MILLISECOND);
            LockSupport.parkNanos(60 * MILLISECOND);
        }
    }

    /** Work that takes this long on a CPU of one's own. */
    private static void work(long nanos) {
        long left = nanos;
        for (long before = System.nanoTime(); left > 0; ) {
            Thread.onSpinWait();
            long now = System.nanoTime();
            left -= Math.min(now - before, MILLISECOND / 10); // in a longer step, another thread had the CPU
            before = now;
        }
    }

    private static void sleepUntil(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** Linux ignores Java's thread priorities unless root starts the JVM with an option; nice values need no rights. */
    private static void setNiceness(int niceness) {
        try (Arena arena = Arena.ofConfined()) {
            Linker linker = Linker.nativeLinker();
            MemorySegment function = linker.defaultLookup().findOrThrow("setpriority");
            MethodHandle setPriority = linker.downcallHandle(
                    function,
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
            int thisThread = 0;
            int failed = (int) setPriority.invokeExact(0, thisThread, niceness);
            if (failed != 0) {
                throw new IllegalStateException("setpriority");
            }
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
