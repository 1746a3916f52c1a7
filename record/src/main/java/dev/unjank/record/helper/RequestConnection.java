package dev.unjank.record.helper;

import dev.unjank.record.linux.FileCalls;
import dev.unjank.record.linux.SocketCalls;
import java.io.IOException;

/**
 * The connection of a request to the target, if it has one. Cancelling the request releases a thread that waits for the
 * target. Thread-safe.
 */
final class RequestConnection {
    private static final int NONE = -1;

    private int descriptor = NONE;
    private boolean isCancelled;

    /** Fails if the request has been cancelled. */
    synchronized void requireWanted() throws IOException {
        if (isCancelled) {
            throw new IOException("cancelled");
        }
    }

    /** Sets the connection, which is closed at once if the request has been cancelled. */
    synchronized void hold(int connected) throws IOException {
        if (isCancelled) {
            FileCalls.close(connected);
            throw new IOException("cancelled");
        }
        descriptor = connected;
    }

    /** Closes the connection. */
    synchronized void release() {
        if (descriptor != NONE) {
            FileCalls.close(descriptor);
            descriptor = NONE;
        }
    }

    /** Sends bytes if there is a connection and the target can receive them without waiting; otherwise drops them. */
    synchronized void send(byte[] bytes) {
        if (descriptor != NONE) {
            try {
                SocketCalls.send(descriptor, bytes);
            } catch (IOException e) {
                // the target has exited, or its receive buffer is full
            }
        }
    }

    /** Cancels the request: a thread that reads from the connection sees its end. */
    synchronized void cancel() {
        isCancelled = true;
        if (descriptor != NONE) {
            SocketCalls.shutDown(descriptor);
        }
    }
}
