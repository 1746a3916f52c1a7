package dev.unjank.looper;

import static dev.unjank.looper.queue.NodeState.ASYNCHRONOUS;
import static dev.unjank.looper.queue.NodeState.BARRIER;
import static dev.unjank.looper.queue.NodeState.CLAIMED;
import static dev.unjank.looper.queue.NodeState.END;
import static dev.unjank.looper.queue.NodeState.FRESH;
import static dev.unjank.looper.queue.NodeState.SYNCHRONOUS;
import static dev.unjank.looper.queue.NodeState.casFreshToClaimed;
import static dev.unjank.looper.queue.NodeState.casFreshToRecycled;
import static dev.unjank.looper.queue.NodeState.casFreshToTaken;
import static dev.unjank.looper.queue.NodeState.casQueuedToRemoved;
import static dev.unjank.looper.queue.NodeState.casQueuedToTaken;
import static dev.unjank.looper.queue.NodeState.clearWhen;
import static dev.unjank.looper.queue.NodeState.kind;
import static dev.unjank.looper.queue.NodeState.life;
import static dev.unjank.looper.queue.NodeState.setClaimedPlain;
import static dev.unjank.looper.queue.NodeState.setDueMillis;
import static dev.unjank.looper.queue.NodeState.setDueNanos;
import static dev.unjank.looper.queue.NodeState.setKindIfFresh;
import static dev.unjank.looper.queue.NodeState.setKindPlain;
import static dev.unjank.looper.queue.NodeState.setRecycledRelease;
import static dev.unjank.looper.queue.NodeState.when;

import dev.unjank.looper.queue.Node;
import dev.unjank.looper.task.QueuedTask;
import dev.unjank.looper.util.Nullable;
import java.util.Objects;

/**
 * A unit of work for a looper: a code and data for a {@link Handler} to interpret, or a Runnable.
 *
 * <p>A message can be sent once. From sending until delivery or removal it belongs to the queue: changing it, sending
 * it again or recycling it is an error, and sending and recycling are refused with an {@link IllegalStateException}.
 * Afterwards its fields are cleared and it cannot be used again. There is no pool of messages, since creating an object
 * costs less than access to memory that all threads share.
 *
 * <p>The sender fills the public fields and the receiver reads them; sending publishes them.
 */
@SuppressWarnings("exports") // a Node has no public members
public final class Message extends Node {
    /** A code that the receiving handler interprets; different handlers may use the same codes. */
    public int what;

    /** A number for the receiver. */
    public int arg1;

    /** A second number for the receiver. */
    public int arg2;

    /** An object for the receiver; also the token, compared by identity, by which messages can be found and removed. */
    public @Nullable Object obj;

    @Nullable
    Handler target;

    @Nullable
    Runnable callback;

    /**
     * The notes that observers took at the sending, or null; read at the delivery. Written before the message is
     * queued, then constant until the message is retired or removed.
     */
    @Nullable
    Object note;

    /** Creates an empty message; {@link #obtain()} is the same. */
    public Message() {}

    /**
     * Returns an empty message.
     *
     * @return a new message
     */
    public static Message obtain() {
        return new Message();
    }

    /**
     * Returns a message with the fields, the target and the Runnable of another one, ready to be sent.
     *
     * @param original the message to copy
     * @return a new message
     */
    public static Message obtain(Message original) {
        Objects.requireNonNull(original, "original");
        Message m = new Message();
        m.copyFields(original);
        m.target = original.target;
        m.callback = original.callback;
        return m;
    }

    /**
     * Returns a message with a target.
     *
     * @param target the handler to deliver to
     * @return a new message
     */
    public static Message obtain(@Nullable Handler target) {
        Message m = new Message();
        m.target = target;
        return m;
    }

    /**
     * Returns a message that runs a Runnable.
     *
     * @param target the handler; the Runnable runs on its looper
     * @param callback the Runnable, which runs instead of {@link Handler#handleMessage}
     * @return a new message
     */
    public static Message obtain(@Nullable Handler target, @Nullable Runnable callback) {
        Message m = obtain(target);
        m.callback = callback;
        return m;
    }

    /**
     * Returns a message with a target and a code.
     *
     * @param target the handler to deliver to
     * @param what the value of {@link #what}
     * @return a new message
     */
    public static Message obtain(@Nullable Handler target, int what) {
        Message m = obtain(target);
        m.what = what;
        return m;
    }

