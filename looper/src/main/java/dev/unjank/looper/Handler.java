package dev.unjank.looper;

import dev.unjank.looper.spi.Clock;
import dev.unjank.looper.task.BlockingRunnable;
import dev.unjank.looper.task.QueuedTask;
import dev.unjank.looper.util.Nullable;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Sends messages and Runnables to the queue of one looper and receives them there, on the looper's thread.
 *
 * <p>Sending, removing and asking may be done by any thread, concurrently. Times are milliseconds on the looper's
 * {@linkplain Clock clock}; messages with the same time are delivered in the order in which they were sent.
 *
 * <p>Every method that sends returns true if the message was accepted by the queue. That does not guarantee delivery:
 * the looper may quit first. It returns false if the looper has quit or has died of an exception; the message is then
 * recycled. (Android keeps returning true when a loop has died.)
 */
public class Handler {
    /** Receives messages in place of a subclass of {@link Handler}. */
    @FunctionalInterface
    public interface Callback {
        /**
         * Receives a message.
         *
         * @param msg the message, valid until this call returns
         * @return true if {@link Handler#handleMessage(Message)} must not be called
         */
        boolean handleMessage(Message msg);
    }

    final MessageQueue queue;

    private final Looper looper;
    private final @Nullable Callback callback;
    private final boolean asynchronous;
    private final boolean shared;

    /**
     * Makes a handler for the looper of the current thread.
     *
     * @throws IllegalStateException if this thread has no looper
     */
    public Handler() {
        this((Callback) null);
    }

    /**
     * Makes a handler for the looper of the current thread.
     *
     * @param callback receives the messages before {@link #handleMessage(Message)}; may be null
     * @throws IllegalStateException if this thread has no looper
     */
    public Handler(@Nullable Callback callback) {
        this(Looper.required("make a Handler"), callback);
    }

    /**
     * Makes a handler.
     *
     * @param looper its looper
     */
    public Handler(Looper looper) {
        this(looper, null);
    }

    /**
     * Makes a handler.
     *
     * @param looper its looper
     * @param callback receives the messages before {@link #handleMessage(Message)}; may be null
     */
    public Handler(Looper looper, @Nullable Callback callback) {
        this(looper, callback, false);
    }

    /**
     * Makes a handler for the looper of the current thread, optionally of the kind that {@link #createAsync(Looper)}
     * makes.
     *
     * @param async true to make each message asynchronous when it is sent
     * @throws IllegalStateException if this thread has no looper
     */
    public Handler(boolean async) {
        this((Callback) null, async);
    }

    /**
     * Makes a handler for the looper of the current thread.
     *
     * @param callback receives the messages before {@link #handleMessage(Message)}; may be null
     * @param async true to make each message asynchronous when it is sent
     * @throws IllegalStateException if this thread has no looper
     */
    public Handler(@Nullable Callback callback, boolean async) {
        this(Looper.required("make a Handler"), callback, async);
    }

    /**
     * Makes a handler.
     *
     * @param looper its looper
     * @param callback receives the messages before {@link #handleMessage(Message)}; may be null
     * @param async true to make each message asynchronous when it is sent
     */
    public Handler(Looper looper, @Nullable Callback callback, boolean async) {
        this(looper, callback, async, false);
    }

    /**
     * Makes a handler that may be shared. A shared handler protects the messages of its other users: where another
     * handler takes null for <i>any object</i>, this one throws an {@link IllegalArgumentException}. This applies to
     * {@link #removeMessages(int, Object)}, {@link #removeEqualMessages}, {@link #removeCallbacksAndMessages} and
     * {@link #removeCallbacksAndEqualMessages}.
     *
     * @param looper its looper
     * @param callback receives the messages before {@link #handleMessage(Message)}; may be null
     * @param async true to make each message asynchronous when it is sent
     * @param shared true if it has users other than its maker
     */
    public Handler(Looper looper, @Nullable Callback callback, boolean async, boolean shared) {
        this.looper = Objects.requireNonNull(looper, "looper");
        this.queue = looper.getQueue();
        this.callback = callback;
        this.asynchronous = async;
        this.shared = shared;
    }

