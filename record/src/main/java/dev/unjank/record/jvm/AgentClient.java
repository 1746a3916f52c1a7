package dev.unjank.record.jvm;

import dev.unjank.record.agent.AgentProtocol;
import dev.unjank.record.helper.HelperProcess;
import dev.unjank.record.lifecycle.Cleanup;
import dev.unjank.trace.read.jfr.JavaNames;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The recorder's end of the connection to the observer: reads what {@link AgentProtocol} describes, in a thread of its own. The observer is in the
 * target, which may send anything: what is kept of it is bounded, and a message that is not as described ends the connection.
 */
final class AgentClient {
    /** A target that is stopped says nothing more. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(3);

    /** The observer forgets all texts and frames before they are so many: {@link AgentProtocol#FORGET}. */
    private static final int MOST_NUMBERED = 1 << 13;

    /** In bytes; the observer cuts texts to 2,000 characters. */
    private static final int LONGEST_TEXT = 6_000;

    /** The frames of a stack; the observer takes 48. */
    private static final int MOST_FRAMES = 1 << 10;

    private final HelperProcess.Connection connection;
    private final TargetDeadline patience;
    private final DataInputStream in;
    private final LockOwnerSamples taker;
    private final LongConsumer loss;
    private final Consumer<String> onEnd;
    private final Thread thread;

    private final Map<Integer, String> texts = new HashMap<>();
    private final Map<Integer, String> frames = new HashMap<>();

    private volatile long sightings;
    private volatile long withoutStack;
    private volatile long lost;
    private volatile long inTheWay;
    private volatile @Nullable String trouble;
    private volatile boolean closing;

    private boolean isEnding;
    private final CountDownLatch looked = new CountDownLatch(1);

    private AgentClient(
            HelperProcess.Connection connection,
            TargetDeadline patience,
            LockOwnerSamples taker,
            LongConsumer loss,
            Consumer<String> onEnd) {
        this.connection = connection;
        this.patience = patience;
        this.taker = taker;
        this.loss = loss;
        this.onEnd = onEnd;
        in = new DataInputStream(new BufferedInputStream(connection.in()));
        thread = new Thread(this::run, "lock-owners");
        thread.setDaemon(true);
    }

    /**
     * Begins to read from an observer.
     *
     * @param connection the connection to it
     * @param patience how long to wait for its last words
     * @param taker takes the sightings, by a thread of the client's
     * @param loss takes how many more were lost, by the same thread
     * @param onEnd takes the reason why no more will be seen; the target may have exited
     */
    static AgentClient connect(
            HelperProcess.Connection connection,
            TargetDeadline patience,
            LockOwnerSamples taker,
            LongConsumer loss,
            Consumer<String> onEnd)
            throws IOException {
        AgentClient client = new AgentClient(connection, patience, taker, loss, onEnd);
        client.greet();
        client.thread.start();
        return client;
    }

    private void greet() throws IOException {
        if (in.readByte() != AgentProtocol.HELLO || in.readInt() != AgentProtocol.VERSION) {
            throw new IOException("an observer of another version answers");
        }
    }

    private void run() {
        try {
            while (true) {
                message(in.readByte());
            }
        } catch (EOFException e) {
            ended(trouble == null ? "nobody looks for them in the target any more" : trouble);
        } catch (Throwable e) {
            ended("what the target tells of them cannot be read: " + Cleanup.message(e));
        } finally {
            looked.countDown();
            connection.close(); // what is not read would hold up other answers of the helper
        }
    }

    private void ended(String reason) {
        if (!closing) {
            onEnd.accept(reason);
        }
    }

    private void message(byte kind) throws IOException {
        switch (kind) {
            case AgentProtocol.TEXT -> {
                texts.put(in.readInt(), text());
                requireFew(texts.size(), MOST_NUMBERED);
            }
            case AgentProtocol.FRAME -> frame();
            case AgentProtocol.SIGHTING -> sighting();
            case AgentProtocol.OVER -> taker.over(in.readLong());
            case AgentProtocol.COUNTS -> counts();
            case AgentProtocol.FORGET -> {
                texts.clear();
                frames.clear();
            }
            case AgentProtocol.TROUBLE -> trouble = text();
            case AgentProtocol.LOOKED -> looked.countDown();
            default -> throw new IOException("a message of unknown kind " + kind);
        }
    }

