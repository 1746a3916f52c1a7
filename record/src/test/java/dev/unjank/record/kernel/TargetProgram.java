package dev.unjank.record.kernel;

import java.io.IOException;

/** A program to be recorded, in a process of its own: threads that do known things until its input ends. */
final class TargetProgram {
    static final String SLEEPER = "sleeper";
    static final long SLEEP_MILLIS = 20;

    private TargetProgram() {}

    /**
     * Runs it.
     *
     * @param args none
     */
    public static void main(String[] args) throws IOException {
        Thread.ofPlatform().daemon().name(SLEEPER).start(() -> {
            while (true) {
                try {
                    Thread.sleep(SLEEP_MILLIS);
                } catch (InterruptedException e) {
                    return;
                }
            }
        });
        System.out.println("ready");
        while (System.in.read() >= 0) {
            // until whoever started it closes the pipe, or is gone
        }
    }
}