    /**
     * Returns a message with a target, a code and an object.
     *
     * @param target the handler to deliver to
     * @param what the value of {@link #what}
     * @param obj the value of {@link #obj}
     * @return a new message
     */
    public static Message obtain(@Nullable Handler target, int what, @Nullable Object obj) {
        Message m = obtain(target, what);
        m.obj = obj;
        return m;
    }

    /**
     * Returns a message with a target, a code and two numbers.
     *
     * @param target the handler to deliver to
     * @param what the value of {@link #what}
     * @param arg1 the value of {@link #arg1}
     * @param arg2 the value of {@link #arg2}
     * @return a new message
     */
    public static Message obtain(@Nullable Handler target, int what, int arg1, int arg2) {
        Message m = obtain(target, what);
        m.arg1 = arg1;
        m.arg2 = arg2;
        return m;
    }

    /**
     * Returns a message with a target and all fields.
     *
     * @param target the handler to deliver to
     * @param what the value of {@link #what}
     * @param arg1 the value of {@link #arg1}
     * @param arg2 the value of {@link #arg2}
     * @param obj the value of {@link #obj}
     * @return a new message
     */
    public static Message obtain(@Nullable Handler target, int what, int arg1, int arg2, @Nullable Object obj) {
        Message m = obtain(target, what, arg1, arg2);
        m.obj = obj;
        return m;
    }

    /**
     * Recycles a message that will not be sent and clears every field. (Android 17 does not clear {@code what} and
     * {@code arg1}.) The looper recycles delivered and refused messages.
     *
     * @throws IllegalStateException if the message has been sent or recycled before
     */
    public void recycle() {
        if (!casFreshToRecycled(this)) {
            throw new IllegalStateException("This message cannot be recycled: it is in use, or has been recycled");
        }
        clearPayload();
        clearWhen(this);
    }

    /**
     * Removes this message if it still waits in a queue. A removed message will not be delivered, and its payload has
     * been released when this method returns. A message is queued at most once, so the call cannot affect another
     * message. May be called from any thread.
     *
     * @return true if this call has removed the message; false if it was not queued, is being or has been delivered, or
     *     has already been removed or dropped
     */
    public boolean cancel() {
        Handler handler = target; // cleared by the thread that removes the message from the queue
        return handler != null && handler.queue.cancel(this);
    }

    /** Ends a delivered message, which other threads can no longer claim. */
    void retire() {
        Runnable carried = callback;
        clearPayload();
        clearWhen(this);
        setRecycledRelease(this);
        notifyReleased(carried);
    }

    /** Ends a message that the queue refused; another thread may already have removed it. */
    void refuse() {
        if (life(this) == CLAIMED || casQueuedToTaken(this)) {
            retire();
        }
    }

    /** Tries to remove this message; if it succeeds, it has also freed the payload. */
    boolean tryRemove() {
        if (!casQueuedToRemoved(this)) {
            return false;
        }
        Runnable carried = callback;
        clearPayload();
        notifyReleased(carried);
        return true;
    }

    /**
     * Notifies the task that its message has ended. This may run user code that waits for the result, so it must not be
     * called under a lock.
     */
    private void notifyReleased(@Nullable Runnable carried) {
        if (carried instanceof QueuedTask task) {
            task.released(this);
        }
    }

    /** Claims this message for a target and a millisecond; from then on the message belongs to the queue. */
    void claim(Handler handler, boolean forceAsynchronous, long millis) {
        claim(handler, forceAsynchronous);
        setDueMillis(this, millis);
    }

    /** Claims this message for a target and a time in nanoseconds; from then on the message belongs to the queue. */
    void claimForNanos(Handler handler, boolean forceAsynchronous, long nanos) {
        claim(handler, forceAsynchronous);
        setDueNanos(this, nanos);
    }

    private void claim(Handler handler, boolean forceAsynchronous) {
        if (!casFreshToClaimed(this)) {
            throw new IllegalStateException("This message is already in use: " + this);
        }
        target = handler;
        if (forceAsynchronous) {
            setKindPlain(this, ASYNCHRONOUS);
        }
    }

    /** Claims this message for immediate delivery, without a queue. */
    void claimToRun(Handler handler) {
        if (!casFreshToTaken(this)) {
            throw new IllegalStateException("This message is already in use: " + this);
        }
        target = handler;
    }

    /** Returns a barrier: a message without a target that blocks the synchronous messages behind it. */
    static Message barrier(int token, long when) {
        Message m = new Message();
        setClaimedPlain(m, BARRIER);
        m.arg1 = token;
        setDueMillis(m, when);
        return m;
    }

