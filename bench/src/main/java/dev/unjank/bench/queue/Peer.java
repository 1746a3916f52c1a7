package dev.unjank.bench.queue;

import dev.unjank.looper.QueueKind;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;
import org.jctools.queues.MpscUnboundedArrayQueue;

/** Who is measured. */
public enum Peer {
    /** The lock-free queue of this project. */
    LOCK_FREE("unjank, lock-free"),
    /** One monitor around a sorted list: what the others are compared with. */
    MONITOR("unjank, monitor"),
    /** The JDK's timer queue with one thread: a lock around a binary heap. Cancelled timers are taken out at once. */
    SCHEDULED_POOL("ScheduledThreadPool(1)"),
    /** The JDK's fork-join pool with one worker; a second thread of its own keeps the timers. */
    FORK_JOIN("ForkJoinPool(1)"),
    /** Netty's event loop over NIO. */
    NETTY("Netty NIO event loop"),
    /** JCTools' unbounded queue for many producers and one consumer, and park. */
    JCTOOLS("JCTools MPSC + park"),
    /** Agrona's linked queue for many producers and one consumer, and park. */
    AGRONA("Agrona MPSC + park");

    private static final int CHUNK = 1024;

    private final String label;

    Peer(String label) {
        this.label = label;
    }

    /**
     * How people call it.
     *
     * @return the name for a table
     */
    public String label() {
        return label;
    }

    /** Starts one. */
    Loop open() {
        return switch (this) {
            case LOCK_FREE -> new LooperLoop(QueueKind.LOCK_FREE);
            case MONITOR -> new LooperLoop(QueueKind.MONITOR);
            case SCHEDULED_POOL -> scheduledPool();
            case FORK_JOIN -> forkJoin();
            case NETTY -> netty();
            case JCTOOLS -> new ParkingLoop(new MpscUnboundedArrayQueue<>(CHUNK));
            case AGRONA -> new ParkingLoop(new ManyToOneConcurrentLinkedQueue<>());
        };
    }

    private static Loop scheduledPool() {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1);
        executor.setRemoveOnCancelPolicy(true);
        return new ExecutorLoop(executor, executor::shutdownNow);
    }

    private static Loop forkJoin() {
        ForkJoinPool pool = new ForkJoinPool(1, ForkJoinPool.defaultForkJoinWorkerThreadFactory, null, true);
        return new ExecutorLoop(pool, pool::shutdownNow);
    }

    private static Loop netty() {
        MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        return new ExecutorLoop(group.next(), () -> {
            var _ = group.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        });
    }
}
