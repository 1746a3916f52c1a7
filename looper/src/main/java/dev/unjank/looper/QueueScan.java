package dev.unjank.looper;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a watchdog sees in a queue in one walk that stops nobody: in a queue that is in use, about what was there. */
final class QueueScan {
    /** How many due messages are looked at to find out who sends most. */
    private static final int SAMPLE = 1_000;

    /** A barrier that stands. */
    record Barrier(Message message, int token, long standing, List<StackTraceElement> postedAt) {}

    final long now;
    final List<Barrier> barriers = new ArrayList<>();
    int due;
    long oldestWait;

    private QueueScan(long now) {
        this.now = now;
    }

    /** Walks a queue once. */
    static QueueScan of(MessageQueue queue, BarrierObserver observer, long now) {
        QueueScan survey = new QueueScan(now);
        queue.glimpse(m -> survey.add(m, observer));
        return survey;
    }

    private boolean add(Message m, BarrierObserver observer) {
        long wait = m.when == 0 ? 0 : MessageQueue.waitAt(now, m);
        if (m.dueNanos() > now || !m.wasIntact()) {
            return false;
        }
        if (m.kind() == Node.BARRIER) {
            barriers.add(new Barrier(m, m.arg1, wait, postedAt(m, observer)));
        } else {
            due++;
            oldestWait = Math.max(oldestWait, wait);
        }
        return false;
    }

    @SuppressWarnings("unchecked") // the observer's notes on barriers
    private static List<StackTraceElement> postedAt(Message barrier, BarrierObserver observer) {
        Object note = ObserverList.noteOf(barrier, observer);
        return note == null ? List.of() : (List<StackTraceElement>) note;
    }

    /** Says what most of the due messages are and who has sent them; visits so many that it is true of most of them. */
    static String senders(MessageQueue queue, MessageObserver observer, long now) {
        Map<String, Integer> counts = new HashMap<>();
        int[] seen = {0};
        queue.glimpse(m -> {
            if (m.kind() != Node.BARRIER && m.dueNanos() <= now) {
                Object sender = ObserverList.noteOf(m, observer);
                counts.merge(MessageDescription.delivery(m) + MessageDescription.sender(sender), 1, Integer::sum);
                seen[0]++;
            }
            return seen[0] == SAMPLE;
        });
        if (counts.isEmpty()) {
            return "gone when looked at";
        }
        Map.Entry<String, Integer> most = Collections.max(counts.entrySet(), Map.Entry.comparingByValue());
        return most.getValue() + " of " + seen[0] + " looked at are " + most.getKey();
    }
}
