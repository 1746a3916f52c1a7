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
 * A handler sends messages and Runnables to the queue of one looper, and receives them on the looper's thread.
 *
 * <p>Any thread may send, remove and search, concurrently. Times are milliseconds on the looper's {@linkplain Clock
 * clock}; messages with the same time are delivered in the order in which they were sent.
 *
 * <p>Every sending method returns true if the queue has accepted the message. This does not guarantee delivery: the
 * looper may quit first. The method returns false if the looper has quit or has ended with an exception; the message is
 * then recycled. (Android keeps returning true after a loop has ended with an exception.)
 */
public class Handler {
    /** A receiver of messages, as an alternative to a subclass of {@link Handler}. */
    @FunctionalInterface
    public interface Callback {
        /**
         * Receives a message.
         *
         * @param msg the message, valid until this call returns
         * @return true if the message is handled, so that {@link Handler#handleMessage(Message)} is not called
         */
        boolean handleMessage(Message msg);
    }

    final MessageQueue queue;

    private final Looper looper;
    private final @Nullable Callback callback;
    private final boolean asynchronous;
    private final boolean shared;

    /**
     * Creates a handler for the looper of the current thread.
     *
     * @throws IllegalStateException if this thread has no looper
     */
    public Handler() {
        this((Callback) null);
    }

    /**
     * Creates a handler for the looper of the current thread.
     *
     * @param callback the receiver that is called before {@link #handleMessage(Message)}; may be null
     * @throws IllegalStateException if this thread has no looper
     */
    public Handler(@Nullable Callback callback) {
        this(Looper.required("make a Handler"), callback);
    }

    /**
     * Creates a handler.
     *
     * @param looper the looper that delivers the messages
     */
    public Handler(Looper looper) {
        this(looper, null);
    }

    /**
     * Creates a handler.
     *
     * @param looper the looper that delivers the messages
     * @param callback the receiver that is called before {@link #handleMessage(Message)}; may be null
     */
    public Handler(Looper looper, @Nullable Callback callback) {
        this(looper, callback, false);
    }

    /**
     * Creates a handler for the looper of the current thread, optionally an asynchronous one, as {@link
     * #createAsync(Looper)} does.
     *
     * @param async true if sending makes each message asynchronous
     * @throws IllegalStateException if this thread has no looper
     */
    public Handler(boolean async) {
        this((Callback) null, async);
    }

    /**
     * Creates a handler for the looper of the current thread.
     *
     * @param callback the receiver that is called before {@link #handleMessage(Message)}; may be null
     * @param async true if sending makes each message asynchronous
     * @throws IllegalStateException if this thread has no looper
     */
    public Handler(@Nullable Callback callback, boolean async) {
        this(Looper.required("make a Handler"), callback, async);
    }

    /**
     * Creates a handler.
     *
     * @param looper the looper that delivers the messages
     * @param callback the receiver that is called before {@link #handleMessage(Message)}; may be null
     * @param async true if sending makes each message asynchronous
     */
    public Handler(Looper looper, @Nullable Callback callback, boolean async) {
        this(looper, callback, async, false);
    }

    /**
     * Creates a handler that several users may share. A shared handler protects the messages of its other users:
     * methods where null means
     * <i>any object</i> throw an {@link IllegalArgumentException} instead. This applies to {@link #removeMessages(int,
     * Object)}, {@link #removeEqualMessages}, {@link #removeCallbacksAndMessages} and {@link
     * #removeCallbacksAndEqualMessages}.
     *
     * @param looper the looper that delivers the messages
     * @param callback the receiver that is called before {@link #handleMessage(Message)}; may be null
     * @param async true if sending makes each message asynchronous
     * @param shared true if the handler is shared
     */
    public Handler(Looper looper, @Nullable Callback callback, boolean async, boolean shared) {
        this.looper = Objects.requireNonNull(looper, "looper");
        this.queue = looper.getQueue();
        this.callback = callback;
        this.asynchronous = async;
        this.shared = shared;
    }

    /**
     * Creates an asynchronous handler: all of its messages pass barriers.
     *
     * @param looper the looper that delivers the messages
     * @return an asynchronous handler
     */
    public static Handler createAsync(Looper looper) {
        return new Handler(looper, null, true);
    }

    /**
     * Creates an asynchronous handler: all of its messages pass barriers.
     *
     * @param looper the looper that delivers the messages
     * @param callback the receiver of the messages
     * @return an asynchronous handler
     */
    public static Handler createAsync(Looper looper, Callback callback) {
        return new Handler(looper, Objects.requireNonNull(callback, "callback"), true);
    }

