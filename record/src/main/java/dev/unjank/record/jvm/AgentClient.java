package dev.unjank.record.jvm;

import dev.unjank.record.agent.AgentProtocol;
import dev.unjank.record.helper.HelperEndedException;
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
 * The recorder's end of the connection to the agent. A separate thread reads the messages of {@link AgentProtocol}. The
 * target may send anything: all state is bounded, and a malformed message ends the connection.
 */
final class AgentClient {
    /** The time for the last messages of the agent, unless the target is stopped. */
    private static final Duration LAST_MESSAGES = Duration.ofSeconds(3);

    /**
     * The maximum number of strings and of frames; the agent invalidates them before it is reached ({@link
     * AgentProtocol#FORGET}).
     */
    private static final int MOST_NUMBERED = 1 << 13;

    /** In bytes; the agent truncates strings to 2,000 characters. */
    private static final int LONGEST_TEXT = 6_000;

    /** The frames of a stack; the agent takes 48. */
    private static final int MOST_FRAMES = 1 << 10;

    private final HelperProcess.Connection connection;
    private final TargetDeadline deadline;
    private final DataInputStream in;
    private final LockOwnerSamples taker;
    private final LongConsumer loss;
    private final Consumer<String> onEnd;
    private final Thread thread;

    private final Map<Integer, String> texts = new HashMap<>();
    private final Map<Integer, String> frames = new HashMap<>();

    private volatile long samples;
    private volatile long withoutStack;
    private volatile long lost;
    private volatile long waitsForAgent;
    private volatile @Nullable String trouble;
    private volatile boolean closing;

    private boolean isEnding;
    private final CountDownLatch lastSample = new CountDownLatch(1);

    private AgentClient(
            HelperProcess.Connection connection,
            TargetDeadline deadline,
            LockOwnerSamples taker,
            LongConsumer loss,
            Consumer<String> onEnd) {
        this.connection = connection;
        this.deadline = deadline;
        this.taker = taker;
        this.loss = loss;
        this.onEnd = onEnd;
        in = new DataInputStream(new BufferedInputStream(connection.in()));
        thread = new Thread(this::run, "lock-owners");
        thread.setDaemon(true);
    }

    /**
     * Starts to read from an agent.
     *
     * @param deadline bounds the wait for its last messages
     * @param taker receives the samples, in the client's thread
     * @param loss receives the number of newly lost samples, in the same thread
     * @param onEnd receives the reason of an early end; the target may have exited
     */
    static AgentClient connect(
            HelperProcess.Connection connection,
            TargetDeadline deadline,
            LockOwnerSamples taker,
            LongConsumer loss,
            Consumer<String> onEnd)
            throws IOException {
        AgentClient client = new AgentClient(connection, deadline, taker, loss, onEnd);
        client.greet();
        client.thread.start();
        return client;
    }

    private void greet() throws IOException {
        if (in.readByte() != AgentProtocol.HELLO || in.readInt() != AgentProtocol.VERSION) {
            throw new IOException("the agent in the target is of another version; restart the target to replace it");
        }
    }

    private void run() {
        try {
            while (true) {
                message(in.readByte());
            }
        } catch (EOFException e) {
            ended(trouble == null ? "the agent in the target has ended" : trouble);
        } catch (HelperEndedException e) {
            ended(Cleanup.message(e));
        } catch (Throwable e) {
            ended("the agent's messages cannot be read: " + Cleanup.message(e));
        } finally {
            lastSample.countDown();
            connection.close(); // unread data would delay other replies of the helper
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
            case AgentProtocol.SIGHTING -> sample();
            case AgentProtocol.OVER -> taker.over(in.readLong());
            case AgentProtocol.COUNTS -> counts();
            case AgentProtocol.FORGET -> {
                texts.clear();
                frames.clear();
            }
            case AgentProtocol.TROUBLE -> trouble = text();
            case AgentProtocol.LOOKED -> lastSample.countDown();
            default -> throw new IOException("unknown message kind " + kind);
        }
    }

    private static void requireFew(int count, int most) throws IOException {
        if (count > most) {
            throw new IOException("more than " + most + " strings or frames");
        }
    }

    private void counts() throws IOException {
        samples = in.readLong();
        withoutStack = in.readLong();
        long before = lost;
        lost = in.readLong();
        waitsForAgent = in.readLong();
        if (lost > before) {
            loss.accept(lost - before);
        }
    }

    private String text() throws IOException {
        int length = in.readUnsignedShort();
        if (length > LONGEST_TEXT) {
            throw new IOException("a string of " + length + " bytes; the maximum is " + LONGEST_TEXT);
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

    static String site(String type, String method, String descriptor, String file, int line) {
        String className = JavaNames.ofClass(type);
        String where = file.isEmpty() ? JavaNames.outermostSimple(className) : file;
        return JavaNames.signature(className + "." + method, descriptor) + "(" + where + ":" + line + ")";
    }

    private String known(int number) {
        return texts.getOrDefault(number, "");
    }

    private void sample() throws IOException {
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

    long samples() {
        return samples;
    }

    /** The number of samples without the owner's stack, because of its budget. */
    long withoutStack() {
        return withoutStack;
    }

    /** The number of lost samples. */
    long lost() {
        return lost;
    }

    /** The number of waits for a lock that the agent held. */
    long waitsForAgent() {
        return waitsForAgent;
    }

    /** The agent's failure; null if there is none. */
    @Nullable
    String trouble() {
        return trouble;
    }

    /** Requests the last sample, at the end of the recording. */
    synchronized void end() {
        if (!isEnding) {
            isEnding = true;
            send("");
        }
    }

    /** Waits for the last sample, if the recording ends; true if it has been taken. */
    boolean awaitLastSample() {
        try {
            return isEnding() && lastSample.await(LAST_MESSAGES.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private synchronized boolean isEnding() {
        return isEnding;
    }

    private void send(String line) {
        connection.send((line + (char) AgentProtocol.LINE_END).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Ends the agent after its last sample. It closes the Flight Recorder recordings with the name prefix {@code
     * leftovers}, if not empty.
     */
    void close(String leftovers) {
        closing = true;
        try (connection) {
            end(); // if the recording never began
            send(leftovers);
            if (!hasEnded()) {
                onEnd.accept("the target does not answer; lock owners at the end of the recording are missing");
            }
        }
    }

    private boolean hasEnded() {
        boolean interrupted = false;
        long end = System.nanoTime() + deadline.rest(LAST_MESSAGES).toNanos();
        try (TargetDeadline.Wait _ = deadline.begin()) {
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
