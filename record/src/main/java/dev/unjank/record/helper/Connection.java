package dev.unjank.record.helper;

import dev.unjank.record.linux.FileCalls;
import dev.unjank.record.linux.SocketCalls;
import java.io.IOException;

/**
 * A request's connection to the target, if it has one. A thread that waits for the target at it goes on when another cancels the request. Any
 * thread.
 */
final class Connection {
    private static final int NONE = -1;

    private int descriptor = NONE;
    private boolean isCancelled;

    /** Fails if the request has been cancelled. */
    synchronized void requireWanted() throws IOException {
        if (isCancelled) {
            throw new IOException("cancelled");
        }
    }

    /** Takes a connection, which is closed at once if the request has been cancelled. */
    synchronized void hold(int connected) throws IOException {
        if (isCancelled) {
            FileCalls.close(connected);
            throw new IOException("cancelled");
        }
        descriptor = connected;
    }

    /** Closes it. */
    synchronized void release() {
        if (descriptor != NONE) {
            FileCalls.close(descriptor);
            descriptor = NONE;
        }
    }

    /** Sends bytes, if there is a connection and the target takes them at once. */
    synchronized void send(byte[] bytes) {
        if (descriptor != NONE) {
            try {
                SocketCalls.send(descriptor, bytes);
            } catch (IOException e) {
                // the target has gone, or does not listen
            }
        }
    }

    /** Ends it: a thread that reads from it sees its end. */
    synchronized void cancel() {
        isCancelled = true;
        if (descriptor != NONE) {
            SocketCalls.shutDown(descriptor);
        }
    }
}
