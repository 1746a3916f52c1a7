package dev.unjank.record.helper;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The reply to one request, as a stream. One thread adds parts, and waits while too many are unread; another thread
 * reads. Closing the stream before its end cancels the request.
 */
final class ReplyStream extends InputStream {
    /** The maximum number of unread parts. */
    private static final int MOST_WAITING = 16;

    private static final long LOOK_MILLIS = 50;

    /** Listener for the end of a reply. */
    interface Closed {
        /** The stream was closed. */
        void closed(boolean isFinished);
    }

    private final BlockingQueue<HelperProtocol.Reply> replies = new ArrayBlockingQueue<>(MOST_WAITING);
    private final int id;
    private final Closed onClose;
    private volatile boolean hasHelperEnded;
    private volatile boolean isClosed;

    // Accessed only by the reader.
    private byte[] current = new byte[0];
    private int at;
    private boolean isFinished;

    ReplyStream(int id, Closed onClose) {
        this.id = id;
        this.onClose = onClose;
    }

    /** The id of the request. */
    int id() {
        return id;
    }

    /** Adds the next part. */
    void take(HelperProtocol.Reply reply) {
        try {
            while (!isClosed && !replies.offer(reply, LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                // the reader is behind
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Fails the request: the helper has ended, so no more parts come. */
    void fail() {
        hasHelperEnded = true;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (at == current.length) {
            if (isFinished) {
                return -1;
            }
            next();
        }
        int count = Math.min(length, current.length - at);
        System.arraycopy(current, at, into, offset, count);
        at += count;
        return count;
    }

    private void next() throws IOException {
        HelperProtocol.Reply reply = null;
        try {
            while (reply == null) {
                boolean isLast = hasHelperEnded;
                reply = replies.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                if (reply == null && isClosed) {
                    throw new IOException("closed");
                }
                if (reply == null && isLast) {
                    isFinished = true;
                    throw new HelperEndedException();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw HelperProcess.interrupted();
        }
        switch (reply.kind()) {
            case HelperProtocol.DATA -> {
                current = reply.bytes();
                at = 0;
            }
            case HelperProtocol.END -> isFinished = true;
            default -> {
                isFinished = true;
                throw failure(new String(reply.bytes(), StandardCharsets.UTF_8));
            }
        }
    }

    private static IOException failure(String text) {
        int end = text.indexOf('\0');
        String message = end < 0 ? text : text.substring(0, end);
        String remedy = end < 0 ? "" : text.substring(end + 1);
        return remedy.isEmpty() ? new IOException(message) : new UserFixableException(message, remedy);
    }

    /** The number of bytes that can be read without waiting. */
    @Override
    public int available() {
        return current.length - at;
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            onClose.closed(isFinished);
        }
    }
}
