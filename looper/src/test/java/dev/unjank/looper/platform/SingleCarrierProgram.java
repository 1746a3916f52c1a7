package dev.unjank.looper.platform;

import dev.unjank.looper.Handler;
import dev.unjank.looper.Looper;
import dev.unjank.looper.LooperOptions;
import dev.unjank.looper.Message;
import dev.unjank.looper.QueueKind;
import dev.unjank.looper.fixture.VirtualThreads;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;

/**
 * The program of a virtual machine that has one carrier for all virtual threads: two loops play ping-pong, each waiting
 * for the other, with and without a timer. Each hand-over needs the carrier that the other loop must have left.
 */
final class SingleCarrierProgram {
    private static final int ROUNDS = 1_000;

    private SingleCarrierProgram() {}

    /** One player. Its messages carry the rounds that are left. */
    private static final class Player extends Handler {
        private final Set<String> carriers;
        private final CountDownLatch done;
        private Handler opponent = this;

        Player(Looper looper, Set<String> carriers, CountDownLatch done) {
            super(looper);
            this.carriers = carriers;
            this.done = done;
        }

        @Override
        public void handleMessage(Message msg) {
            // such as VirtualThread[#30,player 0]/runnable@ForkJoinPool-1-worker-1
            String thread = Thread.currentThread().toString();
            carriers.add(thread.substring(thread.indexOf('@') + 1));
            if (msg.what == 0) {
                done.countDown();
            } else {
                opponent.sendEmptyMessageDelayed(msg.what - 1, msg.what % 100 == 0 ? 1 : 0);
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        LooperOptions options = LooperOptions.defaults().withQueue(QueueKind.valueOf(args[0]));
        ThreadFactory virtual = VirtualThreads.factory("player ");
        Set<String> carriers = ConcurrentHashMap.newKeySet();
        CountDownLatch done = new CountDownLatch(1);
        Player ping = new Player(Looper.start(virtual, options), carriers, done);
        Player pong = new Player(Looper.start(virtual, options), carriers, done);
        ping.opponent = pong;
        pong.opponent = ping;

        // a timer that sleeps all the while, so that both ways of parking are in play
        long start = System.nanoTime();
        CountDownLatch timer = new CountDownLatch(2);
        CountDownLatch early = new CountDownLatch(1);
        Runnable ring = () -> {
            if (System.nanoTime() - start < 49_000_000L) { // counted from the beginning of a millisecond
                early.countDown();
            }
            timer.countDown();
        };
        ping.postDelayed(ring, 50);
        pong.postDelayed(ring, 50);
        ping.sendEmptyMessage(ROUNDS);
        done.await();
        timer.await();
        for (Player player : new Player[] {ping, pong}) {
            player.getLooper().quitSafely();
            player.getLooper().getThread().join();
        }
        System.out.println(ROUNDS + " rounds, timers " + (early.getCount() == 1 ? "on time" : "early") + ", carriers: "
                + carriers.size());
    }
}
