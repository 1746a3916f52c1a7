import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Cause: a slow service. Two request threads read its replies, which take 150 ms each, from a socket. */
final class SlowSocket {
    private static final int REQUESTS = 20;

    private final int port;

    private SlowSocket(int port) {
        this.port = port;
    }

    public static void main(String[] args) throws Exception {
        try (ServerSocket service = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                ExecutorService requests = Executors.newFixedThreadPool(2, Thread.ofPlatform().name("request-", 0).factory())) {
            Thread.ofPlatform().daemon().name("price-service").start(() -> serve(service));
            SlowSocket shop = new SlowSocket(service.getLocalPort());
            for (int i = 0; i < REQUESTS; i++) {
                requests.submit(shop::handle);
            }
            requests.shutdown();
            requests.awaitTermination(30, TimeUnit.SECONDS);
        }
    }

    private int handle() throws IOException {
        return readPrice() * 2;
    }

    private int readPrice() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            InputStream reply = socket.getInputStream();
            return reply.read();
        }
    }

    /** Replies to one client after the other. */
    private static void serve(ServerSocket service) {
        while (true) {
            try (Socket client = service.accept();
                    OutputStream out = client.getOutputStream()) {
                Thread.sleep(150);
                out.write(42);
            } catch (IOException | InterruptedException e) {
                return;
            }
        }
    }
}
