package dev.unjank.looper;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Two connected sockets of this machine: one in non-blocking mode, to be watched, and its peer, which blocks. */
record SocketPair(SocketChannel here, SocketChannel there) implements AutoCloseable {
    SocketPair() throws IOException {
        this(open());
    }

    private SocketPair(SocketChannel[] both) {
        this(both[0], both[1]);
    }

    private static SocketChannel[] open() throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            SocketChannel there = SocketChannel.open(server.getLocalAddress());
            SocketChannel here = server.accept();
            here.configureBlocking(false);
            return new SocketChannel[] {here, there};
        }
    }

    @Override
    public void close() throws IOException {
        here.close();
        there.close();
    }
}
