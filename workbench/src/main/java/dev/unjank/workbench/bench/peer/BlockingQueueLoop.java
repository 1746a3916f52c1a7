package dev.unjank.workbench.bench.peer;

import dev.unjank.cli.demo.load.ThreadJoin;
import java.util.concurrent.LinkedBlockingQueue;

/** The common loop of many programs: a thread that takes tasks from a blocking queue, without timers. */
final class BlockingQueueLoop extends TimerlessLoop {
    private final LinkedBlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();
    private final Thread thread;

    BlockingQueueLoop() {
        thread = new Thread(this::loop, "worker-loop");
        thread.setDaemon(true);
        thread.start();
    }

    private void loop() {
        try {
            while (true) {
                queue.take().run();
            }
        } catch (InterruptedException e) { // by close()
            queue.clear();
        }
    }

    @Override
    public void post(Runnable task) {
        queue.add(task);
    }

    @Override
    public Thread thread() {
        return thread;
    }

    @Override
    public void close() {
        thread.interrupt();
        ThreadJoin.join(thread);
    }
}
