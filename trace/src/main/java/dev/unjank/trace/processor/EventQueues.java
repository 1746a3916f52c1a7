package dev.unjank.trace.processor;

import dev.unjank.trace.collections.IntList;
import dev.unjank.trace.collections.LongList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Events to be read in time order: queues for each CPU and one for all other packets. At equal times, the queue of the last
 * event goes on, otherwise queues with lower numbers come first. Each queue keeps its order.
 */
final class EventQueues {
    /** Receives the events in time order. */
    @FunctionalInterface
    interface Receiver {
        void event(long ts, Object content, int from, int to);
    }

    private static final class Queue {
        final LongList times = new LongList();
        final List<Object> contents = new ArrayList<>();
        final IntList starts = new IntList();
        final IntList ends = new IntList();
        boolean sorted = true;
        int[] order = {};
        int next;

        int row(int index) {
            return sorted ? index : order[index];
        }

        long nextTime() {
            return next == times.size() ? Long.MAX_VALUE : times.get(row(next));
        }
    }

    private final List<Queue> queues = new ArrayList<>();
    private long latest;

    /** Adds an event: part of an array of bytes, or an object. */
    void add(int queue, long ts, Object content, int from, int to) {
        while (queues.size() <= queue) {
            queues.add(new Queue());
        }
        Queue events = queues.get(queue);
        int size = events.times.size();
        if (size > 0 && ts < events.times.get(size - 1)) {
            events.sorted = false;
        }
        events.times.add(ts);
        events.contents.add(content);
        events.starts.add(from);
        events.ends.add(to);
        latest = Math.max(latest, ts);
    }

    /** The latest time so far. */
    long latest() {
        return latest;
    }

    void drain(Receiver receiver) {
        for (Queue queue : queues) {
            if (!queue.sorted) {
                queue.order = sorted(queue.times);
            }
        }
        while (true) {
            Queue first = null;
            long time = Long.MAX_VALUE;
            long second = Long.MAX_VALUE;
            for (int i = 0; i < queues.size(); i++) {
                Queue queue = queues.get(i);
                if (queue.next == queue.times.size()) {
                    continue;
                }
                long next = queue.nextTime();
                if (first == null || next < time) {
                    second = time;
                    first = queue;
                    time = next;
                } else if (next < second) {
                    second = next;
                }
            }
            if (first == null) {
                return;
            }
            do {
                int row = first.row(first.next++);
                Object content = first.contents.get(row);
                receiver.event(first.times.get(row), content, first.starts.get(row), first.ends.get(row));
            } while (first.next < first.times.size() && first.nextTime() <= second);
        }
    }

    private static int[] sorted(LongList times) {
        Integer[] order = new Integer[times.size()];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, (a, b) -> Long.compare(times.get(a), times.get(b)));
        return Arrays.stream(order).mapToInt(Integer::intValue).toArray();
    }
}
