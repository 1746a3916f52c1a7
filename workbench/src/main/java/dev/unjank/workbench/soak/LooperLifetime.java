package dev.unjank.workbench.soak;

import dev.unjank.looper.Handler;
import dev.unjank.looper.HandlerThread;
import dev.unjank.looper.Looper;
import dev.unjank.looper.Message;
import dev.unjank.looper.QueueKind;
import dev.unjank.looper.spi.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One looper of a {@link ConcurrentRound}, from start to end, with the calls made to it. */
final class LooperLifetime {
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final ThreadLocal<@Nullable SentMessage> SENDING = new ThreadLocal<>();

    final int number;
    final Looper looper;
    final HandlerThread thread;
    /** The handlers whose messages any operation may remove. */
    final Handler[] handlers;
    /** The handler whose messages are never removed, so that senders can wait for the run. */
    final Handler pings;
    /** The handler of {@link ConcurrentBulkOperations}, which removes only its own messages. */
    final Handler crowd;

    /** The messages that the looper's own thread has sent. */
    final List<SentMessage> ownSent = new ArrayList<>();

    final Queue<TimedCalls.Removal> removals = new ConcurrentLinkedQueue<>();
    final Queue<TimedCalls.Question> questions = new ConcurrentLinkedQueue<>();
    final Queue<TimedCalls.Barrier> barriers = new ConcurrentLinkedQueue<>();
    final Queue<String> mistakes = new ConcurrentLinkedQueue<>();

    // written by the looper's thread, read by any thread after its end
    final List<SentMessage> log = new ArrayList<>();
    private long lastEnd;

    private final Tags tags = new Tags();
    private final LooperOperations door;
    private final Clock clock = Clock.system();
    private final AtomicBoolean quitting = new AtomicBoolean();
    private final Consumer<SentMessage> whenRun;

    // written by the thread that quits
    volatile boolean quitSafely;
    volatile long quitStart = Long.MAX_VALUE;
    volatile long quitEnd = Long.MAX_VALUE;

    /**
     * Whether {@link SentMessage#pending} has been set for the messages that were left before the quit, when no message
     * was due.
     */
    volatile boolean settled;

    LooperLifetime(int number, QueueKind kind, LooperOperations door, Consumer<SentMessage> whenRun) {
        this.number = number;
        this.door = door;
        this.whenRun = whenRun;
        thread = new HandlerThread("generation " + number, door.options(kind));
        thread.setDaemon(true);
        thread.start();
        looper = Objects.requireNonNull(thread.getLooper());
        handlers = new Handler[] {new Recorder(), new Recorder()};
        pings = new Recorder();
        crowd = new Recorder();
    }

    long now() {
        return clock.nanos();
    }

    /** A handler that records the time of each sent message and each run. */
    private final class Recorder extends Handler {
        Recorder() {
            super(looper);
        }

        @Override
        public boolean sendMessageAtTime(Message message, long when) {
            SentMessage sent = Objects.requireNonNull(SENDING.get());
            sent.when = when;
            tag(message, sent);
            return door.send(super::sendMessageAtTime, message, when);
        }

        @Override
        public void dispatchMessage(Message message) {
            SentMessage sent = tags.get(message);
            if (sent == null) {
                super.dispatchMessage(message);
                return;
            }
            door.deliver(() -> ran(sent));
        }
    }

    /** Finds the record of a message by its arguments, which are not used otherwise. */
    private static final class Tags {
        /**
         * The records by sender and number; each row is written by its sender, and sending publishes it to the looper.
         */
        private final List<List<SentMessage>> sent = new ArrayList<>();

        Tags() {
            for (int i = 0; i <= Soak.MAX_THREADS; i++) {
                sent.add(new ArrayList<>());
            }
        }

        void put(Message message, SentMessage record) {
            List<SentMessage> row = sent.get(record.sender);
            message.arg1 = record.sender + 1;
            message.arg2 = row.size();
            row.add(record);
        }

        @Nullable
        SentMessage get(Message message) {
            return message.arg1 == 0 ? null : sent.get(message.arg1 - 1).get(message.arg2);
        }
    }

    private void tag(Message message, SentMessage sent) {
        message.setAsynchronous(sent.asynchronous);
        sent.message = message;
        tags.put(message, sent);
    }

    /** Sends a message with any method of Handler, and records the time. */
    void send(SentMessage sent, Sending how) {
        SENDING.set(sent);
        sent.sendStart = now();
        sent.accepted = how.send();
        sent.sendEnd = now();
        SENDING.remove();
    }

    /** Sends to the front, which bypasses the recording of other messages. */
    void sendToFront(SentMessage sent, Message message) {
        tag(message, sent);
        send(sent, () -> sent.handler.sendMessageAtFrontOfQueue(message));
    }

    /** A method of sending. */
    interface Sending {
        boolean send();
    }

    private void ran(SentMessage sent) {
        sent.runStart = now();
        long due = sent.when > Long.MAX_VALUE / NANOS_PER_MILLI ? Long.MAX_VALUE : sent.when * NANOS_PER_MILLI;
        sent.notChosenBefore = Math.max(Math.max(lastEnd, sent.sendStart), due);
        sent.runs++;
        log.add(sent);
        if (sent.runs > 1) {
            mistakes.add("run twice: " + sent);
        }
        if (due > sent.runStart) {
            mistakes.add("run before its time: " + sent);
        }
        if (sent.errand != null) {
            sent.errand.run();
        }
        whenRun.accept(sent);
        sent.done = true;
        lastEnd = now();
    }

    /** Quits the looper; false if another thread did before. */
    boolean quit(boolean safely) {
        if (!quitting.compareAndSet(false, true)) {
            return false;
        }
        quitSafely = safely;
        quitStart = now();
        door.quit(looper, safely);
        quitEnd = now();
        return true;
    }

    boolean hasQuit() {
        return quitStart != Long.MAX_VALUE;
    }
}
