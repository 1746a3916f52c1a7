package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.looper.queue.MessageGenerations;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.ObjectName;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * After a million messages an idle loop keeps nothing alive: no message, no Runnable, no payload, no posting thread.
 * The virtual machine counts the objects after a collection.
 */
@ParameterizedClass
@EnumSource
@Tag("slow")
class MemoryLeakTest {
    private static final int POSTERS = 4;
    private static final int EACH = 250_000;
    private static final int SAMPLE = 1_000;
    private static final int COLLECTIONS = 20;
    /**
     * The message that is out of the queue, in a local variable of the loop that a compiler may not have found dead.
     */
    private static final long MESSAGES_OF_AN_IDLE_LOOP = 1;

    /**
     * This many removed messages, empty ones, may wait for a sleeping loop to unlink them; besides the newest that it
     * knows.
     */
    private static final long MESSAGES_AFTER_REMOVALS = MessageGenerations.TOLERATED + 1 + MESSAGES_OF_AN_IDLE_LOOP;

    private static final int TIMEOUTS = 1_000_000;
    /** The maximum that cancelled timeouts may leave behind: see docs/design/queue.md. */
    private static final long BYTES_AFTER_TIMEOUTS = 256 << 10;

    @Parameter
    QueueKind kind;

    private long messagesBefore;

    private final Queue<WeakReference<Object>> samples = new ConcurrentLinkedQueue<>();

    /** A Runnable with a payload, and the type by which they are counted. */
    private static final class Task implements Runnable {
        final byte[] payload = new byte[16];
        final CountDownLatch left;

        Task(CountDownLatch left) {
            this.left = left;
        }

        @Override
        public void run() {
            left.countDown();
        }
    }

    private void sample(Object object) {
        samples.add(new WeakReference<>(object));
    }

    /** A hundred thousand of each kind of message from each thread, most of them due at once and some later. */
    private void post(Handler handler, CountDownLatch left) {
        for (int i = 0; i < EACH; i++) {
            Task task = new Task(left);
            Message message = Message.obtain(handler, task);
            if (i % SAMPLE == 0) {
                sample(task);
                sample(task.payload);
                sample(message);
            }
            switch (i % 10) {
                case 0 -> handler.sendMessageDelayed(message, 1 + i % 3);
                case 1 -> handler.sendMessageAtFrontOfQueue(message);
                case 2 -> {
                    message.setAsynchronous(true);
                    handler.sendMessage(message);
                }
                case 3 -> {
                    handler.sendMessageDelayed(message, 1_000_000);
                    assertThat(message.cancel()).isTrue();
                    left.countDown();
                }
                case 4 -> {
                    message.obj = task.payload;
                    handler.sendMessageDelayed(message, 1_000_000);
                    if (i % 1_000 == 4) {
                        handler.removeCallbacks(task);
                    } else {
                        message.cancel();
                    }
                    left.countDown();
                }
                default -> handler.sendMessage(message);
            }
        }
    }

    private void postAndCancel(Handler handler) {
        CountDownLatch never = new CountDownLatch(1);
        for (int i = 0; i < TIMEOUTS; i++) {
            Task task = new Task(never);
            Message message = Message.obtain(handler, task);
            if (i % SAMPLE == 0) {
                sample(task);
            }
            handler.sendMessageDelayed(message, 2_000_000);
            message.cancel();
        }
    }

    /** Other tests in this virtual machine may have left loopers asleep. */
    @BeforeEach
    void countMessagesBefore() throws Exception {
        messagesBefore = count(Message.class);
    }

    private void postFromThreadsThatEnd(Handler handler) throws InterruptedException {
        CountDownLatch left = new CountDownLatch(POSTERS * EACH);
        List<Thread> posters = new ArrayList<>();
        for (int i = 0; i < POSTERS; i++) {
            Thread poster = new Thread(() -> post(handler, left));
            posters.add(poster);
            sample(poster);
            poster.start();
        }
        for (Thread poster : posters) {
            poster.join();
        }
        assertThat(left.await(60, TimeUnit.SECONDS)).isTrue();
    }