    /**
     * Makes an asynchronous handler: all of its messages pass barriers.
     *
     * @param looper its looper
     * @return a handler that makes each message asynchronous when it is sent
     */
    public static Handler createAsync(Looper looper) {
        return new Handler(looper, null, true);
    }

    /**
     * Makes an asynchronous handler: all of its messages pass barriers.
     *
     * @param looper its looper
     * @param callback receives the messages
     * @return a handler that makes each message asynchronous when it is sent
     */
    public static Handler createAsync(Looper looper, Callback callback) {
        return new Handler(looper, Objects.requireNonNull(callback, "callback"), true);
    }

    /**
     * Returns the handler of the main looper that all code may share. To remove only your own messages, make a handler
     * of your own.
     *
     * @return the handler, the same as long as the main looper is the same
     * @throws IllegalStateException if there is no main looper
     */
    public static Handler getMain() {
        Handler main = Looper.mainHandler();
        if (main == null) {
            throw new IllegalStateException("There is no main looper: Looper.prepareMainLooper() was not called");
        }
        return main;
    }

    /**
     * Returns the given handler, or that of the main looper if it is null.
     *
     * @param handler a handler or null
     * @return the handler, or {@link #getMain()} if it is null
     * @throws IllegalStateException if it is null and there is no main looper
     */
    public static Handler mainIfNull(@Nullable Handler handler) {
        return handler == null ? getMain() : handler;
    }

    /**
     * Receives a message; to be overridden. Called on the looper's thread.
     *
     * @param msg the message, valid until this call returns
     */
    public void handleMessage(Message msg) {}

    /**
     * Delivers a message now, on this thread: to its Runnable if it has one; otherwise to the callback of this handler
     * if there is one, and then, unless that returned true, to {@link #handleMessage(Message)}.
     *
     * @param msg the message
     */
    public void dispatchMessage(Message msg) {
        Objects.requireNonNull(msg, "msg");
        Runnable runnable = msg.callback;
        if (runnable != null) {
            runnable.run();
        } else if (callback == null || !callback.handleMessage(msg)) {
            handleMessage(msg);
        }
    }

    /**
     * Returns the looper that this handler belongs to.
     *
     * @return the looper
     */
    public final Looper getLooper() {
        return looper;
    }

    /**
     * Returns the name of a message, for people.
     *
     * @param message a message of this handler
     * @return the class of its Runnable or of the task that was {@linkplain #submit submitted}, or its code in hexadecimal
     */
    public String getMessageName(Message message) {
        Objects.requireNonNull(message, "message");
        Class<?> task = QueuedTask.classOf(message.callback);
        return task != null ? task.getName() : "0x" + Integer.toHexString(message.what);
    }

    /**
     * Returns the name of a message for a trace; may be overridden.
     *
     * @param message a message of this handler
     * @return the class of this handler, and the class of the message's Runnable or submitted task, or its code in decimal
     */
    public String getTraceName(Message message) {
        Objects.requireNonNull(message, "message");
        Class<?> task = QueuedTask.classOf(message.callback);
        return getClass().getName() + ": " + (task != null ? task.getName() : "#" + message.what);
    }

    // ---- making messages

    /**
     * Returns an empty message for this handler.
     *
     * @return a new message
     */
    public final Message obtainMessage() {
        return Message.obtain(this);
    }

    /**
     * Returns a message for this handler.
     *
     * @param what the value of {@link Message#what}
     * @return a new message
     */
    public final Message obtainMessage(int what) {
        return Message.obtain(this, what);
    }

    /**
     * Returns a message for this handler.
     *
     * @param what the value of {@link Message#what}
     * @param obj the value of {@link Message#obj}
     * @return a new message
     */
    public final Message obtainMessage(int what, @Nullable Object obj) {
        return Message.obtain(this, what, obj);
    }

    /**
     * Returns a message for this handler.
     *
     * @param what the value of {@link Message#what}
     * @param arg1 the value of {@link Message#arg1}
     * @param arg2 the value of {@link Message#arg2}
     * @return a new message
     */
    public final Message obtainMessage(int what, int arg1, int arg2) {
        return Message.obtain(this, what, arg1, arg2);
    }

