package dev.unjank.workbench.bench.queue;

import dev.unjank.cli.demo.load.MessageLoop;
import dev.unjank.workbench.bench.comparison.ThreadTeam;
import dev.unjank.workbench.bench.comparison.ThreadTeam.Span;
import java.util.concurrent.CountDownLatch;

/**
 * A burst: several producers post messages that are due immediately, as fast as the loop runs them.
 *
 * <p>Every message is the same object, created before timing starts, so only the queue allocates. Each producer stays
 * at most {@value #AHEAD} divided by the number of producers ahead of the loop, so that the backlog is the same for
 * every implementation and stays in the cache. It counts only its own messages, so a preempted producer does not delay
 * the others. A producer that is too far ahead yields instead of sleeping, since waking it would add a cost to the
 * loop's thread that the queue does not cause.
 *
 * <p>The loop may find its queue empty and sleep in between; how often depends on the implementation and is part of its
 * cost. Timing ends on the loop's thread, in the last message.
 */
final class PostBurst {
    /**
     * The maximum backlog. It is bounded, since otherwise queues that are traversed by a post would be dominated by the
     * backlog.
     */
    private static final int AHEAD = 1_000;

    /** The number of messages after which the loop updates the producer, so that the overhead is small. */
    private static final int STEP = 25;

    private PostBurst() {}

    /**
     * Posts a burst, and returns when the last message has run.
     *
     * @param messages the total; a multiple of the number of producers
     * @return nanoseconds from the start of the posts to the run of the last, per message
     */
    static double nanosPerMessage(ThreadTeam crew, MessageLoop loop, int producers, int messages)
            throws InterruptedException {
        CountDownLatch over = new CountDownLatch(producers);
        Sender[] senders = new Sender[producers];
        for (int i = 0; i < producers; i++) {
            senders[i] = new Sender(messages / producers, AHEAD / producers, over);
        }
        Span posts = crew.run(producers, i -> senders[i].send(loop));
        over.await();
        long last = senders[0].end;
        for (Sender sender : senders) {
            last = Math.max(last, sender.end);
        }
        return (double) (last - posts.start()) / messages;
    }

    /** A producer, which is also the message that it posts repeatedly. */
    private static final class Sender implements Runnable {
        private final int messages;
        private final int ahead;
        private final CountDownLatch over;

        // the loop's thread
        private int count;
        private long end;

        private volatile int ran;

        Sender(int messages, int ahead, CountDownLatch over) {
            this.messages = messages;
            this.ahead = ahead;
            this.over = over;
        }

        void send(MessageLoop loop) {
            int all = messages; // a local copy, since the field shares a cache line with fields that the loop writes
            for (int posted = 0; posted < all; posted++) {
                if (posted % STEP == 0) {
                    waitUntilRan(posted - ahead);
                }
                loop.post(this);
            }
        }

        @SuppressWarnings("ThreadPriorityCheck") // with few CPUs, spinning would delay the loop
        private void waitUntilRan(int number) {
            while (ran < number) {
                Thread.yield();
            }
        }

        @Override
        public void run() {
            int now = ++count;
            if (now % STEP == 0) {
                ran = now;
            }
            if (now == messages) {
                end = System.nanoTime();
                over.countDown();
            }
        }
    }
}