    /**
     * Returns the shared handler of the main looper. To be able to remove only your own messages, create a separate
     * handler.
     *
     * @return the handler; always the same, unless tests replace the main looper
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
     * Receives a message. Called on the looper's thread; override it to handle messages.
     *
     * @param msg the message, valid until this call returns
     */
    public void handleMessage(Message msg) {}

    /**
     * Delivers a message now, on the calling thread. If the message has a Runnable, runs it. Otherwise calls the
     * callback of this handler, if there is one, and then {@link #handleMessage(Message)}, unless the callback has
     * returned true.
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
     * Returns the looper of this handler.
     *
     * @return the looper
     */
    public final Looper getLooper() {
        return looper;
    }

    /**
     * Returns a readable name of a message.
     *
     * @param message a message of this handler
     * @return the class of its Runnable or of the task that was {@linkplain #submit submitted}, or its code in
     *     hexadecimal
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
     * @return the class of this handler, and the class of the message's Runnable or submitted task, or its code in
     *     decimal
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
     * @param r the Runnable
     * @return true if the queue has accepted it
     */
    public final boolean post(Runnable r) {
        return sendMessageDelayed(messageOf(r, null), 0);
    }

    /**
     * Runs a Runnable on the looper at a given time.
     *
     * @param r the Runnable
     * @param uptimeMillis the due time; 0 means the front of the queue
     * @return true if the queue has accepted it
     */
    public final boolean postAtTime(Runnable r, long uptimeMillis) {
        return sendMessageAtTime(messageOf(r, null), uptimeMillis);
    }

    /**
     * Runs a Runnable on the looper at a given time.
     *
     * @param r the Runnable
     * @param token the token for removing it; may be null
     * @param uptimeMillis the due time; 0 means the front of the queue
     * @return true if the queue has accepted it
     */
    public final boolean postAtTime(Runnable r, @Nullable Object token, long uptimeMillis) {
        return sendMessageAtTime(messageOf(r, token), uptimeMillis);
    }

    /**
     * Runs a Runnable on the looper after a delay.
     *
     * @param r the Runnable
     * @param delayMillis the delay; negative means 0; a delay that overflows never expires
     * @return true if the queue has accepted it
     */
    public final boolean postDelayed(Runnable r, long delayMillis) {
        return sendMessageDelayed(messageOf(r, null), delayMillis);
    }

    /**
     * Runs a Runnable on the looper after a delay.
     *
     * @param r the Runnable
     * @param what a code for finding and removing it, as for a message; other Runnables have the code 0
     * @param delayMillis the delay; negative means 0; a delay that overflows never expires
     * @return true if the queue has accepted it
     */
    public final boolean postDelayed(Runnable r, int what, long delayMillis) {
        return sendMessageDelayed(messageOf(r, null).setWhat(what), delayMillis);
    }

    /**
     * Runs a Runnable on the looper after a delay.
     *
     * @param r the Runnable
     * @param token the token for removing it; may be null
     * @param delayMillis the delay; negative means 0; a delay that overflows never expires
     * @return true if the queue has accepted it
     */
    public final boolean postDelayed(Runnable r, @Nullable Object token, long delayMillis) {
        return sendMessageDelayed(messageOf(r, token), delayMillis);
    }

    /**
     * Runs a Runnable on the looper before all messages that are waiting now.
     *
     * @param r the Runnable
     * @return true if the queue has accepted it
     */
    public final boolean postAtFrontOfQueue(Runnable r) {
        return sendMessageAtFrontOfQueue(messageOf(r, null));
    }

    /**
     * Runs a Runnable on the looper and waits until it has run; on the looper's own thread, runs it directly. If the
     * looper waits for the calling thread, both hang until the timeout. An interrupt does not end the wait; the
     * interrupt flag is restored afterwards.
     *
     * <p>(On Android the wait does not end if the looper quits after it has accepted the Runnable.)
     *
     * @param r the Runnable; its exceptions propagate from {@link Looper#loop()}
     * @param timeoutMillis the maximum time to wait, on the system's clock; 0 means no limit. After a timeout the
     *     Runnable stays in the queue and runs later
     * @return true if the Runnable has run; false if the timeout has elapsed, the looper has quit or ended with an
     *     exception, or the Runnable was removed
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
     * does not end the loop. If other code completes the future before the task begins (by cancellation, timeout or a
     * value), the message is removed and releases the task at once; a task that has begun is not interrupted. If the
     * message is removed, or dropped because the looper quits, the future is cancelled; if the looper has already quit,
     * the returned future is cancelled. So a wait for the future always ends. Dependent actions run on the thread that
     * completes the future, unless they specify an executor.
     *
     * <p>On the looper's own thread {@code get} and {@code join} of an incomplete future throw an {@link
     * IllegalStateException}, since the task would have to wait for that thread.
     *
     * @param task the task
     * @param <V> the type of the task's result
     * @return the future of the task's result
     */
    public final <V> CompletableFuture<V> submit(Callable<V> task) {
        return submitDelayed(task, 0);
    }

