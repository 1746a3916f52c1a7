package dev.unjank.record.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Stream sockets in a file system, with the check of the peer that the JDK does not offer. Thread-safe. */
public final class SocketCalls {
    private static final int AF_UNIX = 1;
    private static final int SOCK_STREAM = 1;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int SOL_SOCKET = 1;
    private static final int SO_PEERCRED = 17;
    private static final int SO_SNDTIMEO = 21;
    private static final long SEND_SECONDS = 2;
    private static final int SHUT_RDWR = 2;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final long ADDRESS_BYTES = 110;
    private static final int PATH = 2;

    private SocketCalls() {}

    /** The functions; looked up at the first call. */
    private static final class C {
        static final LibcFunction SOCKET = new LibcFunction("socket", 3);
        static final LibcFunction CONNECT = new LibcFunction("connect", 3);
        static final LibcFunction SETSOCKOPT = new LibcFunction("setsockopt", 5);
        static final LibcFunction GETSOCKOPT = new LibcFunction("getsockopt", 5);
        static final LibcFunction SEND = new LibcFunction("send", 4);
        static final LibcFunction SHUTDOWN = new LibcFunction("shutdown", 2);
    }

    /**
     * The process that called {@code listen} on the other end. Its ids are those of this process's namespaces; the pid
     * is 0 if it has none there.
     */
    public record Peer(int pid, int uid) {}

    /**
     * Connects to an opened socket, even if its name leads to another file by now. Waits at most two seconds for the
     * peer to accept, and later for the peer to read.
     *
     * @param file the socket's descriptor, of {@link FileCalls#PATH}
     * @throws IOException if no process listens there, or this one may not connect
     */
    public static int connect(int file) throws IOException {
        int descriptor = C.SOCKET.call("socket", AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(ADDRESS_BYTES);
            address.set(JAVA_SHORT, 0, (short) AF_UNIX);
            byte[] path = FileCalls.path(file);
            MemorySegment.copy(path, 0, address, JAVA_BYTE, PATH, path.length);
            MemorySegment limit = arena.allocateFrom(JAVA_LONG, SEND_SECONDS, 0);
            C.SETSOCKOPT.call("setsockopt", descriptor, SOL_SOCKET, SO_SNDTIMEO, limit.address(), limit.byteSize());
            C.CONNECT.call("connect", descriptor, address.address(), PATH + path.length + 1);
            return descriptor;
        } catch (IOException | RuntimeException e) {
            FileCalls.close(descriptor);
            throw e;
        }
    }

    /** The process that listens at the other end. */
    public static Peer peer(int descriptor) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment credentials = arena.allocate(3 * Integer.BYTES, Integer.BYTES);
            MemorySegment length = arena.allocateFrom(JAVA_INT, 3 * Integer.BYTES);
            C.GETSOCKOPT.call(
                    "getsockopt", descriptor, SOL_SOCKET, SO_PEERCRED, credentials.address(), length.address());
            return new Peer(credentials.getAtIndex(JAVA_INT, 0), credentials.getAtIndex(JAVA_INT, 1));
        }
    }

    /** Sends a few bytes without waiting. Fails if the peer's receive buffer is full or the peer has ended. */
    public static void send(int descriptor, byte[] bytes) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocateFrom(JAVA_BYTE, bytes);
            long sent =
                    C.SEND.callLong("send", descriptor, buffer.address(), bytes.length, MSG_DONTWAIT | MSG_NOSIGNAL);
            if (sent < bytes.length) {
                throw new IOException("send: the receive buffer of the peer is full");
            }
        }
    }

    /** Ends a connection: a thread that reads from it sees its end. */
    public static void shutDown(int descriptor) {
        try {
            C.SHUTDOWN.call("shutdown", descriptor, SHUT_RDWR);
        } catch (LibcException e) {
            // the peer has already closed the connection
        }
    }
}
