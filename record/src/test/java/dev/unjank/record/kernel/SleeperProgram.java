package dev.unjank.record.kernel;

import java.io.IOException;
import java.util.concurrent.Semaphore;

/** A program to be recorded, in a process of its own: a thread that sleeps on command, until its input ends. */
final class SleeperProgram {
    static final String SLEEPER = "sleeper";
    static final long SLEEP_MILLIS = 20;

    /** Its confirmation of a command. */
    static final String SLEPT = "slept";

    private SleeperProgram() {}

    /**
     * Runs it: a byte of input is so many sleeps, one after the other.
     *
     * @param args none
     */
    public static void main(String[] args) throws IOException {
        Semaphore wanted = new Semaphore(0);
        Semaphore done = new Semaphore(0);
        Thread.ofPlatform().daemon().name(SLEEPER).start(() -> {
            try {
                while (true) {
                    wanted.acquire();
                    Thread.sleep(SLEEP_MILLIS);
                    done.release();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        System.out.println("ready");
        for (int sleeps; (sleeps = System.in.read()) >= 0; ) {
            wanted.release(sleeps);
            done.acquireUninterruptibly(sleeps);
            System.out.println(SLEPT);
        }
    }
}
