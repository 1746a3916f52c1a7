package dev.unjank.looper;

import dev.unjank.looper.util.Nullable;
import java.util.Objects;
import java.util.concurrent.Executor;

/**
 * A thread that runs a looper.
 *
 * <pre>{@code
 * HandlerThread worker = new HandlerThread("worker");
 * worker.start();
 * Handler handler = new Handler(worker.getLooper());
 * handler.post(() -> System.out.println("on " + Thread.currentThread().getName()));
 * worker.quitSafely(); // runs due messages and drops later ones
 * }</pre>
 */
public class HandlerThread extends Thread {
    /** The range of nice values: -20 is the most urgent, 19 the least. */
    private static final int MIN_NICE = -20;

    private static final int MAX_NICE = 19;

    private final LooperOptions options;
    private volatile int threadId = -1;

    // guarded by this, and set together
    private @Nullable Looper looper;
    private @Nullable Handler handler;

    /**
     * Creates a thread of normal priority.
     *
     * @param name the name of the thread
     */
    public HandlerThread(String name) {
        this(name, LooperOptions.defaults());
    }

    /**
     * Creates a thread with a priority on Android's scale, the nice values of Unix: -20 is the most urgent, 0 is
     * normal, 19 is the least urgent. The priority is mapped to Java's ten priorities, which most JVMs treat as a hint
     * at best.
     *
     * @param name the name of the thread
     * @param priority the nice value, from -20 to 19
     * @throws IllegalArgumentException if the priority is out of range
     */
    @SuppressWarnings({"ThreadPriorityCheck", "this-escape"}) // the caller requests the priority; setPriority is final
    public HandlerThread(String name, int priority) {
        this(name, LooperOptions.defaults());
        setPriority(javaPriority(priority));
    }

    /**
     * Creates a thread whose looper has the given options.
     *
     * @param name the name of the thread
     * @param options the options of the looper
     * @throws IllegalArgumentException if a system property that supplies the default of an unset option has an unknown
     *     value, or names an unavailable waker
     */
    public HandlerThread(String name, LooperOptions options) {
        super(Objects.requireNonNull(name, "name"));
        // checked here, not on the new thread, so that a wrong system property throws in the caller
        this.options = Objects.requireNonNull(options, "options").resolved();
    }

    static int javaPriority(int nice) {
        if (nice < MIN_NICE || nice > MAX_NICE) {
            throw new IllegalArgumentException("priority " + nice + ": expected -20 (most urgent) to 19");
        }
        return nice >= 0
                ? NORM_PRIORITY - nice * (NORM_PRIORITY - MIN_PRIORITY) / MAX_NICE
                : NORM_PRIORITY + nice * (MAX_PRIORITY - NORM_PRIORITY) / MIN_NICE;
    }

    /** Called on this thread when its looper is ready, before it loops. Override it to prepare handlers. */
    protected void onLooperPrepared() {}

    /** Prepares the looper, publishes it, and loops until it quits. */
    @Override
    public void run() {
        try {
            Looper.prepare(options);
            Looper mine = Looper.required("loop");
            threadId = (int) getId();
            synchronized (this) {
                looper = mine;
                handler = new Handler(mine);
                notifyAll();
            }
            onLooperPrepared();
            Looper.loop();
        } finally {
            threadId = -1;
            Looper mine = Looper.myLooper();
            if (mine != null) {
                // even if onLooperPrepared has thrown: posts to an ended thread must be refused
                mine.quitAbruptly();
            }
        }
    }

    /**
     * Returns the looper, after waiting for the thread to prepare it. An interrupt does not end the wait; the interrupt
     * flag is restored afterwards.
     *
     * @return the looper, or null if the thread has not been started or has ended
     */
    public @Nullable Looper getLooper() {
        if (!isAlive()) {
            return null;
        }
        boolean interrupted = false;
        Looper found;
        synchronized (this) {
            // a thread that ends notifies the threads that wait on it
            while (looper == null && isAlive()) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            found = looper;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return found;
    }

    /**
     * Returns the handler that all users of this thread share, after waiting for the looper as {@link #getLooper()}
     * does. To be able to remove only your own messages, create a separate handler.
     *
     * @return the handler, always the same; it refuses messages once the thread has ended
     * @throws IllegalStateException if the thread has not been started, or has ended without a looper
     */
    public Handler getThreadHandler() {
        getLooper();
        synchronized (this) {
            if (handler == null) {
                throw new IllegalStateException("No looper: the thread has not been started, or has ended: " + this);
            }
            return handler;
        }
    }

    /**
     * Returns an executor that runs tasks on this thread, see {@link Looper#asExecutor()}. Waits for the looper as
     * {@link #getLooper()} does.
     *
     * @return the executor
     * @throws IllegalStateException if the thread has not been started, or has ended without a looper
     */
    public Executor getThreadExecutor() {
        return getThreadHandler().getLooper().asExecutor();
    }

    /**
     * Quits the looper, see {@link Looper#quit()}. Waits until the looper is prepared.
     *
     * @return false if there is no looper because the thread has not been started or has ended
     */
    public boolean quit() {
        Looper mine = getLooper();
        if (mine == null) {
            return false;
        }
        mine.quit();
        return true;
    }

    /**
     * Quits the looper safely, see {@link Looper#quitSafely()}. Waits until the looper is prepared.
     *
     * @return false if there is no looper because the thread has not been started or has ended
     */
    public boolean quitSafely() {
        Looper mine = getLooper();
        if (mine == null) {
            return false;
        }
        mine.quitSafely();
        return true;
    }

    /**
     * Returns the identifier of this thread.
     *
     * @return {@link Thread#getId()} while the thread runs, -1 before its start and after its end
     */
    public int getThreadId() {
        return threadId;
    }
}
