import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Cause: pinned virtual threads. Class initializers that wait keep their carriers, so that the virtual threads of requests get none.
 */
final class PinnedThreads {
    public static void main(String[] args) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 40; i++) {
                int number = i;
                threads.submit(() -> load(number));
                threads.submit(PinnedThreads::request);
            }
        }
    }

    private static void load(int number) {
        switch (number % 4) {
            case 0 -> First.use();
            case 1 -> Second.use();
            case 2 -> Third.use();
            default -> Fourth.use();
        }
    }

    private static void request() {
        pause(20);
    }

    private static final class First {
        static {
            pause(800);
        }

        static void use() {}
    }

    private static final class Second {
        static {
            pause(800);
        }

        static void use() {}
    }

    private static final class Third {
        static {
            pause(800);
        }

        static void use() {}
    }

    private static final class Fourth {
        static {
            pause(800);
        }

        static void use() {}
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
