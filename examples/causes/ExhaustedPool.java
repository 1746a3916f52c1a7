import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Cause: an exhausted pool. Twelve handlers share two connections, and each query keeps one for 60 ms. */
final class ExhaustedPool {
    private static final long RUN_MS = 8000;
    private static final int HANDLERS = 12;
    private static final int CONNECTIONS = 2;

    private final BlockingQueue<Connection> connections = new LinkedBlockingQueue<>();

    private record Connection(int number) {
        void query() throws InterruptedException {
            Thread.sleep(60); // the database
        }
    }

    public static void main(String[] args) {
        ExhaustedPool program = new ExhaustedPool();
        for (int i = 0; i < CONNECTIONS; i++) {
            program.connections.add(new Connection(i));
        }
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(RUN_MS);
        try (ExecutorService handlers =
                Executors.newFixedThreadPool(HANDLERS, Thread.ofPlatform().name("handler-", 0).factory())) {
            for (int i = 0; i < HANDLERS; i++) {
                handlers.submit(() -> {
                    while (System.nanoTime() < end) {
                        program.handle();
                    }
                    return null;
                });
            }
        }
    }

    private void handle() throws InterruptedException {
        Connection connection = borrow();
        try {
            connection.query();
        } finally {
            connections.put(connection);
        }
    }

    private Connection borrow() throws InterruptedException {
        return connections.take();
    }
}
