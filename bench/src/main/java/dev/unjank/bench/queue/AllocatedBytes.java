package dev.unjank.bench.queue;

import com.sun.management.ThreadMXBean;
import dev.unjank.bench.loop.Loop;
import dev.unjank.bench.loop.Peer;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * How many bytes does a post allocate? What all threads of the Java VM together allocate in a burst of posts ({@link Burst},
 * which itself allocates a few hundred bytes in all), per message: whether the poster or the loop makes the garbage is no
 * matter.
 */
final class AllocatedBytes implements Question {

    private static final int MESSAGES = 200_000;
    private static final double LIMIT = 56;

    @Override
    public String name() {
        return "allocated";
    }

    @Override
    public String title() {
        return "bytes allocated per post(Runnable) and its run";
    }

    @Override
    public List<Row> rows() {
        return List.of(new Row("1 producer", "1", 0, List.of(Target.atMost(LIMIT, " bytes"))));
    }

    @Override
    public List<Peer> peers() {
        return Peer.available();
    }

    @Override
    public Rounds rounds(boolean quick) {
        return new Rounds(1, 3, 5);
    }

    @Override
    public Subject open(Peer peer) {
        Loop loop = peer.open();
        Crew crew = new Crew();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return producers -> {
            long before = threads.getTotalThreadAllocatedBytes();
            Burst.nanosPerMessage(crew, loop, Integer.parseInt(producers), MESSAGES);
            return new double[] {(double) (threads.getTotalThreadAllocatedBytes() - before) / MESSAGES};
        };
    }
}
