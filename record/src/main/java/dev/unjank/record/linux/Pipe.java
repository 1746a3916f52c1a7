package dev.unjank.record.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * A pipe without a name, which processes of the same user open through this process's descriptors: {@link #readEnd},
 * {@link #writeEnd}. When this process ends, its descriptors end too: readers then see the end of the pipe.
 * Thread-safe.
 */
public final class Pipe implements AutoCloseable {
    private static final int O_NONBLOCK = 0x800;
    private static final int O_CLOEXEC = 0x80000;

    private final int in;
    private final int out;
    private boolean isClosed;

    private Pipe(int in, int out) {
        this.in = in;
        this.out = out;
    }

    /** The functions; looked up at the first call. */
    private static final class C {
        static final LibcFunction PIPE2 = new LibcFunction("pipe2", 2);
        static final LibcFunction WRITE = new LibcFunction("write", 3);
        static final LibcFunction CLOSE = new LibcFunction("close", 1);
    }

    /** Opens a pipe. */
    public static Pipe open() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ends = arena.allocate(JAVA_INT, 2);
            C.PIPE2.call("pipe", ends.address(), O_NONBLOCK | O_CLOEXEC);
            return new Pipe(ends.getAtIndex(JAVA_INT, 0), ends.getAtIndex(JAVA_INT, 1));
        }
    }

    /** The path by which another process opens the end to read from. */
    public String readEnd() {
        return path(in);
    }

    /** The path by which another process opens the end to write to. */
    public String writeEnd() {
        return path(out);
    }

    private static String path(int descriptor) {
        return "/proc/" + ProcessHandle.current().pid() + "/fd/" + descriptor;
    }

    /** Writes a short text, for which an empty pipe has room. */
    public synchronized void write(String text) throws IOException {
        requireOpen();
        try (Arena arena = Arena.ofConfined()) {
            byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
            long _ = C.WRITE.callLong(
                    "pipe", out, arena.allocateFrom(JAVA_BYTE, bytes).address(), bytes.length);
        }
    }

    /** Takes one byte from the pipe, if there is one; does not wait. */
    public synchronized boolean take() throws IOException {
        requireOpen();
        try (Arena arena = Arena.ofConfined()) {
            return Libc.read(in, arena.allocate(1), Libc.errnoPlace(arena)) > 0;
        }
    }

    private void requireOpen() throws IOException {
        if (isClosed) {
            throw new IOException("the pipe is closed");
        }
    }

    @Override
    public synchronized void close() throws IOException {
        if (!isClosed) {
            isClosed = true;
            C.CLOSE.call("pipe", in);
            C.CLOSE.call("pipe", out);
        }
    }
}
