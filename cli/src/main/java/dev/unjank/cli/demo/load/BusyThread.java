package dev.unjank.cli.demo.load;

/** A thread that computes continuously: it never sleeps, locks or allocates. */
final class BusyThread extends Thread {

    private volatile boolean stop;

    BusyThread(int number) {
        super("hog-" + number);
        setDaemon(true);
    }

    @Override
    public void run() {
        long x = threadId();
        while (!stop) {
            for (int i = 0; i < 1_000; i++) {
                x ^= x << 13;
                x ^= x >>> 7;
                x ^= x << 17;
            }
        }
        if (x == 0) { // keeps the compiler from dropping the loop
            throw new AssertionError("xorshift never reaches 0");
        }
    }

    void stopSoon() {
        stop = true;
    }
}