    /**
     * Returns a message for this handler.
     *
     * @param what the value of {@link Message#what}
     * @param arg1 the value of {@link Message#arg1}
     * @param arg2 the value of {@link Message#arg2}
     * @param obj the value of {@link Message#obj}
     * @return a new message
     */
    public final Message obtainMessage(int what, int arg1, int arg2, @Nullable Object obj) {
        return Message.obtain(this, what, arg1, arg2, obj);
    }

    // ---- posting Runnables

    /**
     * Runs a Runnable on the looper as soon as possible.
     *
     * @param r what to run
     * @return true if it is in the queue
     */
    public final boolean post(Runnable r) {
        return sendMessageDelayed(messageOf(r, null), 0);
    }

    /**
     * Runs a Runnable on the looper at a given time.
     *
     * @param r what to run
     * @param uptimeMillis when; 0 means at the front of the queue
     * @return true if it is in the queue
     */
    public final boolean postAtTime(Runnable r, long uptimeMillis) {
        return sendMessageAtTime(messageOf(r, null), uptimeMillis);
    }

    /**
     * Runs a Runnable on the looper at a given time.
     *
     * @param r what to run
     * @param token the token for removing it; may be null
     * @param uptimeMillis when; 0 means at the front of the queue
     * @return true if it is in the queue
     */
    public final boolean postAtTime(Runnable r, @Nullable Object token, long uptimeMillis) {
        return sendMessageAtTime(messageOf(r, token), uptimeMillis);
    }

    /**
     * Runs a Runnable on the looper after a delay.
     *
     * @param r what to run
     * @param delayMillis the delay; negative means 0, and a delay beyond the end of time never ends
     * @return true if it is in the queue
     */
    public final boolean postDelayed(Runnable r, long delayMillis) {
        return sendMessageDelayed(messageOf(r, null), delayMillis);
    }

    /**
     * Runs a Runnable on the looper after a delay.
     *
     * @param r what to run
     * @param what a code for finding and removing it, as for a message; other Runnables have the code 0
     * @param delayMillis the delay; negative means 0, and a delay beyond the end of time never ends
     * @return true if it is in the queue
     */
    public final boolean postDelayed(Runnable r, int what, long delayMillis) {
        return sendMessageDelayed(messageOf(r, null).setWhat(what), delayMillis);
    }

    /**
     * Runs a Runnable on the looper after a delay.
     *
     * @param r what to run
     * @param token the token for removing it; may be null
     * @param delayMillis the delay; negative means 0, and a delay beyond the end of time never ends
     * @return true if it is in the queue
     */
    public final boolean postDelayed(Runnable r, @Nullable Object token, long delayMillis) {
        return sendMessageDelayed(messageOf(r, token), delayMillis);
    }

    /**
     * Runs a Runnable on the looper before all messages that wait there now.
     *
     * @param r what to run
     * @return true if it is in the queue
     */
    public final boolean postAtFrontOfQueue(Runnable r) {
        return sendMessageAtFrontOfQueue(messageOf(r, null));
    }

    /**
     * Runs a Runnable on the looper and waits until it has run; on the looper's own thread, runs it directly. If the
     * looper waits for the calling thread, both hang: hence the name. An interrupt neither ends the wait nor is lost.
     *
     * <p>(On Android the wait does not end if the looper quits after it has accepted the Runnable.)
     *
     * @param r what to run; what it throws leaves the looper's {@link Looper#loop()}
     * @param timeoutMillis how long to wait, by the system's clock; 0 means for ever. After a timeout the Runnable
     *     stays in the queue, and runs later
     * @return true if it has run; false if the timeout has elapsed, if the looper has quit or died, or if it was
     *     removed
     * @throws IllegalArgumentException if the timeout is negative
     */
    public final boolean runWithScissors(Runnable r, long timeoutMillis) {
        Objects.requireNonNull(r, "r");
        if (timeoutMillis < 0) {
            throw new IllegalArgumentException("timeoutMillis " + timeoutMillis + ": expected at least 0");
        }
        if (looper.isCurrentThread()) {
            r.run();
            return true;
        }
        BlockingRunnable errand = new BlockingRunnable(r);
        return post(errand)
                && errand.await(timeoutMillis == 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(timeoutMillis));
    }

    private static Message messageOf(Runnable r, @Nullable Object token) {
        Message m = new Message();
        m.callback = Objects.requireNonNull(r, "r");
        m.obj = token;
        return m;
    }