    /**
     * Runs a Runnable on the looper as soon as possible, as {@link #submit(Callable)} does with a task.
     *
     * @param task the task
     * @return the future, completed with null when the Runnable has run
     */
    public final CompletableFuture<Void> submit(Runnable task) {
        return submitDelayed(task, 0);
    }

    /**
     * Runs a task on the looper after a delay, otherwise as {@link #submit(Callable)} does.
     *
     * @param task the task
     * @param delayMillis the delay; negative means 0; a delay that overflows never expires
     * @param <V> the type of the task's result
     * @return the future of the task's result
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
     * @param task the task
     * @param delayMillis the delay; negative means 0; a delay that overflows never expires
     * @return the future, completed with null when the Runnable has run
     */
    public final CompletableFuture<Void> submitDelayed(Runnable task, long delayMillis) {
        Objects.requireNonNull(task, "task");
        Callable<Void> callable = Executors.callable(task, null);
        return submit(new HandlerFuture<>(this, callable, task.getClass()), delayMillis);
    }

    // ---- sending messages

    /**
     * Delivers a message as soon as possible, after the messages that are already due.
     *
     * @param msg a message that has not been sent before
     * @return true if the queue has accepted it
     * @throws IllegalStateException if the message has already been sent or recycled
     */
    public final boolean sendMessage(Message msg) {
        return sendMessageDelayed(msg, 0);
    }

    /**
     * Delivers a message that has only a code, as soon as possible.
     *
     * @param what the value of {@link Message#what}
     * @return true if the queue has accepted it
     */
    public final boolean sendEmptyMessage(int what) {
        return sendEmptyMessageDelayed(what, 0);
    }

    /**
     * Delivers a message that has only a code, after a delay.
     *
     * @param what the value of {@link Message#what}
     * @param delayMillis the delay; negative means 0; a delay that overflows never expires
     * @return true if the queue has accepted it
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
     * @param uptimeMillis the due time; 0 means the front of the queue
     * @return true if the queue has accepted it
     */
    public final boolean sendEmptyMessageAtTime(int what, long uptimeMillis) {
        Message m = new Message();
        m.what = what;
        return sendMessageAtTime(m, uptimeMillis);
    }

    /**
     * Delivers a message after a delay. (On Android a delay that overflows runs at once.)
     *
     * @param msg a message that has not been sent before
     * @param delayMillis the delay; negative means 0; a delay that overflows never expires
     * @return true if the queue has accepted it
     * @throws IllegalStateException if the message has already been sent or recycled
     */
    public final boolean sendMessageDelayed(Message msg, long delayMillis) {
        long now = queue.clock.uptimeMillis();
        long delay = Math.max(delayMillis, 0);
        return sendMessageAtTime(msg, delay > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + delay);
    }

    /**
     * Delivers a message at a given time. All sending and posting methods call this method, except those for the front
     * of the queue; override it to observe or delay messages. (On Android 17, times that differ by more than half the
     * range of a long are ordered wrongly.)
     *
     * @param msg a message that has not been sent before
     * @param uptimeMillis the due time on the looper's clock; may be any value, and past times are ordered, too; 0
     *     means the front of the queue, where the last message sent is delivered first
     * @return true if the queue has accepted it
     * @throws IllegalStateException if the message has already been sent or recycled
     */
    public boolean sendMessageAtTime(Message msg, long uptimeMillis) {
        Objects.requireNonNull(msg, "msg");
        msg.claim(this, asynchronous, uptimeMillis);
        return queue.enqueue(msg);
    }

    /**
     * Delivers a message before all messages that wait in the queue now, barriers included.
     *
     * @param msg a message that has not been sent before
     * @return true if the queue has accepted it
     * @throws IllegalStateException if the message has already been sent or recycled
     */
    public final boolean sendMessageAtFrontOfQueue(Message msg) {
        Objects.requireNonNull(msg, "msg");
        msg.claim(this, asynchronous, 0);
        return queue.enqueue(msg);
    }

