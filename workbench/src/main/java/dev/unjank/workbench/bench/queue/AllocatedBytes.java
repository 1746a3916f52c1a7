package dev.unjank.workbench.bench.queue;

import com.sun.management.ThreadMXBean;
import dev.unjank.cli.demo.load.MessageLoop;
import dev.unjank.workbench.bench.comparison.BenchmarkQuestion;
import dev.unjank.workbench.bench.comparison.BenchmarkTarget;
import dev.unjank.workbench.bench.comparison.ThreadTeam;
import dev.unjank.workbench.bench.peer.Peer;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * Measures the bytes that a post allocates: by the posting thread, per message; and, since an implementation may
 * allocate on the loop's thread, by all threads of the JVM in a burst of posts ({@link PostBurst}, which itself
 * allocates a few hundred bytes in total). The latter includes allocations when the loop goes to sleep, which vary.
 */
final class AllocatedBytes extends BenchmarkQuestion<Peer> {
    private static final int MESSAGES = 200_000;
    private static final double LIMIT = 56;
    private static final String POSTER = "poster";

    AllocatedBytes() {
        super(
                "allocated",
                "bytes allocated per post(Runnable)",
                Peer.available(),
                List.of(
                        new Row("by the poster", POSTER, 0, List.of(BenchmarkTarget.atMost(LIMIT, " bytes"))),
                        new Row("and by its run", "all", 0, List.of())),
                new Rounds(1, 3, 5),
                new Rounds(1, 3, 5));
    }

    @Override
    public Subject open(Peer peer) {
        MessageLoop loop = peer.open();
        ThreadTeam crew = new ThreadTeam();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return circumstance -> {
            long bytes;
            if (circumstance.equals(POSTER)) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < MESSAGES; i++) {
                    loop.post(MessageLoop.NOTHING);
                }
                bytes = threads.getCurrentThreadAllocatedBytes() - before;
                loop.settle();
            } else {
                long before = threads.getTotalThreadAllocatedBytes();
                PostBurst.nanosPerMessage(crew, loop, 1, MESSAGES);
                bytes = threads.getTotalThreadAllocatedBytes() - before;
            }
            return new double[] {(double) bytes / MESSAGES};
        };
    }
}
