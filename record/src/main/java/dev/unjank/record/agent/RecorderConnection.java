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
 * The observer's end of the connection to the recorder. It never waits for the recorder: what finds the buffer full is counted
 * as lost. For one thread.
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

    /** What the recorder has said by now. */
    private final ByteBuffer asked = ByteBuffer.allocate(LONGEST_REQUEST);

    // What has been told already.
    private final Map<String, Integer> texts = new HashMap<>();
    private final Map<Frame, Integer> frames = new HashMap<>();

    /** Numbers are never used twice. */
    private int nextNumber;

    private long lost;
    private boolean closed;

    private record Frame(StackSampler.Method method, int line) {}

    /** Begins to listen. */
    RecorderConnection(Path path) throws IOException {
        this.path = path;
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(path));
        server.configureBlocking(false);
    }

    /** Waits for the recorder. False if it has not come in time. */
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

    /** Whether the recorder has asked for the end, or has itself ended. */
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

    /** Whether the recorder has said that the recording ends. */
    boolean isEnding() {
        return asked.position() > 0;
    }

    /** The first line is empty. */
    private boolean isAsked() {
        return asked.position() > 1 && asked.get(asked.position() - 1) == AgentProtocol.LINE_END;
    }

    /** How the names begin of the recordings that the recorder leaves to be ended; empty if it leaves none, or has not asked for the end. */
    String leftovers() {
        return isAsked() ? new String(asked.array(), 1, asked.position() - 2, StandardCharsets.UTF_8) : "";
    }

    /** Sends all that is left, if the recorder takes it in time. */
    void drain(long nanos) {
        long end = System.nanoTime() + nanos;
        flush();
        while (!closed && buffer.position() > 0 && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(this, LOOK_NANOS);
            flush();
        }
    }

    /** Sends what there is, as far as it goes at once. */
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
     * Tells that a thread waits for another.
     *
     * @param since when the wait was first seen
     * @param last whether this is the last look
     * @param stack the owner's, null if it was not taken
     */
    void sighting(
            long ns,
            long since,
            long waiter,
            long owner,
            byte how,
            String lock,
            boolean last,
            @Nullable StackSampler stack) {
        whole(() -> {
            int lockText = text(lock);
            int[] numbers = stack == null ? new int[0] : frames(stack);
            buffer.put(AgentProtocol.SIGHTING)
                    .putLong(ns)
                    .putLong(since)
                    .putLong(waiter)
                    .putLong(owner);
            buffer.put(how).putInt(lockText).put((byte) (last ? 1 : 0)).putShort((short) numbers.length);
            for (int number : numbers) {
                buffer.putInt(number);
            }
        });
    }

    /** Tells that a wait is no longer seen. */
    void over(long waiter) {
        whole(() -> buffer.put(AgentProtocol.OVER).putLong(waiter));
    }

    /** Tells how much was seen so far, of how much the owner's stack was not taken, and how often the observer was in the way. */
    void counts(long sightings, long withoutStack, long inTheWay) {
        whole(() -> buffer.put(AgentProtocol.COUNTS)
                .putLong(sightings)
                .putLong(withoutStack)
                .putLong(lost)
                .putLong(inTheWay));
    }

    /** Tells that the last look has been taken. */
    void looked() {
        whole(() -> buffer.put(AgentProtocol.LOOKED));
    }

    /** Tells of something that does not work. */
    void trouble(String what) {
        whole(() -> {
            buffer.put(AgentProtocol.TROUBLE);
            put(what);
        });
    }

    /** Puts down messages that belong together, all or none. */
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
            frames.clear(); // some may have been taken back just now; they are told anew
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
            // Whatever is wrong with it, nobody is there to be told.
        }
    }
}