    // ---- submitting tasks

    /**
     * Runs a task on the looper as soon as possible.
     *
     * <p>The task completes the future, with its result or exception, on the looper's thread; an exception of the task
     * does not end the loop. If the future is completed from outside before the task begins (cancelled, timed out or
     * given a value), the message is removed and releases the task at once; a task that has begun is not interrupted.
     * If the message is removed, or dropped because the looper quits, the future is cancelled; if the looper has
     * already quit, the returned future is cancelled. So waiting for it always ends. Dependent actions run on the
     * thread that completes it, unless they specify an executor.
     *
     * <p>On the looper's own thread {@code get} and {@code join} of an incomplete future throw an {@link
     * IllegalStateException}, since the task would have to wait for that thread.
     *
     * @param task what to run
     * @param <V> the type of its result
     * @return the future of its result
     */
    public final <V> CompletableFuture<V> submit(Callable<V> task) {
        return submitDelayed(task, 0);
    }

    /**
     * Runs a Runnable on the looper as soon as possible, as {@link #submit(Callable)} does with a task.
     *
     * @param task what to run
     * @return completed with null when it has run
     */
    public final CompletableFuture<Void> submit(Runnable task) {
        return submitDelayed(task, 0);
    }

    /**
     * Runs a task on the looper after a delay, otherwise as {@link #submit(Callable)} does.
     *
     * @param task what to run
     * @param delayMillis the delay; negative means 0, and a delay beyond the end of time never ends
     * @param <V> the type of its result
     * @return the future of its result
     */
    public final <V> CompletableFuture<V> submitDelayed(Callable<V> task, long delayMillis) {
        Objects.requireNonNull(task, "task");
        return submit(new HandlerFuture<>(this, task, task.getClass()), delayMillis);
    }

    private <V> CompletableFuture<V> submit(HandlerFuture<V> future, long delayMillis) {
        if (!sendMessageDelayed(future.message(), delayMillis)) {
            future.cancel(false);
        }
        return future;
    }

    /**
     * Runs a Runnable on the looper after a delay, otherwise as {@link #submit(Callable)} does with a task.
     *
     * @param task what to run
     * @param delayMillis the delay; negative means 0, and a delay beyond the end of time never ends
     * @return completed with null when it has run
     */
    public final CompletableFuture<Void> submitDelayed(Runnable task, long delayMillis) {
        Objects.requireNonNull(task, "task");
        Callable<Void> callable = Executors.callable(task, null);
        return submit(new HandlerFuture<>(this, callable, task.getClass()), delayMillis);
    }

    // ---- sending messages

    /**
     * Delivers a message as soon as possible, after those already due.
     *
     * @param msg a message not sent before
     * @return true if it is in the queue
     * @throws IllegalStateException if the message has been sent or recycled before
     */
    public final boolean sendMessage(Message msg) {
        return sendMessageDelayed(msg, 0);
    }

    /**
     * Delivers a message that has only a code, as soon as possible.
     *
     * @param what the value of {@link Message#what}
     * @return true if it is in the queue
     */
    public final boolean sendEmptyMessage(int what) {
        return sendEmptyMessageDelayed(what, 0);
    }

    /**
     * Delivers a message that has only a code, after a delay.
     *
     * @param what the value of {@link Message#what}
     * @param delayMillis the delay; negative means 0, and a delay beyond the end of time never ends
     * @return true if it is in the queue
     */
    public final boolean sendEmptyMessageDelayed(int what, long delayMillis) {
        Message m = new Message();
        m.what = what;
        return sendMessageDelayed(m, delayMillis);
    }

    /**
     * Delivers a message that has only a code, at a given time.
     *
     * @param what the value of {@link Message#what}
     * @param uptimeMillis when; 0 means at the front of the queue
     * @return true if it is in the queue
     */
    public final boolean sendEmptyMessageAtTime(int what, long uptimeMillis) {
        Message m = new Message();
        m.what = what;
        return sendMessageAtTime(m, uptimeMillis);
    }