    /**
     * Delivers a message directly if called on the looper's own thread; otherwise sends it. A directly delivered
     * message overtakes all waiting messages and is not visible to logs and observers. (On Android, the message is not
     * marked as in use meanwhile, and is not recycled afterwards.)
     *
     * @param msg a message that has not been sent before
     * @return true if the message was delivered, or the queue has accepted it
     * @throws IllegalStateException if the message has already been sent or recycled
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
     * Delivers a message not before the given time on {@link Clock#nanos()}. Messages due in the same whole millisecond
     * run in the order of sending. A time close to the maximum is never due.
     */
    final boolean sendAtNanos(Message msg, long nanos) {
        msg.claimForNanos(this, asynchronous, nanos);
        return queue.enqueue(msg);
    }

    // ---- removing and searching

    /**
     * Removes the waiting posts of a Runnable. Does nothing if the Runnable is null.
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
     * @param token the token of the post, compared by identity; null matches any
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
     * @param object the object, compared by identity; null matches any
     * @throws IllegalArgumentException if the object is null and this handler is shared
     */
    public final void removeMessages(int what, @Nullable Object object) {
        requireObjectIfShared(object);
        queue.remove(MessageMatcher.code(this, what, object));
    }

    /**
     * Removes the waiting messages with a code and an object that is equal to the given one. The object's {@code
     * equals} is called for each message that waits at the time of the call, on the calling thread and without a lock.
     * Messages sent meanwhile stay. If {@code equals} throws, nothing is removed.
     *
     * @param what the code; Runnables have the code 0
     * @param object compared with {@linkplain Object#equals equals} to the message's object; null matches any
     * @throws IllegalArgumentException if the object is null and this handler is shared
     */
    public final void removeEqualMessages(int what, @Nullable Object object) {
        requireObjectIfShared(object);
        queue.remove(withEqual(object, MessageMatcher.code(this, what, null)));
    }

    /**
     * Removes the waiting messages and posts with a token.
     *
     * @param token the object, compared by identity; null means all messages of this handler
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
     * @param token compared with {@linkplain Object#equals equals} to the message's object; null matches any
     * @throws IllegalArgumentException if the token is null and this handler is shared
     */
    public final void removeCallbacksAndEqualMessages(@Nullable Object token) {
        requireObjectIfShared(token);
        queue.remove(withEqual(token, MessageMatcher.token(this, null)));
    }

    private void requireObjectIfShared(@Nullable Object object) {
        if (shared && object == null) {
            throw new IllegalArgumentException(
                    "This handler is shared: null would remove the messages of other users. Create a separate handler.");
        }
    }

    private Predicate<Message> withEqual(@Nullable Object object, Predicate<Message> match) {
        return object == null ? match : MessageMatcher.equalNow(queue, match, object);
    }

    /**
     * Returns whether a message with a code waits in the queue. Runnables have the code 0. (On Android 17, searches
     * find messages dropped by {@link Looper#quit()} until the looper has run; here they do not find them once quit has
     * returned. This applies to all searching methods.)
     *
     * @param what the code
     * @return true if such a message waits
     */
    public final boolean hasMessages(int what) {
        return hasMessages(what, null);
    }

    /**
     * Returns whether a message with a code and an object waits in the queue. Runnables have the code 0.
     *
     * @param what the code
     * @param object the object, compared by identity; null matches any
     * @return true if such a message waits
     */
    public final boolean hasMessages(int what, @Nullable Object object) {
        return queue.has(MessageMatcher.code(this, what, object));
    }

    /**
     * Returns whether a message with a code and an object that is equal to the given one waits in the queue, see {@link
     * #removeEqualMessages}.
     *
     * @param what the code; Runnables have the code 0
     * @param object compared with {@linkplain Object#equals equals} to the message's object; null matches any
     * @return true if such a message waits
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
     * @return true if the Runnable waits
     */
    public final boolean hasCallbacks(Runnable r) {
        Objects.requireNonNull(r, "r");
        return queue.has(MessageMatcher.callback(this, r, null));
    }

    // ---- dumps

    /**
     * Prints this handler and the queue of its looper.
     *
     * @param pw receives the lines
     * @param prefix the prefix of each line
     */
    public final void dump(Printer pw, String prefix) {
        Objects.requireNonNull(pw, "pw");
        Objects.requireNonNull(prefix, "prefix");
        pw.println(prefix + this + " @ " + queue.clock.uptimeMillis());
        looper.dump(pw, prefix + "  ");
    }

    /**
     * Prints this handler, and those messages in its looper's queue that are for this handler.
     *
     * @param pw receives the lines
     * @param prefix the prefix of each line
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
