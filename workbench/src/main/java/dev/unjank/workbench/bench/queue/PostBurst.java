package dev.unjank.workbench.bench.queue;

import dev.unjank.cli.demo.load.MessageLoop;
import dev.unjank.workbench.bench.comparison.ThreadTeam;
import dev.unjank.workbench.bench.comparison.ThreadTeam.Span;
import java.util.concurrent.CountDownLatch;

/**
 * A number of producers post messages that are due at once, as fast as the loop runs them.
 *
 * <p>Every message is the same object, made before the clock starts: what is allocated is the queue's own doing. Each producer
 * stays at most {@value #AHEAD} divided by their number ahead of the loop, so that the backlog is the same for every peer and
 * stays in the cache. It keeps count of its own messages only: one that has lost its processor holds up no other producer. A
 * producer that is too far ahead yields rather than sleeps, since waking it would be a cost of the loop's thread that no queue
 * causes.
 *
 * <p>The loop may find its queue empty and go to sleep in between; how often it does depends on the peer, and belongs to its
 * cost. The clock stops on the loop's thread, in the last message.
 */
final class PostBurst {
    /** A busy queue, not an endless one: where a post walks the queue it would only be the backlog that is measured. */
    private static final int AHEAD = 1_000;

    /** How many messages the loop runs before it notifies the producer, so that this costs little. */
    private static final int STEP = 25;

    private PostBurst() {}

    /**
     * Posts a burst, and returns when the last message has run.
     *
     * @param messages in all; a multiple of the number of producers
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

    /** A producer, and at the same time the message that it posts, over and over. */
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
            int all = messages; // not to be read again from beside what the loop writes
            for (int posted = 0; posted < all; posted++) {
                if (posted % STEP == 0) {
                    waitUntilRan(posted - ahead);
                }
                loop.post(this);
            }
        }

        @SuppressWarnings("ThreadPriorityCheck") // where processors are few, spinning would keep the loop from running
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
