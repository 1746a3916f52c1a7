package dev.unjank.cli;

import java.util.concurrent.locks.LockSupport;

/**
 * What the tests of {@code watch} look at: a thread that waits again and again for one that sleeps with a monitor in
 * hand.
 */
public final class ContendedProgram {
    public static final long HOLD_MILLIS = 100;

    private final Object lock = new Object();
    private final Thread ui = new Thread(this::draw, "the ui");
    private final Thread worker = new Thread(this::hold, "the worker");

    private ContendedProgram() {}

    /** Runs until its input ends; with an argument another thread computes meanwhile. */
    public static void main(String[] args) throws Exception {
        ContendedProgram program = new ContendedProgram();
        if (args.length > 0) {
            Thread.ofPlatform().daemon().name("the calculator").start(ContendedProgram::compute);
        }
        program.worker.setDaemon(true);
        program.ui.setDaemon(true);
        program.worker.start();
        program.ui.start();
        System.out.println("ready");
        while (System.in.read() >= 0) {
            Thread.onSpinWait();
        }
    }

    private void draw() {
        while (true) {
            LockSupport.parkNanos(1_000_000);
            synchronized (lock) {
                Thread.onSpinWait();
            }
        }
    }

    private void hold() {
        while (true) {
            synchronized (lock) {
                while (ui.getState() != Thread.State.BLOCKED) {
                    LockSupport.parkNanos(200_000);
                }
                sleepWithTheLock();
            }
            LockSupport.parkNanos(20_000_000);
        }
    }

    private static void compute() {
        while (true) {
            Thread.onSpinWait();
        }
    }

    private static void sleepWithTheLock() {
        LockSupport.parkNanos(HOLD_MILLIS * 1_000_000);
    }
}
