package dev.unjank.record.helper;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * A daemon thread that writes requests to the helper process in order, so that other threads do not block if the helper
 * does not read, for example because it is stopped. Thread-safe.
 */
final class RequestWriter {
    /** The capacity of the queue, which is never reached while the helper reads. */
    static final int MOST_WAITING = 256;

    /** The queue; an empty element marks its end. */
    private final BlockingQueue<Optional<HelperProtocol.Request>> requests = new ArrayBlockingQueue<>(MOST_WAITING);

    private volatile boolean isOver;

    /** Creates a writer to a stream, which is closed after the last request. */
    RequestWriter(OutputStream to, String name) {
        Thread.ofPlatform().daemon().name(name).start(() -> write(to));
    }

    private void write(OutputStream to) {
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(to))) {
            for (Optional<HelperProtocol.Request> next = requests.take(); next.isPresent(); next = requests.take()) {
                HelperProtocol.write(out, next.get());
            }
        } catch (IOException | InterruptedException e) {
            // the helper has ended; the thread that reads its replies reports that
        } finally {
            isOver = true;
            requests.clear();
        }
    }

    /** Queues a request. Fails if the queue is full, or the helper has ended. */
    void send(HelperProtocol.Request request) throws IOException {
        if (isOver) {
            throw new HelperEndedException();
        }
        if (!requests.offer(Optional.of(request))) {
            throw new IOException("the helper process does not respond: its request queue is full");
        }
    }

    /** Ends the queue, if there is room: the helper ends when it has read the queued requests. */
    void end() {
        boolean _ = requests.offer(Optional.empty());
    }
}
