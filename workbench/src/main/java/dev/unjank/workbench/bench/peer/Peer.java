package dev.unjank.workbench.bench.peer;

import dev.unjank.cli.demo.load.LooperLoop;
import dev.unjank.cli.demo.load.MessageLoop;
import dev.unjank.looper.QueueKind;
import dev.unjank.workbench.bench.comparison.Candidate;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;
import org.jctools.queues.MpscUnboundedArrayQueue;

/** The measured loops, each in the configuration that its users choose for one thread. */
public enum Peer implements Candidate {
    LOCK_FREE("unjank", "this project's lock-free queue"),
    /** One monitor around a sorted list, behind the same looper. */
    MONITOR("monitor", "this project's looper over a monitor and a sorted list"),
    /** The JDK's timer queue with one thread: a lock around a binary heap. Cancelled timers are removed immediately. */
    SCHEDULED_POOL("STPE", "ScheduledThreadPoolExecutor(1), which removes cancelled tasks"),
    /** The JDK's fork-join pool with one worker; its second thread keeps the timers. */
    FORK_JOIN("FJP", "ForkJoinPool(1).schedule of JDK 25, with a second thread for timers"),
    NETTY("Netty", "Netty's event loop over NIO"),
    /** JCTools' unbounded queue for many producers and one consumer, and park. */
    JCTOOLS("JCTools", "JCTools' MpscUnboundedArrayQueue and park, no timers"),
    /** Agrona's linked queue for many producers and one consumer, and park. */
    AGRONA("Agrona", "Agrona's ManyToOneConcurrentLinkedQueue and park, no timers"),
    BLOCKING_QUEUE("LBQ", "a thread that takes from a LinkedBlockingQueue, no timers"),
    /** Android 17's own looper and lock-free queue, if its classes have been downloaded. */
    ANDROID("Android", "Android 17's own Looper and MessageQueue, on this JVM");

    private static final int CHUNK = 1024;

    private final String label;
    private final String description;

    Peer(String label, String description) {
        this.label = label;
        this.description = description;
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public String description() {
        return description;
    }

    public boolean hasTimers() {
        return switch (this) {
            case JCTOOLS, AGRONA, BLOCKING_QUEUE -> false;
            default -> true;
        };
    }

    /**
     * The implementations that can be measured here: all, except Android's unless the profile {@code android} has
     * downloaded its classes.
     */
    public static List<Peer> available() {
        return Arrays.stream(values())
                .filter(peer -> peer != ANDROID || AndroidClassLoader.isAvailable())
                .toList();
    }

    public static List<Peer> withTimers() {
        return available().stream().filter(Peer::hasTimers).toList();
    }

    public MessageLoop open() {
        return switch (this) {
            case LOCK_FREE -> new LooperLoop(QueueKind.LOCK_FREE);
            case MONITOR -> new LooperLoop(QueueKind.MONITOR);
            case SCHEDULED_POOL -> scheduledPool();
            case FORK_JOIN -> forkJoin();
            case NETTY -> netty();
            case JCTOOLS -> new ParkingLoop(new MpscUnboundedArrayQueue<>(CHUNK));
            case AGRONA -> new ParkingLoop(new ManyToOneConcurrentLinkedQueue<>());
            case BLOCKING_QUEUE -> new BlockingQueueLoop();
            case ANDROID -> new AndroidLoop();
        };
    }

    private static MessageLoop scheduledPool() {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1);
        executor.setRemoveOnCancelPolicy(true);
        return new ExecutorLoop(executor, executor::shutdownNow);
    }

    private static MessageLoop forkJoin() {
        ForkJoinPool pool = new ForkJoinPool(1, ForkJoinPool.defaultForkJoinWorkerThreadFactory, null, true);
        return new ExecutorLoop(pool, pool::shutdownNow);
    }

    private static MessageLoop netty() {
        MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        return new ExecutorLoop(group.next(), () -> {
            var _ = group.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        });
    }
}
