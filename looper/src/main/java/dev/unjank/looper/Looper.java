package dev.unjank.looper;

import dev.unjank.looper.spi.Clock;
import dev.unjank.looper.util.Nullable;
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
 * Runs the messages of one queue, one after the other, on one thread.
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
 * without a thread of its own: see {@link #create(LooperOptions)}.
 *
 * <p>A looper ends by {@link #quit()}, by {@link #quitSafely()}, or by an exception of a message. The exception leaves
 * {@link #loop()}; the looper has then quit, so that posts to it are refused.
 */
public final class Looper {
    /**
     * Android's observer of deliveries, one for all loopers of a program: see {@link #setObserver}. A {@link
     * MessageObserver} sees more.
     */
    public interface Observer {
        /**
         * A delivery begins. On the looper's thread.
         *
         * @return a token for the call at the end of the delivery
         */
        @Nullable
        Object messageDispatchStarting();

        /**
         * A delivery has ended. On the looper's thread.
         *
         * @param token what {@link #messageDispatchStarting()} returned
         * @param msg the message, not to be changed or kept
         */
        void messageDispatched(@Nullable Object token, Message msg);

        /**
         * A delivery has ended with an exception, which is rethrown afterwards. On the looper's thread. Android does
         * not report errors here.
         *
         * @param token what {@link #messageDispatchStarting()} returned
         * @param msg the message, not to be changed or kept
         * @param exception what the message threw
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
    private final AtomicBoolean held = new AtomicBoolean();
    private final Object settings = new Object();
    private final List<Runnable> quitListeners = new CopyOnWriteArrayList<>();
    private volatile boolean quit;
    /** True inside {@link #loop()}. Looper only. */
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
    }

    // ---- making and finding

    /**
     * Gives the current thread a looper with default options.
     *
     * @throws IllegalStateException if it already has one
     */
    public static void prepare() {
        prepare(LooperOptions.defaults());
    }

    /**
     * Gives the current thread a looper.
     *
     * @param options the options of the looper
     * @throws IllegalStateException if this thread already has one
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

    /** Makes a looper for the current thread, which must not have one yet. */
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
     * @param factory makes the thread
     * @return the looper, ready for handlers
     * @throws RejectedExecutionException if the factory makes no thread
     * @throws IllegalStateException if the thread could not prepare its looper, has ended without one, or was started by the
     *     factory
     */
    public static Looper start(ThreadFactory factory) {
        return start(factory, LooperOptions.defaults());
    }

    /**
     * Starts a thread that prepares a looper and loops. The factory chooses the kind of the thread; from Java 21 on it
     * may be a virtual one:
     *
     * <pre>{@code
     * Looper looper = Looper.start(Thread.ofVirtual().name("worker").factory());
     * new Handler(looper).post(() -> System.out.println("on " + Thread.currentThread().getName()));
     * looper.quitSafely();
     * looper.getThread().join();
     * }</pre>
     *
     * <p>A loop that waits on a virtual thread occupies no operating system thread, so there may be any number of them;
     * but while it watches channels it sleeps in a selector, which may pin its carrier. Waits until the looper is made
     * or the thread has ended; an interrupt neither ends that wait nor is lost.
     *
     * @param factory makes the thread; the thread must run the given task, and the factory must not start it
     * @param options the options of the looper
     * @return the looper, ready for handlers; its thread ends when it quits
     * @throws IllegalArgumentException if the options leave something to a system property with an unknown value
     * @throws RejectedExecutionException if the factory makes no thread
     * @throws IllegalStateException if the thread could not prepare its looper, has ended without one, or was started
     *     by the factory; no loop runs then
     */
    public static Looper start(ThreadFactory factory, LooperOptions options) {
        Objects.requireNonNull(factory, "factory");
        LooperStart start =
                new LooperStart(Objects.requireNonNull(options, "options").resolved());
        Thread thread = factory.newThread(start);
        if (thread == null) {
            throw new RejectedExecutionException("The factory makes no thread: " + factory);
        }
        return start.on(thread);
    }

    /**
     * Makes a looper without a loop: it is driven manually, through a {@link TestLooperManager}. Its thread is the
     * current one, but a thread may make any number of these. With a clock of your own it is deterministic; a {@link
     * TestLooper} includes such a clock.
     *
     * @param options the options of the looper
     * @return the looper; {@link #myLooper()} returns it only to the messages it runs
     */
    public static Looper create(LooperOptions options) {
        return new Looper(options, true, true);
    }

    /**
     * Returns the main looper. Any thread.
     *
     * @return the looper that {@link #prepareMainLooper()} made, or null
     */
    public static @Nullable Looper getMainLooper() {
        Handler handler = main;
        return handler == null ? null : handler.getLooper();
    }

    /** The shared handler of the main looper, or null if there is no main looper. */
    static @Nullable Handler mainHandler() {
        return main;
    }

    /**
     * Makes a looper the main looper, replacing the present one. Meant for tests, which run on a thread of their own
     * and quit their main looper at the end: unlike one made by {@link #prepareMainLooper()}, this one can be quit. Any
     * thread.
     *
     * @param looper the new result of {@link #getMainLooper()}
     */
    public static void setMainLooperForTest(Looper looper) {
        Handler handler = new Handler(looper);
        synchronized (MAIN_LOCK) {
            main = handler;
        }
    }

    /** Clears the main looper, so that the next test can prepare or set one. Any thread. */
    public static void clearMainLooperForTest() {
        synchronized (MAIN_LOCK) {
            main = null;
        }
    }

    /** Clears also the looper of this thread. */
    static void clearForTest() {
        clearMainLooperForTest();
        CURRENT.remove();
    }

    /**
     * Returns the looper of the current thread.
     *
     * @return the looper, or null if it has none
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

    /** The looper of this thread. Throws if there is none, naming the purpose. */
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
     * Runs the messages of the current thread's looper until it quits. If a message throws, the exception leaves this
     * method, and the looper has quit. Returns at once if it quit before. After each message the interrupt flag of the
     * thread is cleared, so that no message inherits the interrupt of another; an interrupt does not affect the wait
     * for the next message.
     *
     * <p>A message should not call this. If one does, the waiting messages run inside it, before it has ended, and both
     * loops end when the looper quits; that is logged as a warning. (Android does the same.)
     *
     * @throws IllegalStateException if this thread has no looper, or has one only while it runs one of its messages
     *     manually
     */
    public static void loop() {
        Looper looper = required("loop");
        if (looper.manual) {
            throw new IllegalStateException(
                    "A message cannot loop() on a looper that is driven manually, message by message: " + looper
                            + "; let the message end, and run the next one from the outside");
        }
        if (looper.looping) {
            LOG.log(
                    Level.WARNING,
                    "Looper.loop() inside a message of " + looper
                            + ": the messages that wait are run before that one has ended");
        }
        looper.looping = true;
        boolean regularEnd = false;
        try {
            while (looper.loopOnce()) {
                // the message that was run is out of scope here: a waiting loop retains nothing
            }
            regularEnd = true;
        } finally {
            looper.looping = false;
            if (!regularEnd) {
                looper.quitAbruptly();
            }
        }
    }

    /** Quits even the main looper, since its loop has ended. On its own thread. */
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

    /** Runs one message, or an idle handler, on a thread that acts for this looper's. */
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
     * Ends the loop after the present message and drops all waiting messages. From now on posts return false. Any
     * thread; ignored after the first time.
     *
     * @throws IllegalStateException if this is the main looper
     */
    public void quit() {
        quit(false);
    }

    /**
     * Ends the loop as soon as the messages that are due now have run, and drops the later ones. From now on posts
     * return false. A due message that a barrier holds up is dropped, too. Any thread; ignored after the first time.
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

    /** True once no message can be sent any more. */
    boolean hasQuit() {
        return quit;
    }

    /**
     * Adds a listener that the quitting thread runs after {@link #hasQuit()} has become true. It may run more than
     * once.
     */
    void addQuitListener(Runnable listener) {
        quitListeners.add(listener);
    }

    void removeQuitListener(Runnable listener) {
        quitListeners.remove(listener);
    }

    // ---- as an executor

    /**
     * Returns an Executor that posts to this looper. Its {@code execute} is {@link Handler#post}: the command counts as
     * due from the beginning of this millisecond, and runs after the messages due by then; an exception that it throws
     * leaves {@link #loop()}. When this looper has quit, it throws a {@link RejectedExecutionException}. Any thread.
     *
     * @return a new Executor; it needs no shutting down
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
     * Returns a ScheduledExecutorService that runs its tasks on this looper, among the other messages. Any thread.
     *
     * <ul>
     *   <li>It is a view. Shutting it down does not quit the looper, and several services of one looper are independent
     *       of each other. Quitting the looper shuts it down and cancels the dropped tasks, so waiting for them ends.
     *   <li>Delays are counted in nanoseconds of the looper's {@link Clock}. A delay beyond the end of time never ends.
     *   <li>After {@code shutdown} delayed tasks still run, repeated ones are cancelled. {@code shutdownNow} interrupts
     *       the running task and returns those that were never begun, which stay incomplete. This is the default of
     *       {@link java.util.concurrent.ScheduledThreadPoolExecutor}.
     *   <li>Cancelling removes the message at once. {@code cancel(true)} interrupts the task if it is running; no other
     *       message sees that interrupt.
     *   <li>The future of a task reports its exception, which does not end the loop; an exception of a command of
     *       {@code execute} goes to the thread's {@link Thread.UncaughtExceptionHandler}.
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

    /** Throws if the current thread, by waiting for a task of this looper, would prevent it from running. */
    void checkMayWait() {
        if (isCurrentThread()) {
            throw new IllegalStateException("Waiting for a task of " + this + " on its own thread would never end");
        }
    }

    // ---- queries

    /**
     * Returns the thread that runs this looper.
     *
     * @return the thread that prepared or created it
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
     * Returns whether the current thread runs this looper: it prepared or created it, or runs one of its messages
     * manually.
     *
     * @return true if it is
     */
    @SuppressWarnings("ReferenceEquality") // a subclass of Thread may call others its equals
    public boolean isCurrentThread() {
        return Thread.currentThread() == thread || CURRENT.get() == this;
    }

    // ---- observing

    /**
     * Adds an observer of every message that is sent from now on, and of every delivery that begins from now on. Any
     * number of observers, any thread, at any time; an observer is not added twice.
     *
     * @param observer the observer
     * @see MessageObserver
     */
    public void addObserver(MessageObserver observer) {
        queue.addObserver(Objects.requireNonNull(observer, "observer"));
    }

    /**
     * Removes an observer; does nothing if it was not added. Any thread. Calls in progress, and the end of a delivery
     * that the observer has seen begin, still reach it.
     *
     * @param observer the observer
     */
    public void removeObserver(MessageObserver observer) {
        queue.removeObserver(Objects.requireNonNull(observer, "observer"));
    }

    /**
     * Prints a line before and a line after each message: {@code >>>>> Dispatching to HANDLER CALLBACK: WHAT} and
     * {@code <<<<< Finished to HANDLER CALLBACK}. A message that throws gets no second line. If a printer throws, that
     * is logged and it gets no more lines; on Android that would end the loop. Any thread.
     *
     * @param printer where to print, on the looper's thread; null to stop
     */
    public void setMessageLogging(@Nullable Printer printer) {
        synchronized (settings) {
            DispatchLog replacement = printer == null ? null : new DispatchLog(printer);
            replace(logging, replacement);
            logging = replacement;
        }
    }

    /**
     * Logs slow deliveries, at the level WARNING of the logger {@code dev.unjank.looper}, one line each: how late the
     * delivery began, how long it ran, and its message. Of the late deliveries of a backlog only the first is logged,
     * until the looper is on time again, that is, at most ten milliseconds late. Any thread.
     *
     * @param slowDispatchThresholdMs how long a delivery may run, in milliseconds; 0 or less means no limit
     * @param slowDeliveryThresholdMs how late a delivery may begin, in milliseconds; 0 or less means no limit
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
     * Sets the observer of the deliveries of all present and future loopers of the program. There is at most one. Any
     * thread.
     *
     * @param observer replaces the present one; null for none
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
     * Prints this looper and its waiting messages, in the order of delivery. Any thread, without stopping the looper:
     * messages added or taken meanwhile may be missing or present.
     *
     * @param pw where to print
     * @param prefix the start of each line
     */
    public void dump(Printer pw, String prefix) {
        dump(pw, prefix, null);
    }

    /**
     * Prints this looper and those messages in its queue that are for one handler. Any thread, see {@link
     * #dump(Printer, String)}.
     *
     * @param pw where to print
     * @param prefix the start of each line
     * @param handler prints only messages of this handler; null means all, barriers included
     */
    public void dump(Printer pw, String prefix, @Nullable Handler handler) {
        Objects.requireNonNull(pw, "pw");
        Objects.requireNonNull(prefix, "prefix");
        pw.println(prefix + this);
        queue.dump(pw, prefix + "  ", handler);
    }

    /** True if a manager drives this looper, not a loop. */
    boolean isManual() {
        return manual;
    }

    /** Reserves this looper for one manager; false if it is reserved. */
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
