package dev.unjank.record.jvm;

import java.util.concurrent.CountDownLatch;

/**
 * As {@link JvmTargetProgram}, for a Java that is older than these tests: one scene, in which a thread waits for a
 * monitor.
 */
final class Java17TargetProgram {
    private static final int HOLD_MS = 200;

    private Java17TargetProgram() {}

    public static void main(String[] args) throws Exception {
        System.out.println("ready");
        while (System.in.read() != '\n') {
            Thread.onSpinWait();
        }
        blocked();
        System.out.println("done");
        while (System.in.read() >= 0) {
            Thread.onSpinWait();
        }
    }

    private static void blocked() throws InterruptedException {
        Object lock = new Object();
        CountDownLatch held = new CountDownLatch(1);
        Thread waiter = new Thread(
                () -> {
                    try {
                        held.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    synchronized (lock) {
                        Thread.onSpinWait();
                    }
                },
                "old waiter");
        Thread owner = new Thread(
                () -> {
                    synchronized (lock) {
                        held.countDown();
                        while (waiter.getState() != Thread.State.BLOCKED) {
                            Thread.onSpinWait();
                        }
                        try {
                            Thread.sleep(HOLD_MS);
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    }
                },
                "old owner");
        owner.start();
        waiter.start();
        owner.join();
        waiter.join();
    }
}
