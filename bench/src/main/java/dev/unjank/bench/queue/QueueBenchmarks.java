package dev.unjank.bench.queue;

import dev.unjank.bench.contest.Contest;
import dev.unjank.bench.contest.Question;
import dev.unjank.bench.loop.Peer;
import java.util.List;

/** The message queue against its peers. */
public final class QueueBenchmarks {

    /** All questions, in the order in which they are put. */
    static final List<Question<Peer>> QUESTIONS = List.of(
            new PostToRun(),
            new InsertAmongPending(),
            new PostBesideTimers(),
            new DrainHeldTimers(),
            new DrainTogether(),
            new RemoveByCode(),
            new PostAndCancel(),
            new RetainedMemory(),
            new AllocatedBytes(),
            new WatchedDispatch(),
            new WakeLatency(),
            new ReadModifyWrites(),
            new UiUnderLoad());

    /** The questions as a benchmark. */
    public static final Contest CONTEST = new Contest("queue", QueueBenchmarks.class, List.copyOf(QUESTIONS));

    private QueueBenchmarks() {}

    /**
     * What runs in the Java VM of one peer.
     *
     * @param args what {@link Contest#serve} is given
     * @throws Exception if measuring fails
     */
    public static void main(String[] args) throws Exception {
        CONTEST.serve(args);
    }
}
