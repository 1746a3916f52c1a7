package dev.unjank.workbench.bench.peer;

import dev.unjank.cli.demo.load.ThreadJoin;
import java.lang.invoke.VarHandle;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;

/**
 * The simplest loop over a concurrent queue: poll, and park when it is empty. Without timers, it shows the cost of a
 * post without ordering by time.
 */
final class ParkingLoop extends TimerlessLoop {
    private final Queue<Runnable> queue;
    private final Thread thread;
    private volatile boolean parked;
    private volatile boolean closed;

    ParkingLoop(Queue<Runnable> queue) {
        this.queue = queue;
        thread = new Thread(this::loop, "parking-loop");
        thread.setDaemon(true);
        thread.start();
    }

    private void loop() {
        while (!closed) {
            Runnable task = queue.poll();
            if (task != null) {
                task.run();
                continue;
            }
            parked = true;
            if (queue.isEmpty() && !closed) {
                LockSupport.park(this);
            }
            parked = false;
        }
    }

    @Override
    public void post(Runnable task) {
        queue.add(task);
        VarHandle.fullFence(); // these queues publish with release stores, which a later load may overtake
        if (parked) {
            LockSupport.unpark(thread);
        }
    }

    @Override
    public Thread thread() {
        return thread;
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        ThreadJoin.join(thread);
    }
}