    private static void requireFew(int count, int most) throws IOException {
        if (count > most) {
            throw new IOException("more than " + most + " texts or frames");
        }
    }

    private void counts() throws IOException {
        sightings = in.readLong();
        withoutStack = in.readLong();
        long before = lost;
        lost = in.readLong();
        inTheWay = in.readLong();
        if (lost > before) {
            loss.accept(lost - before);
        }
    }

    private String text() throws IOException {
        int length = in.readUnsignedShort();
        if (length > LONGEST_TEXT) {
            throw new IOException("a text of " + length + " bytes");
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private void frame() throws IOException {
        int number = in.readInt();
        String type = known(in.readInt());
        String method = known(in.readInt());
        String descriptor = known(in.readInt());
        String file = known(in.readInt());
        int line = in.readInt();
        requireFew(frames.size(), MOST_NUMBERED);
        frames.put(number, type.isEmpty() ? LockSliceNames.UNKNOWN_SITE : site(type, method, descriptor, file, line));
    }

    private static String site(String type, String method, String descriptor, String file, int line) {
        String className = JavaNames.ofClass(type);
        String where = file.isEmpty() ? JavaNames.outermostSimple(className) : file;
        return JavaNames.signature(className + "." + method, descriptor) + "(" + where + ":" + line + ")";
    }

    private String known(int number) {
        return texts.getOrDefault(number, "");
    }

    private void sighting() throws IOException {
        long ns = in.readLong();
        long since = in.readLong();
        long waiter = in.readLong();
        long owner = in.readLong();
        byte how = in.readByte();
        String lock = known(in.readInt());
        boolean last = in.readBoolean();
        int count = in.readUnsignedShort();
        requireFew(count, MOST_FRAMES);
        List<String> stack = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            stack.add(frames.getOrDefault(in.readInt(), LockSliceNames.UNKNOWN_SITE));
        }
        taker.add(new LockOwnerSample(ns, since, waiter, owner, how, lock, last, stack));
    }

    /** How many sightings the observer had. */
    long sightings() {
        return sightings;
    }

    /** How many of them are without the owner's stack, because too many came at once. */
    long withoutStack() {
        return withoutStack;
    }

    /** How many could not be told. */
    long lost() {
        return lost;
    }

    /** How often a thread was seen to wait for a lock that the observer had. */
    long inTheWay() {
        return inTheWay;
    }

    /** What does not work; null if all does. */
    @Nullable
    String trouble() {
        return trouble;
    }

    /** The recording ends: has the observer look for the last time. */
    synchronized void end() {
        if (!isEnding) {
            isEnding = true;
            say("");
        }
    }

    /** Waits for that look, if the recording ends; true if it has been taken. */
    boolean awaitLastLook() {
        try {
            return isEnding() && looked.await(LAST_WORDS.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private synchronized boolean isEnding() {
        return isEnding;
    }

    private void say(String line) {
        connection.send((line + (char) AgentProtocol.LINE_END).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Ends the observer, having heard what it saw last.
     *
     * @param leftovers how the names begin of the Flight Recorder's recordings that it is to end then; empty if there are none
     */
    void close(String leftovers) {
        closing = true;
        try (connection) {
            end(); // if the recording has never begun
            say(leftovers);
            if (!hasEnded()) {
                onEnd.accept("the target does not answer; who waited for a lock at the end is not known");
            }
        }
    }

    private boolean hasEnded() {
        boolean interrupted = false;
        long end = System.nanoTime() + patience.rest(LAST_WORDS).toNanos();
        try (TargetDeadline.Wait _ = patience.begin()) {
            while (thread.isAlive() && System.nanoTime() - end < 0) {
                try {
                    thread.join(Duration.ofMillis(100));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}