    /** Returns the end marker of a stack: messages below it that are due before the marker are kept. */
    static Message end() {
        Message m = new Message();
        setClaimedPlain(m, END);
        return m;
    }

    private void clearPayload() {
        what = 0;
        arg1 = 0;
        arg2 = 0;
        obj = null;
        target = null;
        callback = null;
        note = null;
    }

    /**
     * Copies the fields of another message, and whether it is asynchronous, but not its target or its Runnable. The
     * state of the other message (queued, delivered or recycled) is not copied, so this message can be sent.
     *
     * @param original the message to copy
     * @throws IllegalStateException if this message has been sent or recycled (on Android it could be queued twice)
     */
    public void copyFrom(Message original) {
        Objects.requireNonNull(original, "original");
        if (life(this) != FRESH) {
            throw new IllegalStateException("This message is already in use: " + this);
        }
        copyFields(original);
        setAsynchronous(original.isAsynchronous());
    }

    private void copyFields(Message original) {
        what = original.what;
        arg1 = original.arg1;
        arg2 = original.arg2;
        obj = original.obj;
    }

    /**
     * Returns the due time of this message.
     *
     * @return milliseconds on the looper's clock; 0 for the front of the queue, and if the message has not been sent
     */
    public long getWhen() {
        return when(this);
    }

    /**
     * Sets the handler to deliver to.
     *
     * @param target the receiver
     */
    public void setTarget(@Nullable Handler target) {
        this.target = target;
    }

    /**
     * Returns the handler to deliver to.
     *
     * @return the receiver, or null if the message has none
     */
    public @Nullable Handler getTarget() {
        return target;
    }

    /**
     * Sets the Runnable that runs when this message is delivered. Must be called before sending.
     *
     * @param r the Runnable; null to deliver the message to its handler
     * @return this message
     */
    public Message setCallback(@Nullable Runnable r) {
        callback = r;
        return this;
    }

    /**
     * Sets {@link #what}. Must be called before sending. A Runnable with a code can be removed by that code.
     *
     * @param code the value of {@link #what}
     * @return this message
     */
    public Message setWhat(int code) {
        what = code;
        return this;
    }

    /**
     * Returns the Runnable that runs when this message is delivered.
     *
     * @return the Runnable, or null if the message goes to its handler
     */
    public @Nullable Runnable getCallback() {
        return callback;
    }

    /**
     * Sends this message to its target, to be delivered as soon as possible.
     *
     * @throws NullPointerException if the message has no target
     * @throws IllegalStateException if the message has already been sent or recycled
     */
    public void sendToTarget() {
        Objects.requireNonNull(target, "message has no target").sendMessage(this);
    }

    /**
     * Returns whether barriers let this message pass.
     *
     * @return true if it is asynchronous
     * @see MessageQueue#postSyncBarrier()
     */
    public boolean isAsynchronous() {
        return kind(this) == ASYNCHRONOUS;
    }

    /**
     * Sets whether barriers let this message pass. Must be called before sending; ignored afterwards.
     *
     * @param async true to let it overtake synchronous messages behind a barrier
     */
    public void setAsynchronous(boolean async) {
        setKindIfFresh(this, async ? ASYNCHRONOUS : SYNCHRONOUS);
    }

    /** Describes the message; approximate while other threads change the message. */
    @Override
    public String toString() {
        Handler handler = target;
        return handler == null ? describe(0, false) : describe(handler.queue.clock.uptimeMillis(), true);
    }

    String toString(long now) {
        return describe(now, true);
    }

    private String describe(long now, boolean relative) {
        StringBuilder b = new StringBuilder("{ when=");
        if (relative) {
            long in = when(this) - now;
            b.append(in > 0 ? "+" : "").append(in);
        } else {
            b.append(when(this));
        }
        b.append("ms");
        if (kind(this) == BARRIER) {
            return b.append(" barrier=").append(arg1).append(" }").toString();
        }
        Class<?> task = QueuedTask.classOf(callback);
        if (task != null) {
            b.append(" callback=").append(task.getName());
        } else {
            b.append(" what=").append(what);
        }
        if (arg1 != 0) {
            b.append(" arg1=").append(arg1);
        }
        if (arg2 != 0) {
            b.append(" arg2=").append(arg2);
        }
        Object object = obj;
        if (object != null) {
            b.append(" obj=").append(object);
        }
        Handler handler = target;
        if (handler != null) {
            b.append(" target=").append(handler);
        }
        return b.append(isAsynchronous() ? " async }" : " }").toString();
    }
}
