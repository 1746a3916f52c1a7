import java.awt.EventQueue;
import java.util.concurrent.TimeUnit;

/** Cause: a handler that sleeps. Events come every 20 ms; every 50th is handled by a method that sleeps 600 ms on the event thread. */
final class SleepingHandler {
    private static final int EVENTS = 250;
    private int handled;

    public static void main(String[] args) throws Exception {
        SleepingHandler window = new SleepingHandler();
        for (int i = 0; i < EVENTS; i++) {
            boolean isSave = i % 50 == 25;
            EventQueue.invokeLater(isSave ? window::save : window::paint);
            TimeUnit.MILLISECONDS.sleep(20);
        }
        EventQueue.invokeAndWait(window::paint);
        System.exit(0);
    }

    private void paint() {
        handled++;
    }

    private void save() {
        handled++;
        try {
            Thread.sleep(600);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
