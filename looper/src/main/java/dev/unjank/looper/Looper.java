package dev.unjank.looper;

import dev.unjank.looper.spi.Clock;
import dev.unjank.looper.util.Nullable;
import dev.unjank.looper.util.UncaughtExceptions;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A looper runs the messages of one queue, one after the other, on one thread.
 *
 * <pre>{@code
 * Thread worker = new Thread(() -> {
 *     Looper.prepare();
 *     handler = new Handler(Looper.myLooper());
 *     Looper.loop();
 * });
 * }</pre>
 *
 * <p>{@link HandlerThread} and {@link #start(ThreadFactory)} do this for you. A looper may also be driven manually,
 * without its own thread: see {@link #create(LooperOptions)}.
 *
 * <p>A looper ends with {@link #quit()}, {@link #quitSafely()}, or an exception thrown while a message is handled. The
 * exception propagates from {@link #loop()}; the looper has then quit and refuses posts. With {@link
 * ExceptionPolicy#REPORT_AND_CONTINUE} it continues instead.
 */
public final class Looper {
    /**
     * Android's observer of deliveries, one for all loopers of a program: see {@link #setObserver}. A {@link
     * MessageObserver} receives more events.
     */
    public interface Observer {
        /**
         * Called on the looper's thread before a message is delivered.
         *
         * @return a token for the call at the end of the delivery
         */
        @Nullable
        Object messageDispatchStarting();

        /**
         * Called on the looper's thread after a message has been delivered.
         *
         * @param token the result of {@link #messageDispatchStarting()}
         * @param msg the message, which must not be changed or kept
         */
        void messageDispatched(@Nullable Object token, Message msg);

        /**
         * Called on the looper's thread after a message has thrown an exception, which is rethrown afterwards. Android
         * does not report an {@link Error} to this method.
         *
         * @param token the result of {@link #messageDispatchStarting()}
         * @param msg the message, which must not be changed or kept
         * @param exception the exception of the message
         */
        void dispatchingThrewException(@Nullable Object token, Message msg, Throwable exception);
    }

    private static final Logger LOG = System.getLogger("dev.unjank.looper");
    private static final ThreadLocal<@Nullable Looper> CURRENT = new ThreadLocal<>();
    private static final Object MAIN_LOCK = new Object();
    /** The handler of the main looper, or null while there is none. Written under the lock. */
    private static volatile @Nullable Handler main;

    static {
        JfrEvents.install();
    }

    private final MessageQueue queue;
    private final Thread thread;
    private final boolean mayQuit;
    private final boolean manual;
    private final ExceptionPolicy exceptionPolicy;
    private final AtomicBoolean held = new AtomicBoolean();
    private final Object settings = new Object();
    private final List<Runnable> quitListeners = new CopyOnWriteArrayList<>();
    private volatile boolean quit;
    /** True while {@link #loop()} runs. Accessed only by the looper. */
    private boolean looping;

    // guarded by settings
    private @Nullable DispatchLog logging;
    private @Nullable SlowLog slowLog;

    private Looper(LooperOptions options, boolean mayQuit, boolean manual) {
        this.queue = Objects.requireNonNull(options, "options").newQueue(manual);
        GlobalObservers.add(queue);
        this.thread = Thread.currentThread();
        this.mayQuit = mayQuit;
        this.manual = manual;
        this.exceptionPolicy = options.exceptionPolicy;
        if (!manual && exceptionPolicy == ExceptionPolicy.REPORT_AND_CONTINUE) {
            queue.listenerFailure = UncaughtExceptions::report;
        }
    }

    // ---- creation and lookup

    /**
     * Gives the current thread a looper with default options.
     *
     * @throws IllegalStateException if the thread already has a looper
     */
    public static void prepare() {
        prepare(LooperOptions.defaults());
    }

    /**
     * Gives the current thread a looper.
     *
     * @param options the options of the looper
     * @throws IllegalStateException if this thread already has a looper
     */
    public static void prepare(LooperOptions options) {
        bindNew(options, true);
    }

    /**
     * Gives the current thread a looper that is the main looper of the program and cannot be quit.
     *
     * @throws IllegalStateException if there is a main looper, or this thread has a looper
     */
    public static void prepareMainLooper() {
        synchronized (MAIN_LOCK) {
            if (main != null) {
                throw new IllegalStateException("The main Looper has already been prepared.");
            }
            main = new Handler(bindNew(LooperOptions.defaults(), false));
        }
    }

    /** Creates a looper for the current thread, which must not have a looper yet. */
    static Looper bindNew(LooperOptions options, boolean mayQuit) {
        if (CURRENT.get() != null) {
            throw new IllegalStateException("Only one Looper may be created per thread");
        }
        Looper looper = new Looper(options, mayQuit, false);
        CURRENT.set(looper);
        return looper;
    }

    /**
     * Starts a thread that prepares a looper with default options and loops, as {@link #start(ThreadFactory,
     * LooperOptions)} does.
     *
     * @param factory creates the thread
     * @return the looper, ready for handlers
     * @throws RejectedExecutionException if the factory returns null
     * @throws IllegalStateException if the thread could not prepare its looper, has ended without a looper, or was
     *     started by the factory
     */
    public static Looper start(ThreadFactory factory) {
        return start(factory, LooperOptions.defaults());
    }

    /**
     * Starts a thread that prepares a looper and loops. The factory determines the kind of the thread; since Java 21 it
     * may be a virtual thread:
     *
     * <pre>{@code
     * Looper looper = Looper.start(Thread.ofVirtual().name("worker").factory());
     * new Handler(looper).post(() -> System.out.println("on " + Thread.currentThread().getName()));
     * looper.quitSafely();
     * looper.getThread().join();
     * }</pre>
     *
     * <p>A loop on a virtual thread occupies no operating system thread while it waits, so there may be any number of
     * such loops. But while a loop watches channels, it sleeps in a selector, which may pin its carrier. This method
     * waits until the looper exists or the thread has ended. An interrupt does not end this wait; the interrupt flag is
     * restored afterwards.
     *
     * @param factory creates the thread; the thread must run the given task, and the factory must not start it
     * @param options the options of the looper
     * @return the looper, ready for handlers; its thread ends when the looper quits
     * @throws IllegalArgumentException if a system property that supplies the default of an unset option has an unknown
     *     value
     * @throws RejectedExecutionException if the factory returns null
     * @throws IllegalStateException if the thread could not prepare its looper, has ended without a looper, or was
     *     started by the factory; no loop runs then
     */
    public static Looper start(ThreadFactory factory, LooperOptions options) {
        Objects.requireNonNull(factory, "factory");
        LooperStart start =
                new LooperStart(Objects.requireNonNull(options, "options").resolved());
        Thread thread = factory.newThread(start);
        if (thread == null) {
            throw new RejectedExecutionException("The factory returned null: " + factory);
        }
        return start.on(thread);
    }

    /**
     * Creates a looper without a loop, which a {@link TestLooperManager} drives manually. The looper belongs to the
     * current thread, and a thread may create any number of such loopers. The looper is deterministic if the program
     * controls its clock; a {@link TestLooper} includes such a clock.
     *
     * @param options the options of the looper
     * @return the looper; {@link #myLooper()} returns it only while one of its messages or idle handlers runs
     */
    public static Looper create(LooperOptions options) {
        return new Looper(options, true, true);
    }

    /**
     * Returns the main looper. May be called from any thread.
     *
     * @return the looper of {@link #prepareMainLooper()} or {@link #setMainLooperForTest}, or null if there is none
     */
    public static @Nullable Looper getMainLooper() {
        Handler handler = main;
        return handler == null ? null : handler.getLooper();
    }

    /** Returns the shared handler of the main looper, or null if there is no main looper. */
    static @Nullable Handler mainHandler() {
        return main;
    }

    /**
     * Makes the given looper the main looper, replacing the current one. For tests that run on their own thread and
     * quit their main looper at the end: unlike a looper from {@link #prepareMainLooper()}, this main looper can be
     * quit. May be called from any thread.
     *
     * @param looper the new result of {@link #getMainLooper()}
     */
    public static void setMainLooperForTest(Looper looper) {
        Handler handler = new Handler(looper);
        synchronized (MAIN_LOCK) {
            main = handler;
        }
    }

    /** Clears the main looper, so that the next test can prepare or set one. May be called from any thread. */
    public static void clearMainLooperForTest() {
        synchronized (MAIN_LOCK) {
            main = null;
        }
    }

    /** Clears the main looper and the looper of this thread. */
    static void clearForTest() {
        clearMainLooperForTest();
        CURRENT.remove();
    }

    /**
     * Returns the looper of the current thread.
     *
     * @return the looper, or null if the thread has none
     */
    public static @Nullable Looper myLooper() {
        return CURRENT.get();
    }

    /**
     * Returns the queue of the current thread's looper.
     *
     * @return the queue
     * @throws IllegalStateException if this thread has no looper
     */
    public static MessageQueue myQueue() {
        return required("have a MessageQueue").queue;
    }

    /** Returns the looper of this thread, or throws an exception whose message contains the purpose. */
    static Looper required(String purpose) {
        Looper looper = CURRENT.get();
        if (looper == null) {
            throw new IllegalStateException(
                    "Cannot " + purpose + " on " + Thread.currentThread() + ": Looper.prepare() was not called there");
        }
        return looper;
    }

    // ---- running

    /**
     * Runs the messages of the current thread's looper until the looper quits. With the default {@link
     * ExceptionPolicy}, an exception of a message propagates from this method, and the looper has then quit. Returns
     * immediately if the looper has already quit. After each message the interrupt flag of the thread is cleared, so
     * that messages do not inherit interrupts; an interrupt does not affect the wait for the next message.
     *
     * <p>Do not call this method while a message is handled. If you do, a warning is logged, the nested loop handles
     * the waiting messages before the current one has ended, and both loops end when the looper quits. (Android does
     * the same.)
     *
     * @throws IllegalStateException if this thread has no looper, or is running a message of a manually driven looper
     */
    public static void loop() {
        Looper looper = required("loop");
        if (looper.manual) {
            throw new IllegalStateException(
                    "A message cannot loop() on a looper that is driven manually, message by message: " + looper
                            + "; let the message end and run the next message from outside");
        }
        if (looper.looping) {
            LOG.log(
                    Level.WARNING,
                    "Looper.loop() inside a message of " + looper
                            + ": the waiting messages run before that message has ended");
        }
        looper.looping = true;
        boolean regularEnd = false;
        try {
            while (looper.loopOnce()) {
                // the delivered message is out of scope here, so a waiting loop does not retain it
            }
            regularEnd = true;
        } finally {
            looper.looping = false;
            if (!regularEnd) {
                looper.quitAbruptly();
            }
        }
    }

    /**
     * Quits after the loop has ended with an exception, even if this is the main looper. Called on the looper's thread.
     */
    void quitAbruptly() {
        queue.quit(false);
        queue.release();
        announceQuit();
    }

    private boolean loopOnce() {
        Message message = queue.next();
        if (message == null) {
            return false;
        }
        try {
            dispatch(message);
        } catch (Throwable thrown) {
            if (exceptionPolicy == ExceptionPolicy.QUIT) {
                throw thrown;
            }
            UncaughtExceptions.report(thrown);
            Thread.interrupted();
        } finally {
            message.retire();
        }
        return true;
    }

    /** Runs one message on this thread. */
    void dispatch(Message message) {
        Handler target = Objects.requireNonNull(message.target);
        ObserverList observers = queue.observers();
        if (observers == null) {
            target.dispatchMessage(message);
        } else {
            observers.dispatch(queue, message, target);
        }
        Thread.interrupted();
    }

    /** Runs one message, or an idle handler, on a thread that stands in for the looper's thread. */
    void runBound(Runnable work) {
        Looper own = CURRENT.get();
        CURRENT.set(this);
        try {
            work.run();
        } finally {
            if (own == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(own);
            }
        }
    }

    // ---- ending

    /**
     * Ends the loop after the current message and drops all waiting messages. From now on posts return false. May be
     * called from any thread; only the first call has an effect.
     *
     * @throws IllegalStateException if this is the main looper
     */
    public void quit() {
        quit(false);
    }

    /**
     * Ends the loop as soon as the messages that are due now have run, and drops all later ones. From now on posts
     * return false. Due messages that are blocked by a barrier are dropped, too. May be called from any thread; only
     * the first call has an effect.
     *
     * @throws IllegalStateException if this is the main looper
     */
    public void quitSafely() {
        quit(true);
    }

    private void quit(boolean safely) {
        if (!mayQuit) {
            throw new IllegalStateException("Main thread not allowed to quit.");
        }
        queue.quit(safely);
        announceQuit();
    }

    private void announceQuit() {
        quit = true;
        quitListeners.forEach(Runnable::run);
    }

    /** Returns true if messages can no longer be sent. */
    boolean hasQuit() {
        return quit;
    }

    /**
     * Adds a listener that runs after {@link #hasQuit()} has become true, on the thread that called quit, or on the
     * looper's own after an exception. The listener may run more than once.
     */
    void addQuitListener(Runnable listener) {
        quitListeners.add(listener);
    }

    void removeQuitListener(Runnable listener) {
        quitListeners.remove(listener);
    }

    // ---- as an executor

    /**
     * Returns an Executor that posts to this looper. Its {@code execute} is {@link Handler#post}: the due time
     * is now, rounded down to milliseconds. The command runs after the messages that are already in the queue and due
     * at that time or earlier. An exception of the command propagates from {@link #loop()}. After this looper has quit,
     * {@code execute} throws a {@link RejectedExecutionException}. May be called from any thread.
     *
     * @return a new Executor; it need not be shut down
     */
    public Executor asExecutor() {
        Handler handler = new Handler(this);
        return command -> {
            if (!handler.post(Objects.requireNonNull(command, "command"))) {
                throw new RejectedExecutionException(this + " has quit");
            }
        };
    }

    /**
     * Returns a ScheduledExecutorService that runs its tasks on this looper, among the other messages. May be called
     * from any thread.
     *
     * <ul>
     *   <li>The service is a view. Shutting it down does not quit the looper, and several services of one looper are
     *       independent of each other. Quitting the looper shuts down the service and cancels the dropped tasks, so
     *       that threads waiting for them continue.
     *   <li>Delays are measured in nanoseconds on the looper's {@link Clock}. A delay that overflows never expires.
     *   <li>After {@code shutdown}, delayed tasks still run, and repeated tasks are cancelled. {@code shutdownNow}
     *       interrupts the running task and returns the tasks that have not begun, which stay incomplete. Both act as
     *       in a {@link java.util.concurrent.ScheduledThreadPoolExecutor} with default policies.
     *   <li>Cancelling a task removes its message at once. {@code cancel(true)} interrupts the task if it is running;
     *       other messages do not see that interrupt.
     *   <li>The future of a task reports its exception, which does not end the loop; an exception of a command passed
     *       to {@code execute} is passed to the thread's {@link Thread.UncaughtExceptionHandler}.
     *   <li>On the looper's own thread all methods that would wait for a task ({@code get}, {@code invokeAll}, {@code
     *       invokeAny} and {@code awaitTermination}) throw an {@link IllegalStateException} instead, since the task
     *       would have to wait for that thread.
     * </ul>
     *
     * @return a new service without tasks
     */
    public ScheduledExecutorService asScheduledExecutorService() {
        return new LooperExecutorService(this);
    }

    /** Throws if a wait of the current thread for a task of this looper would prevent the task from running. */
    void checkMayWait() {
        if (isCurrentThread()) {
            throw new IllegalStateException("Waiting for a task of " + this + " on its own thread would never end");
        }
    }

    // ---- queries

    /**
     * Returns the thread that prepared or created this looper.
     *
     * @return the thread of this looper
     */
    public Thread getThread() {
        return thread;
    }

    /**
     * Returns the queue.
     *
     * @return the queue of this looper
     */
    public MessageQueue getQueue() {
        return queue;
    }

    /**
     * Returns whether the current thread prepared or created this looper, or is running one of its messages through a
     * {@link TestLooperManager}.
     *
     * @return true if so
     */
    @SuppressWarnings("ReferenceEquality") // a subclass of Thread may override equals
    public boolean isCurrentThread() {
        return Thread.currentThread() == thread || CURRENT.get() == this;
    }

    // ---- observing

    /**
     * Adds an observer of every message that is sent from now on, and of every delivery that begins from now on. There
     * may be any number of observers, added from any thread at any time; an observer is not added twice.
     *
     * @param observer the observer
     * @see MessageObserver
     */
    public void addObserver(MessageObserver observer) {
        queue.addObserver(Objects.requireNonNull(observer, "observer"));
    }

    /**
     * Removes an observer; does nothing if it was not added. May be called from any thread. Calls in progress still
     * complete, and the observer is still called at the end of a delivery whose start it has observed.
     *
     * @param observer the observer
     */
    public void removeObserver(MessageObserver observer) {
        queue.removeObserver(Objects.requireNonNull(observer, "observer"));
    }

    /**
     * Prints a line before and a line after each message: {@code >>>>> Dispatching to HANDLER CALLBACK: WHAT} and
     * {@code <<<<< Finished to HANDLER CALLBACK}. There is no second line for a message that throws. If the printer
     * throws, the exception is logged and the printer removed; on Android the exception would end the loop. May be
     * called from any thread.
     *
     * @param printer receives the lines, on the looper's thread; null to stop logging
     */
    public void setMessageLogging(@Nullable Printer printer) {
        synchronized (settings) {
            DispatchLog replacement = printer == null ? null : new DispatchLog(printer);
            replace(logging, replacement);
            logging = replacement;
        }
    }

    /**
     * Logs slow deliveries to the logger {@code dev.unjank.looper} at level WARNING. Each line contains the delay of
     * the delivery, its duration, and the message. In a backlog, only the first late delivery is logged, until the
     * looper is on time again, that is, at most ten milliseconds late. May be called from any thread.
     *
     * @param slowDispatchThresholdMs the maximum duration of a delivery, in milliseconds; 0 or less means no limit
     * @param slowDeliveryThresholdMs the maximum delay of a delivery, in milliseconds; 0 or less means no limit
     */
    public void setSlowLogThresholdMs(long slowDispatchThresholdMs, long slowDeliveryThresholdMs) {
        boolean off = slowDispatchThresholdMs <= 0 && slowDeliveryThresholdMs <= 0;
        synchronized (settings) {
            SlowLog replacement =
                    off ? null : new SlowLog(queue.clock, slowDispatchThresholdMs, slowDeliveryThresholdMs);
            replace(slowLog, replacement);
            slowLog = replacement;
        }
    }

    /**
     * Sets the observer of the deliveries of all present and future loopers of the program. There is at most one. May
     * be called from any thread.
     *
     * @param observer the new observer, which replaces the current one; null to remove it
     * @see #addObserver
     */
    public static void setObserver(@Nullable Observer observer) {
        GlobalObservers.setAndroidObserver(observer);
    }

    private void replace(@Nullable MessageObserver previous, @Nullable MessageObserver replacement) {
        if (previous != null) {
            queue.removeObserver(previous);
        }
        if (replacement != null) {
            queue.addObserver(replacement);
        }
    }

    /**
     * Prints this looper and its waiting messages, in the order of delivery. May be called from any thread and does not
     * stop the looper: messages added or taken meanwhile may be missing or present.
     *
     * @param pw receives the lines
     * @param prefix the prefix of each line
     */
    public void dump(Printer pw, String prefix) {
        dump(pw, prefix, null);
    }

    /**
     * Prints this looper and those messages in its queue that are for one handler. May be called from any thread, see
     * {@link #dump(Printer, String)}.
     *
     * @param pw receives the lines
     * @param prefix the prefix of each line
     * @param handler the handler whose messages are printed; null means all messages, including barriers
     */
    public void dump(Printer pw, String prefix, @Nullable Handler handler) {
        Objects.requireNonNull(pw, "pw");
        Objects.requireNonNull(prefix, "prefix");
        pw.println(prefix + this);
        queue.dump(pw, prefix + "  ", handler);
    }

    /** Returns true if a manager drives this looper instead of a loop. */
    boolean isManual() {
        return manual;
    }

    /** Reserves this looper for one manager; returns false if it is already reserved. */
    boolean tryAcquireManager() {
        return held.compareAndSet(false, true);
    }

    void releaseManager() {
        held.set(false);
    }

    @Override
    public String toString() {
        String name = thread.getName();
        return "Looper (" + (name.isEmpty() ? "" : name + ", ") + "tid " + thread.getId() + ") {"
                + Integer.toHexString(System.identityHashCode(this)) + "}";
    }
}