    /** How many objects of a class there are after a collection. */
    private static long count(Class<?> type) throws Exception {
        return sum("\\s+([0-9]+)\\s+[0-9]+\\s+" + Pattern.quote(type.getName()) + "(\\s|$)");
    }

    /** How many bytes all objects take after a collection. */
    private static long bytes() throws Exception {
        return sum("Total\\s+[0-9]+\\s+([0-9]+)");
    }

    private static long sum(String pattern) throws Exception {
        String histogram = (String) ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
        Matcher line = Pattern.compile(pattern).matcher(histogram);
        long sum = 0; // another test may have loaded the class once more, with its own loader
        while (line.find()) {
            sum += Long.parseLong(line.group(1));
        }
        return sum;
    }

    private void assertNothingIsLeft(long messages) throws Exception {
        for (int i = 0; i < COLLECTIONS && !samples.isEmpty(); i++) {
            System.gc();
            samples.removeIf(reference -> reference.refersTo(null));
        }
        assertThat(samples).as("of the samples").extracting(WeakReference::get).isEmpty();
        assertThat(count(Task.class)).as("Runnables").isZero();
        assertThat(count(Message.class) - messagesBefore).as("messages").isLessThanOrEqualTo(messages);
    }

    private static void awaitSleep(HandlerThread thread) {
        // with a deadline, if it had seen a timer before that was cancelled
        while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
    }

    @Test
    void anIdleLoopRetainsNothingOfAMillionMessages() throws Exception {
        HandlerThread thread =
                new HandlerThread("idle", LooperOptions.defaults().withQueue(kind));
        thread.start();
        Handler handler = new Handler(thread.getLooper());
        postFromThreadsThatEnd(handler);
        CountDownLatch last = new CountDownLatch(1);
        handler.post(last::countDown); // after it the loop has checked everything
        last.await(); // otherwise it may still sleep as before that
        awaitSleep(thread);
        assertNothingIsLeft(MESSAGES_OF_AN_IDLE_LOOP);
        thread.quit();
        thread.join();
    }

    /**
     * A message removed while the loop sleeps releases its payload; of the empty messages no more stay than documented.
     * The loop is woken now and then to purge them, and may have to wait for a CPU, so the test gives it time.
     */
    @Test
    void aMillionTimeoutsCancelledWhileTheLoopSleepsLeaveWhatIsStated() throws Exception {
        HandlerThread thread =
                new HandlerThread("idle", LooperOptions.defaults().withQueue(kind));
        thread.start();
        Handler handler = new Handler(thread.getLooper());
        handler.sendEmptyMessageDelayed(1, 1_000_000);
        awaitSleep(thread);
        bytes(); // the first call allocates permanent objects that are not the queue's
        long bytesBefore = bytes();
        postAndCancel(handler);
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (count(Message.class) - messagesBefore > MESSAGES_AFTER_REMOVALS + 1 && System.nanoTime() < giveUp) {
            Thread.onSpinWait();
        }
        assertNothingIsLeft(MESSAGES_AFTER_REMOVALS + 1); // and the timer
        assertThat(bytes() - bytesBefore).as("bytes").isLessThanOrEqualTo(BYTES_AFTER_TIMEOUTS);
        thread.quit();
        thread.join();
    }

    /** The test of the test: a leak is found. */
    @Test
    void messagesThatAreKeptAreCounted() throws Exception {
        HandlerThread thread =
                new HandlerThread("hoarding", LooperOptions.defaults().withQueue(kind));
        thread.start();
        List<Message> hoard = new ArrayList<>();
        Handler handler = new Handler(thread.getLooper(), hoard::add);
        int kept = (int) MESSAGES_OF_AN_IDLE_LOOP + 1;
        for (int i = 0; i < kept; i++) {
            handler.sendEmptyMessage(i);
        }
        thread.quitSafely();
        thread.join();
        assertThat(count(Message.class) - messagesBefore).isGreaterThan(MESSAGES_OF_AN_IDLE_LOOP);
        assertThat(hoard).hasSize(kept);
    }
}
