package dev.unjank.record.agent;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The agent's end of the connection to the recorder. It never waits for the recorder: messages that do not fit into the
 * buffer are counted as lost. Not thread-safe.
 */
final class RecorderConnection implements AutoCloseable {
    private static final int BUFFER = 1 << 16;
    private static final int MOST_NUMBERED = 4096;
    private static final int LONGEST_TEXT = 2000;
    private static final int LONGEST_REQUEST = 256;
    private static final long LOOK_NANOS = 5_000_000;

    private final Path path;
    private final ServerSocketChannel server;
    private @Nullable SocketChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);

    /** The bytes received from the recorder so far. */
    private final ByteBuffer asked = ByteBuffer.allocate(LONGEST_REQUEST);

    // The ids that the recorder knows.
    private final Map<String, Integer> texts = new HashMap<>();
    private final Map<Frame, Integer> frames = new HashMap<>();

    /** Ids are never reused. */
    private int nextNumber;

    private long lost;
    private boolean closed;

    private record Frame(StackSampler.Method method, int line) {}

    /** Starts to listen. */
    RecorderConnection(Path path) throws IOException {
        this.path = path;
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(path));
        server.configureBlocking(false);
    }

    /** Waits for the recorder to connect. Returns false if it has not connected in time. */
    boolean accept(long nanos) throws IOException {
        long end = System.nanoTime() + nanos;
        SocketChannel accepted = server.accept();
        while (accepted == null && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(this, LOOK_NANOS);
            accepted = server.accept();
        }
        server.close();
        Files.deleteIfExists(path);
        if (accepted == null) {
            return false;
        }
        accepted.configureBlocking(false);
        channel = accepted;
        buffer.put(AgentProtocol.HELLO).putInt(AgentProtocol.VERSION);
        return true;
    }

    /** Whether the recorder has requested the agent's end, or has exited. */
    boolean isOver() {
        SocketChannel to = channel;
        if (closed || to == null) {
            return true;
        }
        try {
            return to.read(asked) < 0 || !asked.hasRemaining() || isAsked();
        } catch (IOException e) {
            closed = true;
            return true;
        }
    }

    /** Whether the recording ends. */
    boolean isEnding() {
        return asked.position() > 0;
    }

    /** The first line is empty. */
    private boolean isAsked() {
        return asked.position() > 1 && asked.get(asked.position() - 1) == AgentProtocol.LINE_END;
    }

    /**
     * The name prefix of the recordings to close; empty if there are none, or if the recorder has not requested the
     * agent's end.
     */
    String leftovers() {
        return isAsked() ? new String(asked.array(), 1, asked.position() - 2, StandardCharsets.UTF_8) : "";
    }

    /** Sends the buffered messages, as far as the recorder reads them in time. */
    void drain(long nanos) {
        long end = System.nanoTime() + nanos;
        flush();
        while (!closed && buffer.position() > 0 && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(this, LOOK_NANOS);
            flush();
        }
    }

    /** Sends as much as possible without waiting. */
    void flush() {
        SocketChannel to = channel;
        if (closed || to == null || buffer.position() == 0) {
            return;
        }
        buffer.flip();
        try {
            to.write(buffer);
        } catch (IOException e) {
            closed = true;
        }
        buffer.compact();
    }

    /**
     * Reports that a thread waits for another. {@code since} is when the wait was first seen; {@code stack} is the
     * owner's stack, null if not taken.
     */
    void sample(
            long ns,
            long since,
            long waiter,
            long owner,
            byte how,
            String lock,
            boolean last,
            @Nullable StackSampler stack) {
        whole(() -> {
            int lockId = text(lock);
            int[] numbers = stack == null ? new int[0] : frames(stack);
            buffer.put(AgentProtocol.SIGHTING)
                    .putLong(ns)
                    .putLong(since)
                    .putLong(waiter)
                    .putLong(owner);
            buffer.put(how).putInt(lockId).put((byte) (last ? 1 : 0)).putShort((short) numbers.length);
            for (int number : numbers) {
                buffer.putInt(number);
            }
        });
    }

    /** Reports that a wait has ended. */
    void over(long waiter) {
        whole(() -> buffer.put(AgentProtocol.OVER).putLong(waiter));
    }

    /** Reports totals: samples, samples without the owner's stack, and waits for a lock of the agent's own. */
    void counts(long samples, long withoutStack, long waitsForAgent) {
        whole(() -> buffer.put(AgentProtocol.COUNTS)
                .putLong(samples)
                .putLong(withoutStack)
                .putLong(lost)
                .putLong(waitsForAgent));
    }

    /** Reports that the last sample has been taken. */
    void lastSampleTaken() {
        whole(() -> buffer.put(AgentProtocol.LOOKED));
    }

    /** Reports a failure of a part of the agent. */
    void trouble(String what) {
        whole(() -> {
            buffer.put(AgentProtocol.TROUBLE);
            put(what);
        });
    }

    /** Buffers messages that belong together: either all of them or none. */
    private void whole(Runnable messages) {
        int before = buffer.position();
        try {
            if (texts.size() + frames.size() > MOST_NUMBERED) {
                forget();
            }
            messages.run();
        } catch (BufferOverflowException e) {
            buffer.position(before);
            lost++;
            texts.clear();
            frames.clear(); // some definitions may have been rolled back: they are sent again
        }
    }

    private void forget() {
        buffer.put(AgentProtocol.FORGET);
        texts.clear();
        frames.clear();
    }

    private int text(String text) {
        Integer known = texts.get(text);
        if (known != null) {
            return known;
        }
        int number = nextNumber++;
        buffer.put(AgentProtocol.TEXT).putInt(number);
        put(text);
        texts.put(text, number);
        return number;
    }

    private void put(String text) {
        byte[] bytes = text.substring(0, Math.min(text.length(), LONGEST_TEXT)).getBytes(StandardCharsets.UTF_8);
        buffer.putShort((short) bytes.length).put(bytes);
    }

    private int[] frames(StackSampler stack) {
        int[] numbers = new int[stack.count()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = frame(stack.method(i), stack.line(i));
        }
        return numbers;
    }

    private int frame(StackSampler.Method method, int line) {
        Frame frame = new Frame(method, line);
        Integer known = frames.get(frame);
        if (known != null) {
            return known;
        }
        int type = text(method.type);
        int name = text(method.name);
        int descriptor = text(method.descriptor);
        int file = text(method.file);
        int number = nextNumber++;
        buffer.put(AgentProtocol.FRAME).putInt(number).putInt(type).putInt(name).putInt(descriptor);
        buffer.putInt(file).putInt(line);
        frames.put(frame, number);
        return number;
    }

    @Override
    public void close() {
        closed = true;
        try {
            server.close();
            Files.deleteIfExists(path);
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            // the recorder cannot receive a report any more
        }
    }
}
