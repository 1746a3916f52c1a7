package dev.unjank.looper;

import static dev.unjank.looper.queue.NodeState.BARRIER;
import static dev.unjank.looper.queue.NodeState.dueNanos;
import static dev.unjank.looper.queue.NodeState.kind;
import static dev.unjank.looper.queue.NodeState.wasIntact;
import static dev.unjank.looper.queue.NodeState.when;

import dev.unjank.looper.queue.DeliveryLatency;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The result of a watchdog's scan of a queue: one walk over the messages that does not block other threads. Approximate
 * while the queue is in use.
 */
final class QueueScan {
    /** The number of due messages that are examined to find the most frequent sender. */
    private static final int SAMPLE = 1_000;

    /** A barrier in the queue and its age. */
    record Barrier(Message message, int token, long ageNanos, List<StackTraceElement> postedAt) {}

    final long now;
    final List<Barrier> barriers = new ArrayList<>();
    int due;
    long oldestWait;

    private QueueScan(long now) {
        this.now = now;
    }

    /** Walks over a queue once. */
    static QueueScan of(MessageQueue queue, BarrierObserver observer, long now) {
        QueueScan scan = new QueueScan(now);
        queue.scanUnlocked(m -> scan.add(m, observer));
        return scan;
    }

    private boolean add(Message m, BarrierObserver observer) {
        long wait = when(m) == 0 ? 0 : DeliveryLatency.waitAt(now, m);
        if (dueNanos(m) > now || !wasIntact(m)) {
            return false;
        }
        if (kind(m) == BARRIER) {
            barriers.add(new Barrier(m, m.arg1, wait, postedAt(m, observer)));
        } else {
            due++;
            oldestWait = Math.max(oldestWait, wait);
        }
        return false;
    }

    @SuppressWarnings("unchecked") // the observer's notes on barriers are stacks
    private static List<StackTraceElement> postedAt(Message barrier, BarrierObserver observer) {
        Object note = ObserverList.noteOf(barrier, observer);
        return note == null ? List.of() : (List<StackTraceElement>) note;
    }

    /** Describes the most frequent kind of due message and its sender, from a sample of {@value #SAMPLE} messages. */
    static String describeSenders(MessageQueue queue, MessageObserver observer, long now) {
        Map<String, Integer> counts = new HashMap<>();
        int[] seen = {0};
        queue.scanUnlocked(m -> {
            if (kind(m) != BARRIER && dueNanos(m) <= now) {
                Object sender = ObserverList.noteOf(m, observer);
                counts.merge(MessageDescription.delivery(m) + MessageDescription.sender(sender), 1, Integer::sum);
                seen[0]++;
            }
            return seen[0] == SAMPLE;
        });
        if (counts.isEmpty()) {
            return "gone when examined";
        }
        Map.Entry<String, Integer> most = Collections.max(counts.entrySet(), Map.Entry.comparingByValue());
        return most.getValue() + " of " + seen[0] + " examined are " + most.getKey();
    }
}
