package dev.unjank.record.helper;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Writes the requests to the helper process, in their order, by a thread of its own: nothing else waits when the helper does not read, as when
 * it is stopped. Any thread.
 */
final class RequestWriter {
    /** More than there are while the helper reads. */
    static final int MOST_WAITING = 256;

    /** Those that wait; an empty one is behind the last. */
    private final BlockingQueue<Optional<HelperProtocol.Request>> requests = new ArrayBlockingQueue<>(MOST_WAITING);

    private volatile boolean isOver;

    /** Writes to a stream, which is closed behind the last request. */
    RequestWriter(OutputStream to, String name) {
        Thread.ofPlatform().daemon().name(name).start(() -> write(to));
    }

    private void write(OutputStream to) {
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(to))) {
            for (Optional<HelperProtocol.Request> next = requests.take(); next.isPresent(); next = requests.take()) {
                HelperProtocol.write(out, next.get());
            }
        } catch (IOException | InterruptedException e) {
            // the helper has ended, which the thread that reads from it sees
        } finally {
            isOver = true;
            requests.clear();
        }
    }

    /**
     * Writes a request soon.
     *
     * @throws IOException if too many wait to be written, or the helper has ended
     */
    void send(HelperProtocol.Request request) throws IOException {
        if (isOver) {
            throw new IOException(HelperProcess.GONE);
        }
        if (!requests.offer(Optional.of(request))) {
            throw new IOException("the helper process does not go on");
        }
    }

    /** No more requests: the helper ends when it has read those that wait, if there is room to say so. */
    void end() {
        boolean _ = requests.offer(Optional.empty());
    }
}