    /**
     * Delivers a message after a delay. (On Android a delay that overflows runs at once.)
     *
     * @param msg a message not sent before
     * @param delayMillis the delay; negative means 0, and a delay beyond the end of time never ends
     * @return true if it is in the queue
     * @throws IllegalStateException if the message has been sent or recycled before
     */
    public final boolean sendMessageDelayed(Message msg, long delayMillis) {
        long now = queue.clock.uptimeMillis();
        long delay = Math.max(delayMillis, 0);
        return sendMessageAtTime(msg, delay > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + delay);
    }

    /**
     * Delivers a message at a given time. Every method that sends or posts calls this one, except those for the front
     * of the queue; override it to observe or delay messages. (On Android 17 times more than half the range of a long
     * apart come in the wrong order.)
     *
     * @param msg a message not sent before
     * @param uptimeMillis when, on the looper's clock, any value: past times are ordered, too; 0 means at the front of
     *     the queue, where the last message sent is delivered first
     * @return true if it is in the queue
     * @throws IllegalStateException if the message has been sent or recycled before
     */
    public boolean sendMessageAtTime(Message msg, long uptimeMillis) {
        Objects.requireNonNull(msg, "msg");
        msg.claim(this, asynchronous, uptimeMillis);
        return queue.enqueue(msg);
    }

    /**
     * Delivers a message before all messages that wait in the queue now, barriers included.
     *
     * @param msg a message not sent before
     * @return true if it is in the queue
     * @throws IllegalStateException if the message has been sent or recycled before
     */
    public final boolean sendMessageAtFrontOfQueue(Message msg) {
        Objects.requireNonNull(msg, "msg");
        msg.claim(this, asynchronous, 0);
        return queue.enqueue(msg);
    }

    /**
     * Delivers a message directly if this is the looper's own thread; otherwise sends it. A directly delivered message
     * passes all waiting ones, and no log or observer sees it. (On Android the message is not in use meanwhile, and is
     * not recycled afterwards.)
     *
     * @param msg a message not sent before
     * @return true if it was delivered or is in the queue
     * @throws IllegalStateException if the message has been sent or recycled before
     */
    public final boolean executeOrSendMessage(Message msg) {
        Objects.requireNonNull(msg, "msg");
        if (!looper.isCurrentThread()) {
            return sendMessage(msg);
        }
        msg.claimToRun(this);
        try {
            dispatchMessage(msg);
        } finally {
            msg.retire();
        }
        return true;
    }

    /**
     * Delivers a message at a time on {@link Clock#nanos()}, not before. It is ordered with messages of the same whole
     * millisecond by the order of sending. A time close to the end of time is never.
     */
    final boolean sendAtNanos(Message msg, long nanos) {
        msg.claimForNanos(this, asynchronous, nanos);
        return queue.enqueue(msg);
    }

    // ---- removing and searching

    /**
     * Removes the waiting posts of a Runnable. Does nothing if it is null.
     *
     * @param r the Runnable
     */
    public final void removeCallbacks(@Nullable Runnable r) {
        removeCallbacks(r, null);
    }

    /**
     * Removes the waiting posts of a Runnable with a token. Does nothing if the Runnable is null.
     *
     * @param r the Runnable
     * @param token the token with which it was posted, by identity; null means any
     */
    public final void removeCallbacks(@Nullable Runnable r, @Nullable Object token) {
        if (r != null) {
            queue.remove(MessageMatcher.callback(this, r, token));
        }
    }

    /**
     * Removes the waiting messages with a code. Runnables have the code 0.
     *
     * @param what the code
     */
    public final void removeMessages(int what) {
        queue.remove(MessageMatcher.code(this, what, null));
    }

    /**
     * Removes the waiting messages with a code and an object. Runnables have the code 0.
     *
     * @param what the code
     * @param object the object, by identity; null means any
     * @throws IllegalArgumentException if the object is null and this handler is shared
     */
    public final void removeMessages(int what, @Nullable Object object) {
        requireObjectIfShared(object);
        queue.remove(MessageMatcher.code(this, what, object));
    }

    /**
     * Removes the waiting messages with a code and an object that is equal to the given one. The object's {@code
     * equals} is called for each message that waits at the time of the call, on this thread and under no lock. Messages
     * sent meanwhile stay. If {@code equals} throws, nothing is removed.
     *
     * @param what the code; Runnables have the code 0
     * @param object compared with {@linkplain Object#equals equals} to that of the message; null means any
     * @throws IllegalArgumentException if the object is null and this handler is shared
     */
    public final void removeEqualMessages(int what, @Nullable Object object) {
        requireObjectIfShared(object);
        queue.remove(withEqual(object, MessageMatcher.code(this, what, null)));
    }

