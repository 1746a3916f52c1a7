import java.awt.EventQueue;

/** Cause: a handler that computes for 600 ms on the event thread. */
final class LongHandler {
    private static final int CLICKS = 5;
    private static final long HANDLER_NANOS = 600_000_000;

    private double total;

    public static void main(String[] args) throws Exception {
        LongHandler window = new LongHandler();
        for (int i = 0; i < CLICKS; i++) {
            EventQueue.invokeAndWait(window::clicked);
            Thread.sleep(100);
        }
    }

    private void clicked() {
        recalculate();
    }

    private void recalculate() {
        long end = System.nanoTime() + HANDLER_NANOS;
        for (int i = 0; System.nanoTime() < end; i++) {
            total += Math.sqrt(i);
        }
    }
}