    /**
     * Removes the waiting messages and posts with a token.
     *
     * @param token the object, by identity; null means all messages of this handler
     * @throws IllegalArgumentException if the token is null and this handler is shared
     */
    public final void removeCallbacksAndMessages(@Nullable Object token) {
        requireObjectIfShared(token);
        queue.remove(MessageMatcher.token(this, token));
    }

    /**
     * Removes the waiting messages and posts with a token that is equal to the given one, see {@link
     * #removeEqualMessages}.
     *
     * @param token compared with {@linkplain Object#equals equals} to that of the message; null means any
     * @throws IllegalArgumentException if the token is null and this handler is shared
     */
    public final void removeCallbacksAndEqualMessages(@Nullable Object token) {
        requireObjectIfShared(token);
        queue.remove(withEqual(token, MessageMatcher.token(this, null)));
    }

    private void requireObjectIfShared(@Nullable Object object) {
        if (shared && object == null) {
            throw new IllegalArgumentException(
                    "This handler is shared: null would remove the messages of others. Make a handler of your own.");
        }
    }

    private Predicate<Message> withEqual(@Nullable Object object, Predicate<Message> match) {
        return object == null ? match : MessageMatcher.equalNow(queue, match, object);
    }

    /**
     * Returns whether a message with a code waits in the queue. Runnables have the code 0. (On Android 17 messages
     * dropped by {@link Looper#quit()} are found until the looper has run; here they are not found once quit has
     * returned. This applies to all methods that search.)
     *
     * @param what the code
     * @return true if one waits
     */
    public final boolean hasMessages(int what) {
        return hasMessages(what, null);
    }

    /**
     * Returns whether a message with a code and an object waits in the queue. Runnables have the code 0.
     *
     * @param what the code
     * @param object the object, by identity; null means any
     * @return true if one waits
     */
    public final boolean hasMessages(int what, @Nullable Object object) {
        return queue.has(MessageMatcher.code(this, what, object));
    }

    /**
     * Returns whether a message with a code and an object that is equal to the given one waits in the queue, see {@link
     * #removeEqualMessages}.
     *
     * @param what the code; Runnables have the code 0
     * @param object compared with {@linkplain Object#equals equals} to that of the message; null means any
     * @return true if one waits
     */
    public final boolean hasEqualMessages(int what, @Nullable Object object) {
        return queue.has(withEqual(object, MessageMatcher.code(this, what, null)));
    }

    /**
     * Returns whether any message or Runnable of this handler waits in the queue.
     *
     * @return true if there is a message or a Runnable
     */
    public final boolean hasMessagesOrCallbacks() {
        return queue.has(MessageMatcher.token(this, null));
    }

    /**
     * Returns whether a Runnable waits in the queue.
     *
     * @param r the Runnable
     * @return true if it does
     */
    public final boolean hasCallbacks(Runnable r) {
        Objects.requireNonNull(r, "r");
        return queue.has(MessageMatcher.callback(this, r, null));
    }

    // ---- dumps

    /**
     * Prints this handler and the queue of its looper.
     *
     * @param pw where to print
     * @param prefix the start of each line
     */
    public final void dump(Printer pw, String prefix) {
        Objects.requireNonNull(pw, "pw");
        Objects.requireNonNull(prefix, "prefix");
        pw.println(prefix + this + " @ " + queue.clock.uptimeMillis());
        looper.dump(pw, prefix + "  ");
    }

    /**
     * Prints this handler and, of the queue of its looper, only its own messages.
     *
     * @param pw where to print
     * @param prefix the start of each line
     */
    public final void dumpMine(Printer pw, String prefix) {
        Objects.requireNonNull(pw, "pw");
        Objects.requireNonNull(prefix, "prefix");
        pw.println(prefix + this + " @ " + queue.clock.uptimeMillis());
        looper.dump(pw, prefix + "  ", this);
    }

    @Override
    public String toString() {
        return "Handler (" + getClass().getName() + ") {" + Integer.toHexString(System.identityHashCode(this)) + "}";
    }
}
